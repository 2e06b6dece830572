"""Messages as a model reads them that keeps the record: numbered, with their time and who said them. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.consolidation.extraction.drafts import OwnMessage
from memory.context.fencing import one_line
from memory.language.claims.drift import DriftSource
from memory.language.sentences import asks, sentences
from memory.model.tokens import estimate, shortened

MOST_TOKENS, MOST_OF_ONE, LEAST_OF_ONE = 24_000, 800, 60


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One message, in its writer's time zone. `by` names who said it; `is_own` where the words are that person's own
    and not passed on."""

    seq: int
    event_id: str
    owner: str
    by_human: bool
    by: str
    text: str
    at: datetime
    is_own: bool
    is_sensitive: bool = False
    is_secondhand: bool = False

    @property
    def source(self) -> DriftSource:
        return DriftSource(self.text, self.at)


def transcript(
    said: Sequence[TranscriptLine],
    *,
    timezone: str,
    so_far: Sequence[str] = (),
    earlier: Sequence[str] = (),
    known: Mapping[str, str] | None = None,
    owner: str | None = None,
) -> str:
    """All that a model gets to see. With an `owner`, whose facts are looked for, their own messages are marked."""
    most = max(LEAST_OF_ONE, min(MOST_OF_ONE, MOST_TOKENS // max(len(said), 1)))
    parts = [f"Time zone: {timezone}"]
    parts += _listed("The record so far (do not repeat it):", so_far)
    parts += _listed("Digests of earlier conversations:", earlier)
    if known:
        parts += _listed("Known facts:", [f"[id:{id}] {words}" for id, words in known.items()])
    parts += ["New messages:", *(_line(each, most, owner) for each in said)]
    return "\n".join(["<keepsake>", *parts, "</keepsake>"])


def own_messages(said: Sequence[TranscriptLine], owner: str) -> dict[int, OwnMessage]:
    """What somebody said in their own words, by its number, with the question that it answers."""
    asked = {each.seq: _questions(each.text) for each in said if not each.by_human}
    return {
        each.seq: OwnMessage(each.event_id, each.text, each.at, asked.get(each.seq - 1, ""), each.is_secondhand)
        for each in said
        if each.by_human and each.is_own and each.owner == owner
    }


def _questions(text: str) -> str:
    """Nothing else of what an assistant says counts as said."""
    return " ".join(part for start, end in sentences(text) if asks(part := text[start:end]))


def _line(each: TranscriptLine, most: int, owner: str | None) -> str:
    is_theirs = owner is not None and each.by_human and each.is_own and each.owner == owner
    who = ("the person's own" if is_theirs else each.by) if each.by_human else "assistant"
    passed_on = "" if each.is_own or not each.by_human else " (somebody else's words, passed on)"
    words = each.text if estimate(each.text) <= most else shortened(each.text, most)
    return f"[{each.seq}] {each.at:%A %Y-%m-%d %H:%M}, {one_line(who)}{passed_on}: {one_line(words)}"


def _listed(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, *(f"- {one_line(line)}" for line in lines)] if lines else []
