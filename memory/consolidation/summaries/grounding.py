"""The form of a summary, and the check that keeps only sentences grounded in the messages. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from db.vocabulary import Channel, Sensitivity
from memory.cleaning import visible
from memory.consolidation.extraction.drafts import FactForm
from memory.consolidation.summaries.summaries import SummaryPoint
from memory.consolidation.summaries.transcript import TranscriptLine
from memory.errors import AnswerUnfit
from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.sentences import sentence_bounds
from memory.privacy.channels import LOADABLE
from memory.privacy.classify import classify
from memory.refusals import Refusal

MAX_POINTS, LONGEST_POINT, LONGEST_DIGEST, LONGEST_OVERALL = 8, 400, 400, 800
NEIGHBOURS = 1  # messages before and after a cited one that also count: a question, or its answer


class PointForm(BaseModel):
    text: str
    messages: list[int]


class SummaryForm(BaseModel):
    points: list[PointForm]
    digest: str
    overall: str = ""
    facts: list[FactForm] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GroundedSummary:
    """A summary of which every name, number and date is in the messages that it cites."""

    points: tuple[SummaryPoint, ...]
    digest: str
    overall: str
    dropped: int
    """The number of ungrounded sentences that were dropped."""
    sensitivity: Sensitivity = field(default=Sensitivity.NONE)


def drop_ungrounded(
    form: SummaryForm,
    said: Sequence[TranscriptLine],
    channel: Channel,
    *,
    so_far: Sequence[DriftSource] = (),
    earlier: Sequence[DriftSource] = (),
) -> GroundedSummary:
    """Drop the sentences that their messages do not support. Raise `AnswerUnfit` if nothing is left. `so_far` are the
    earlier points of this conversation, `earlier` the digests of others."""
    by_number = {each.seq: each for each in said}
    points, dropped = list[SummaryPoint](), 0
    for point in form.points[:MAX_POINTS]:
        text = visible(point.text)[:LONGEST_POINT]
        cited = tuple(sorted({seq for seq in point.messages if seq in by_number}))
        if (
            text
            and cited
            and _is_grounded(text, _sources_near(cited, by_number))
            and classify(text) in LOADABLE[channel]
        ):
            points.append(SummaryPoint(text, cited))
        else:
            dropped += 1
    if not points:
        raise AnswerUnfit(Refusal.SUMMARY_UNFOUNDED if dropped else Refusal.SUMMARY_EMPTY)
    sources = [*so_far, *(each.source for each in said)]
    digest = _grounded_sentences(form.digest, sources, channel, LONGEST_DIGEST) or " ".join(
        point.text for point in points[:2]
    )
    overall = _grounded_sentences(form.overall, [*earlier, *sources], channel, LONGEST_OVERALL) if earlier else ""
    sensitivity = Sensitivity.most(classify(digest), *(classify(point.text) for point in points))
    return GroundedSummary(tuple(points), digest[:LONGEST_DIGEST], overall, dropped, sensitivity)


def _sources_near(cited: Sequence[int], by_number: dict[int, TranscriptLine]) -> list[DriftSource]:
    near = {seq + step for seq in cited for step in range(-NEIGHBOURS, NEIGHBOURS + 1)}
    return [by_number[seq].source for seq in sorted(near) if seq in by_number]


def _is_grounded(text: str, sources: Sequence[DriftSource]) -> bool:
    return not unsupported_claims(text, sources)


def _grounded_sentences(text: str, sources: Sequence[DriftSource], channel: Channel, longest: int) -> str:
    """The grounded sentences, up to `longest` characters."""
    words = visible(text)
    kept = ""
    for start, end in sentence_bounds(words):
        sentence = words[start:end].strip()
        if (
            len(kept) + len(sentence) < longest
            and _is_grounded(sentence, sources)
            and classify(sentence) in LOADABLE[channel]
        ):
            kept = f"{kept} {sentence}".strip()
    return kept
