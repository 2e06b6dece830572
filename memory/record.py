"""Writes down what happened. Only what was prepared, cleaned and redacted, can be recorded."""

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
class Prepared:
    """An event without what must never be stored, and the kinds of secret that were left out of it."""

    event: NewEvent
    left_out: tuple[str, ...]

    @property
    def text(self) -> str:
        return str(self.event.content["text"])


def prepare(draft: Draft, now: datetime) -> Prepared:
    """Clean and redact, before any transaction is open: a long message takes its time."""
    left_out: list[str] = []
    content = _fit_to_store(draft.content, left_out)
    event = NewEvent(timed_id("evt", now), now, draft.actor_type, draft.actor_id, draft.kind, content, draft.refs)
    return Prepared(event, tuple(dict.fromkeys(left_out)))


async def record(session: AsyncSession, viewer: Viewer, conversation_id: str, prepared: Sequence[Prepared]) -> None:
    await append_events(session, viewer, conversation_id, [each.event for each in prepared])


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
