"""Shows the message that a fact or a card came from: the source span with its surroundings."""

from dataclasses import dataclass
from datetime import datetime

from db.queries.events.events import event_row
from db.queries.facts.facts import BLANK
from memory.events.record import open_content
from memory.unit import Unit

CONTEXT_CHARS = 160  # characters on each side


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text with its surroundings."""

    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class MessageSource:
    event_id: str
    ts: datetime
    speaker: str
    passage: Passage | None
    """None if the words were forgotten since, or if their key is missing."""
    is_forgotten: bool = False
    is_reported: bool = False
    """Whether an agent reported the message."""


async def source_of(unit: Unit, event_id: str | None, span: tuple[int, int] | None) -> MessageSource | None:
    """Return what the viewer may read of the source today, or None if it is gone."""
    event = await event_row(unit.session, unit.viewer, event_id) if event_id else None
    if event is None or event_id is None:
        return None
    content = await open_content(unit, event.user, event_id, event.content)
    text = str(content.get("text", ""))
    speaker = event.actor_id if event.actor_id == unit.viewer.user else str(content.get("by") or event.actor_id)
    found = passage(text, span)
    forgotten = is_blank(found.words or text)
    return MessageSource(
        event_id, event.ts, speaker, None if forgotten or not text else found, forgotten, event.is_reported
    )


def passage(text: str, span: tuple[int, int] | None) -> Passage:
    """Return the span with some words around it, or the beginning of the text if there is no valid span."""
    if span is None or not 0 <= span[0] < span[1] <= len(text):
        return Passage(_cut_end(text, 2 * CONTEXT_CHARS), "", "")
    start, end = span
    return Passage(_cut_start(text[:start], CONTEXT_CHARS), text[start:end], _cut_end(text[end:], CONTEXT_CHARS))


def is_blank(words: str) -> bool:
    """Whether the words were blanked completely."""
    return bool(words.strip()) and not words.replace(BLANK, "").strip()


def _cut_end(text: str, most: int) -> str:
    """Cut at the end of a word if one ends nearby."""
    if len(text) <= most:
        return text
    kept = text[:most]
    near = kept.rfind(" ", most * 3 // 4)
    return f"{kept[:near] if near > 0 else kept}…"


def _cut_start(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    kept = text[-most:]
    near = kept.find(" ", 0, most // 4)
    return f"…{kept[near + 1 :] if near >= 0 else kept}"
