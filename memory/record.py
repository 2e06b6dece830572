"""Writes down what happened, and reads it again. Only what was prepared, cleaned and redacted, can be recorded."""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite
from typing import Any

from db.ids import timed_id
from db.queries.events import NewEvent, append_events, content_of, replace_by_sealed
from db.vocabulary import ActorType, EventKind, Sensitivity
from memory.privacy.redaction import redact
from memory.privacy.sensitivity import classify
from memory.text import clean
from memory.unit import Unit


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

    @property
    def is_sensitive(self) -> bool:
        return self.event.sensitivity == Sensitivity.HIGH


def prepare(draft: Draft, now: datetime, *, sensitive: bool = False) -> Prepared:
    """Clean, redact and classify, before any transaction is open: a long message takes its time. What answers
    something sensitive is `sensitive` too, whatever its own words are."""
    left_out: list[str] = []
    content = fit_to_store(draft.content, left_out)
    sensitivity = Sensitivity.HIGH if sensitive else classify("\n".join(texts_in(content)))
    event = NewEvent(
        timed_id("evt", now), now, draft.actor_type, draft.actor_id, draft.kind, content, draft.refs, sensitivity
    )
    return Prepared(event, tuple(dict.fromkeys(left_out)))


async def record(unit: Unit, conversation_id: str, prepared: Sequence[Prepared]) -> None:
    """Append events, the sensitive ones sealed."""
    events = [await _sealed(unit, each.event) if each.is_sensitive else each.event for each in prepared]
    await append_events(unit.session, unit.viewer, conversation_id, events)


async def open_content(unit: Unit, user: str, event_id: str, content: dict[str, Any]) -> dict[str, Any]:
    """The content of an event, opened where it is sealed; empty when its key is not at hand."""
    if "sealed" not in content:
        return content
    try:
        return await unit.vault.open(user, event_id, b64decode(content["sealed"])) or {}
    except (TypeError, ValueError):  # nothing that we wrote
        return {}


async def seal_event(unit: Unit, event_id: str) -> None:
    """Seal one of the viewer's events in which something turned out to be sensitive after it was written."""
    content = await content_of(unit.session, unit.viewer, event_id)
    if content is not None and "sealed" not in content:
        sealed = await unit.vault.seal(event_id, content)
        await replace_by_sealed(unit.session, event_id, b64encode(sealed).decode())


async def _sealed(unit: Unit, event: NewEvent) -> NewEvent:
    sealed = await unit.vault.seal(event.id, event.content)
    return replace(event, content={"sealed": b64encode(sealed).decode()})


def fit_to_store(value: Any, left_out: list[str]) -> Any:
    """Any content without control characters and secrets; the kinds of secret are added to `left_out`."""
    match value:
        case str():
            redacted = redact(clean(value))
            left_out += redacted.kinds
            return redacted.text
        case dict():
            return {fit_to_store(key, left_out): fit_to_store(item, left_out) for key, item in value.items()}
        case list() | tuple():
            return [fit_to_store(item, left_out) for item in value]
        case float() if not isfinite(value):
            return str(value)
        case _:
            return value


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a content, however deep."""
    match value:
        case str():
            yield value
        case dict():
            for item in value.values():
                yield from texts_in(item)
        case list():
            for item in value:
                yield from texts_in(item)
