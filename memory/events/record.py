"""Writes down what happened, and reads it again. Only what was prepared, cleaned and redacted, can be recorded."""

from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from db.ids import timed_id
from db.queries.events.events import NewEvent, append_events, content_of, replace_by_sealed
from db.queries.retrieval.chunks import NewChunk, add_chunks_of_events, drop_chunks_of
from db.tables.events import TELLING
from db.vocabulary import ActorType, ArtifactKind, EventKind, Sensitivity
from memory.events.contents import redact_content, texts_in
from memory.events.framing import is_own
from memory.events.tool_results import bounded, normalise_tool_result
from memory.language.precheck import tells
from memory.ledgers import artifacts, decisions, tasks
from memory.ledgers.artifacts import prepare_artifact
from memory.privacy.channels import LOADABLE
from memory.privacy.classify import classify
from memory.retrieval.chunks import chunks_of_event
from memory.unit import Unit

NOT_HERE = "not kept: too sensitive for this channel"


@dataclass(frozen=True, slots=True)
class EventDraft:
    actor_type: ActorType
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    refs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    update_id: int | None = None
    sensitive: bool = False
    """Whether it answers something sensitive, whatever its own words are."""
    at_least: Sensitivity = Sensitivity.NONE
    """How careful one must be by the word of who writes it."""


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """An event without what must never be stored, the kinds of secret that were left out of it, and its chunks: none
    where it is sensitive."""

    event: NewEvent
    left_out: tuple[str, ...]
    chunks: tuple[NewChunk, ...] = ()
    whole: artifacts.PreparedArtifact | None = None
    """All of a tool's output, of which the event holds an excerpt."""

    @property
    def text(self) -> str:
        return str(self.event.content["text"])

    @property
    def is_sensitive(self) -> bool:
        return self.event.sensitivity == Sensitivity.HIGH


def prepare(draft: EventDraft, now: datetime, *, sensitive: bool = False, event_id: str | None = None) -> PreparedEvent:
    """Clean, redact and classify, before any transaction is open: a long message takes its time. What answers
    something sensitive is `sensitive` too, whatever its own words are."""
    left_out: list[str] = []
    is_output, whole = draft.kind == EventKind.TOOL_RESULT, None
    given, gone = bounded(draft.content) if is_output else (draft.content, 0)
    content = redact_content(given, left_out)
    if is_output:
        normal = normalise_tool_result(content, gone=gone)
        content = normal.content
        if normal.whole is not None:
            whole = prepare_artifact(normal.whole, kind=ArtifactKind.TOOL_OUTPUT)
    found = Sensitivity.HIGH if sensitive or draft.sensitive else classify("\n".join(texts_in(content)))
    sensitivity = Sensitivity.most(found, draft.at_least)
    event = NewEvent(
        id=event_id or timed_id("evt", now),
        ts=now,
        actor_type=draft.actor_type,
        actor_id=draft.actor_id,
        kind=draft.kind,
        content=content,
        refs=draft.refs,
        tags=(*draft.tags, TELLING) if _tells(draft, content) else draft.tags,
        sensitivity=sensitivity,
        update_id=draft.update_id,
    )
    chunks = [] if sensitivity == Sensitivity.HIGH else chunks_of_event(event.id, event.kind, content)
    return PreparedEvent(event, tuple(dict.fromkeys(left_out)), tuple(chunks), whole)


def _tells(draft: EventDraft, content: dict[str, Any]) -> bool:
    """Whether a person may have told something of themselves, in words of their own: it is looked through later."""
    if draft.kind != EventKind.MESSAGE or draft.actor_type != ActorType.HUMAN or TELLING in draft.tags:
        return False
    return is_own(content) and tells(str(content.get("text", "")))


async def record(unit: Unit, conversation_id: str, prepared: Sequence[PreparedEvent]) -> list[str]:
    """Append events, the sensitive ones sealed, with their chunks, and fill the ledgers from them. Gives the ids of
    what was entered there."""
    whole = [await _with_artifact(unit, each) for each in prepared]
    events = [await _sealed(unit, event) if event.sensitivity == Sensitivity.HIGH else event for event in whole]
    await append_events(unit.session, unit.viewer, conversation_id, events)
    await add_chunks_of_events(unit.session, unit.viewer, [chunk for each in prepared for chunk in each.chunks])
    return [entered for each in prepared if (entered := await _enter_ledger(unit, each.event))]


async def open_content(unit: Unit, user: str, event_id: str, content: dict[str, Any]) -> dict[str, Any]:
    """The content of an event, opened where it is sealed; empty when its key is not at hand."""
    if "sealed" not in content:
        return content
    try:
        return await unit.vault.open(user, event_id, b64decode(content["sealed"])) or {}
    except (TypeError, ValueError):  # nothing that we wrote
        return {}


async def artifact_of(unit: Unit, event_id: str) -> str | None:
    """The artifact that holds what did not fit into an event of the viewer's; none where it was too sensitive for its
    channel."""
    kept = await content_of(unit.session, unit.viewer, event_id)
    content = await open_content(unit, unit.viewer.person, event_id, kept or {})
    named = content.get("artifact_id")
    return str(named) if named else None


async def seal_event(unit: Unit, event_id: str) -> None:
    """Seal one of the viewer's events in which something turned out to be sensitive after it was written."""
    content = await content_of(unit.session, unit.viewer, event_id)
    if content is not None and "sealed" not in content:
        sealed = await unit.vault.seal(event_id, content)
        await replace_by_sealed(unit.session, event_id, b64encode(sealed).decode())
        await drop_chunks_of(unit.session, unit.viewer, [event_id])


async def _with_artifact(unit: Unit, prepared: PreparedEvent) -> NewEvent:
    """The event, naming the artifact that holds what did not fit into it, or saying that there is none."""
    if prepared.whole is None:
        return prepared.event
    careful = Sensitivity.most(prepared.event.sensitivity, prepared.whole.sensitivity)
    if careful not in LOADABLE[unit.viewer.channel]:
        return replace(prepared.event, content={**prepared.event.content, "whole": NOT_HERE})
    row = await artifacts.store(unit, replace(prepared.whole, sensitivity=careful, refs=(prepared.event.id,)))
    return replace(prepared.event, content={**prepared.event.content, "artifact_id": row.id})


async def _enter_ledger(unit: Unit, event: NewEvent) -> str | None:
    """What an event decides, or says about a task; its content is as it was before it was sealed."""
    content = {"refs": event.refs, **event.content}
    if event.kind == EventKind.DECISION:
        draft = decisions.read_decision(content)
        return (await decisions.enter(unit, draft, event_id=event.id, ts=event.ts, sensitivity=event.sensitivity)).id
    if event.kind == EventKind.TASK_UPDATE:
        change = tasks.read_task(content)
        return (await tasks.enter(unit, change, event_id=event.id, ts=event.ts, sensitivity=event.sensitivity)).id
    return None


async def _sealed(unit: Unit, event: NewEvent) -> NewEvent:
    sealed = await unit.vault.seal(event.id, event.content)
    return replace(event, content={"sealed": b64encode(sealed).decode()})
