"""Writes down what happened: cleans, redacts, appends. Nothing reaches the events by another way."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from db.ids import timed_id
from db.queries.events import NewEvent, append_events
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.privacy.redaction import redact
from memory.text import clean


@dataclass(frozen=True, slots=True)
class Draft:
    actor_type: ActorType
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was written, and the kinds of secret that were left out of it."""

    event_id: str
    content: dict[str, Any]
    left_out: tuple[str, ...]

    @property
    def text(self) -> str:
        return str(self.content["text"])


async def record(
    session: AsyncSession, viewer: Viewer, conversation_id: str, drafts: Sequence[Draft], now: datetime
) -> list[Recorded]:
    """Append events to a conversation, without what must never be stored."""
    recorded = []
    for draft in drafts:
        left_out: list[str] = []
        content = _fit_to_store(draft.content, left_out)
        recorded.append(Recorded(timed_id("evt", now), content, tuple(dict.fromkeys(left_out))))
    events = [
        NewEvent(done.event_id, now, draft.actor_type, draft.actor_id, draft.kind, done.content, draft.refs)
        for draft, done in zip(drafts, recorded, strict=True)
    ]
    await append_events(session, viewer, conversation_id, events)
    return recorded


def _fit_to_store(value: Any, left_out: list[str]) -> Any:
    match value:
        case str():
            redacted = redact(clean(value))
            left_out += redacted.kinds
            return redacted.text
        case dict():
            return {_fit_to_store(key, left_out): _fit_to_store(item, left_out) for key, item in value.items()}
        case list() | tuple():
            return [_fit_to_store(item, left_out) for item in value]
        case _:
            return value
