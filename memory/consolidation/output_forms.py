"""What a model fills in when it keeps the record of a conversation, and what the program lets through. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from db.vocabulary import Channel, Sensitivity
from memory.cleaning import visible
from memory.consolidation.extraction.drafts import FoundFact
from memory.consolidation.summaries.summaries import Point
from memory.consolidation.summaries.transcript import TranscriptLine
from memory.errors import AnswerUnfit
from memory.language.claims.drift import DriftSource, unfounded
from memory.language.sentences import sentences
from memory.privacy.channels import LOADABLE
from memory.privacy.classify import classify

MOST_POINTS, LONGEST_POINT, LONGEST_DIGEST, LONGEST_OVERALL = 8, 400, 400, 800
BESIDE = 1  # messages around a cited one that may hold what it means: a question, or the answer to it


class PointForm(BaseModel):
    text: str
    messages: list[int]


class Record(BaseModel):
    points: list[PointForm]
    digest: str
    overall: str = ""
    facts: list[FoundFact] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Founded:
    """What is left of a record: every name, number and day in it stands in the messages that it cites."""

    points: tuple[Point, ...]
    digest: str
    overall: str
    dropped: int
    """How many sentences did not hold."""
    sensitivity: Sensitivity = field(default=Sensitivity.NONE)


def founded(
    record: Record,
    said: Sequence[TranscriptLine],
    channel: Channel,
    *,
    so_far: Sequence[DriftSource] = (),
    earlier: Sequence[DriftSource] = (),
) -> Founded:
    """Drop each sentence that says what its messages do not; a record of which nothing is left is none. `so_far` are
    the points of this conversation before, `earlier` the digests of others."""
    by_number = {each.seq: each for each in said}
    points, dropped = list[Point](), 0
    for form in record.points[:MOST_POINTS]:
        text = visible(form.text)[:LONGEST_POINT]
        cited = tuple(sorted({seq for seq in form.messages if seq in by_number}))
        if text and cited and _holds(text, _around(cited, by_number)) and classify(text) in LOADABLE[channel]:
            points.append(Point(text, cited))
        else:
            dropped += 1
    if not points:
        raise AnswerUnfit("Nothing in the summary stands in the messages." if dropped else "The summary is empty.")
    sources = [*so_far, *(each.source for each in said)]
    digest = _kept(record.digest, sources, channel, LONGEST_DIGEST) or " ".join(point.text for point in points[:2])
    overall = _kept(record.overall, [*earlier, *sources], channel, LONGEST_OVERALL) if earlier else ""
    careful = Sensitivity.most(classify(digest), *(classify(point.text) for point in points))
    return Founded(tuple(points), digest[:LONGEST_DIGEST], overall, dropped, careful)


def _around(cited: Sequence[int], by_number: dict[int, TranscriptLine]) -> list[DriftSource]:
    near = {seq + step for seq in cited for step in range(-BESIDE, BESIDE + 1)}
    return [by_number[seq].source for seq in sorted(near) if seq in by_number]


def _holds(text: str, sources: Sequence[DriftSource]) -> bool:
    return not unfounded(text, sources)


def _kept(text: str, sources: Sequence[DriftSource], channel: Channel, longest: int) -> str:
    """The sentences that hold, as many as there is room for."""
    words = visible(text)
    kept = ""
    for start, end in sentences(words):
        sentence = words[start:end].strip()
        if (
            len(kept) + len(sentence) < longest
            and _holds(sentence, sources)
            and classify(sentence) in LOADABLE[channel]
        ):
            kept = f"{kept} {sentence}".strip()
    return kept
