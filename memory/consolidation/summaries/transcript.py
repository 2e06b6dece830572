"""Renders messages as a transcript for summaries and extraction: numbered, with time and speaker. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory.consolidation.extraction.drafts import OwnMessage
from memory.context.fencing import one_line
from memory.language.claims.drift import DriftSource
from memory.language.sentences import is_question, sentence_bounds
from memory.model.tokens import estimate, shorten

MAX_TOKENS, MAX_OF_ONE, LEAST_OF_ONE = 24_000, 800, 60


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One message, in its writer's time zone. `by` is the speaker's name. `is_own` is false for words that they pass on
    from somebody else."""

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
    messages: Sequence[TranscriptLine],
    *,
    timezone: str,
    so_far: Sequence[str] = (),
    earlier: Sequence[str] = (),
    known: Mapping[str, str] | None = None,
    owner: str | None = None,
) -> str:
    """Everything the model reads. The own messages of an `owner`, whose facts are extracted, are marked."""
    most = max(LEAST_OF_ONE, min(MAX_OF_ONE, MAX_TOKENS // max(len(messages), 1)))
    parts = [f"Time zone: {timezone}"]
    parts += _section("The record so far (do not repeat it):", so_far)
    parts += _section("Digests of earlier conversations:", earlier)
    if known:
        parts += _section("Known facts:", [f"[id:{id}] {words}" for id, words in known.items()])
    parts += ["New messages:", *(_line(each, most, owner) for each in messages)]
    return "\n".join(["<keepsake>", *parts, "</keepsake>"])


def own_messages(messages: Sequence[TranscriptLine], owner: str) -> dict[int, OwnMessage]:
    """A person's messages in their own words, by number, with the question each one answers."""
    questions = {each.seq: _questions(each.text) for each in messages if not each.by_human}
    return {
        each.seq: OwnMessage(each.event_id, each.text, each.at, questions.get(each.seq - 1, ""), each.is_secondhand)
        for each in messages
        if each.by_human and each.is_own and each.owner == owner
    }


def _questions(text: str) -> str:
    """The questions in an assistant's message, the only part of it that extraction uses."""
    return " ".join(part for start, end in sentence_bounds(text) if is_question(part := text[start:end]))


def _line(each: TranscriptLine, most: int, owner: str | None) -> str:
    is_theirs = owner is not None and each.by_human and each.is_own and each.owner == owner
    speaker = ("the person's own" if is_theirs else each.by) if each.by_human else "assistant"
    passed_on = "" if each.is_own or not each.by_human else " (somebody else's words, passed on)"
    words = each.text if estimate(each.text) <= most else shorten(each.text, most)
    return f"[{each.seq}] {each.at:%A %Y-%m-%d %H:%M}, {one_line(speaker)}{passed_on}: {one_line(words)}"


def _section(heading: str, lines: Sequence[str]) -> list[str]:
    return [heading, *(f"- {one_line(line)}" for line in lines)] if lines else []
