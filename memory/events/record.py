"""Records events and opens their content again. Only prepared events, cleaned and redacted, can be recorded."""

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
from memory.events.framing import has_own_words
from memory.events.tool_results import limit_output, normalise_tool_result
from memory.language.precheck import may_hold_fact
from memory.ledgers import artifacts, decisions, tasks
from memory.ledgers.artifacts import prepare_artifact
from memory.privacy.channels import LOADABLE
from memory.privacy.classify import classify
from memory.retrieval.chunks import make_event_chunks
from memory.unit import Unit

NOT_STORED_HERE = "not kept: too sensitive for this channel"


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
    min_sensitivity: Sensitivity = Sensitivity.NONE
    """The sensitivity that its author declared."""


@dataclass(frozen=True, slots=True)
class PreparedEvent:
    """A cleaned event, the kinds of secret that were left out, and its chunks (none if it is sensitive)."""

    event: NewEvent
    left_out: tuple[str, ...]
    chunks: tuple[NewChunk, ...] = ()
    full_output: artifacts.PreparedArtifact | None = None
    """A tool's whole output, where the event contains only an excerpt."""

    @property
    def text(self) -> str:
        return str(self.event.content["text"])

    @property
    def is_sensitive(self) -> bool:
        return self.event.sensitivity == Sensitivity.HIGH


def prepare(draft: EventDraft, now: datetime, *, sensitive: bool = False, event_id: str | None = None) -> PreparedEvent:
    """Clean, redact and classify a draft. A long message takes a while, so call this before opening a transaction.

    Set `sensitive` for an answer to something sensitive, whatever its own words are.
    """
    left_out: list[str] = []
    is_output, full_output = draft.kind == EventKind.TOOL_RESULT, None
    given, gone = limit_output(draft.content) if is_output else (draft.content, 0)
    content = redact_content(given, left_out)
    if is_output:
        normal = normalise_tool_result(content, gone=gone)
        content = normal.content
        if normal.full_output is not None:
            full_output = prepare_artifact(normal.full_output, kind=ArtifactKind.TOOL_OUTPUT)
    detected = Sensitivity.HIGH if sensitive or draft.sensitive else classify("\n".join(texts_in(content)))
    sensitivity = Sensitivity.most(detected, draft.min_sensitivity)
    event = NewEvent(
        id=event_id or timed_id("evt", now),
        ts=now,
        actor_type=draft.actor_type,
        actor_id=draft.actor_id,
        kind=draft.kind,
        content=content,
        refs=draft.refs,
        tags=(*draft.tags, TELLING) if _may_state_facts(draft, content) else draft.tags,
        sensitivity=sensitivity,
        update_id=draft.update_id,
    )
    chunks = [] if sensitivity == Sensitivity.HIGH else make_event_chunks(event.id, event.kind, content)
    return PreparedEvent(event, tuple(dict.fromkeys(left_out)), tuple(chunks), full_output)


def _may_state_facts(draft: EventDraft, content: dict[str, Any]) -> bool:
    """Whether a person may have stated a fact in their own words; extraction reads such messages later."""
    if draft.kind != EventKind.MESSAGE or draft.actor_type != ActorType.HUMAN or TELLING in draft.tags:
        return False
    return has_own_words(content) and may_hold_fact(str(content.get("text", "")))


async def record(unit: Unit, conversation_id: str, prepared: Sequence[PreparedEvent]) -> list[str]:
    """Append events with their chunks, seal the sensitive ones, and fill the ledgers. Returns the new ledger ids."""
    complete = [await _with_artifact(unit, each) for each in prepared]
    events = [await _seal(unit, event) if event.sensitivity == Sensitivity.HIGH else event for event in complete]
    await append_events(unit.session, unit.viewer, conversation_id, events)
    await add_chunks_of_events(unit.session, unit.viewer, [chunk for each in prepared for chunk in each.chunks])
    return [entered for each in prepared if (entered := await _enter_ledger(unit, each.event))]


async def open_content(unit: Unit, user: str, event_id: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of an event, opened if it is sealed; empty if its key is not available."""
    if "sealed" not in content:
        return content
    try:
        return await unit.vault.open(user, event_id, b64decode(content["sealed"])) or {}
    except (TypeError, ValueError):  # not written by us
        return {}


async def artifact_of(unit: Unit, event_id: str) -> str | None:
    """Return the artifact with the full output of the viewer's event, or None if there is none or it was not stored."""
    kept = await content_of(unit.session, unit.viewer, event_id)
    content = await open_content(unit, unit.viewer.person, event_id, kept or {})
    artifact_id = content.get("artifact_id")
    return str(artifact_id) if artifact_id else None


async def seal_event(unit: Unit, event_id: str) -> None:
    """Seal a stored event of the viewer's that turned out to be sensitive."""
    content = await content_of(unit.session, unit.viewer, event_id)
    if content is not None and "sealed" not in content:
        sealed = await unit.vault.seal(event_id, content)
        await replace_by_sealed(unit.session, event_id, b64encode(sealed).decode())
        await drop_chunks_of(unit.session, unit.viewer, [event_id])


async def _with_artifact(unit: Unit, prepared: PreparedEvent) -> NewEvent:
    """Store the full output as an artifact and name it in the event, or note there that it could not be stored."""
    if prepared.full_output is None:
        return prepared.event
    sensitivity = Sensitivity.most(prepared.event.sensitivity, prepared.full_output.sensitivity)
    if sensitivity not in LOADABLE[unit.viewer.channel]:
        return replace(prepared.event, content={**prepared.event.content, "whole": NOT_STORED_HERE})
    artifact = replace(prepared.full_output, sensitivity=sensitivity, refs=(prepared.event.id,))
    row = await artifacts.store(unit, artifact)
    return replace(prepared.event, content={**prepared.event.content, "artifact_id": row.id})


async def _enter_ledger(unit: Unit, event: NewEvent) -> str | None:
    """Enter the decision or task of an event into its ledger. Expects the content as it was before sealing."""
    content = {"refs": event.refs, **event.content}
    if event.kind == EventKind.DECISION:
        draft = decisions.read_decision(content)
        return (
            await decisions.add_decision(unit, draft, event_id=event.id, ts=event.ts, sensitivity=event.sensitivity)
        ).id
    if event.kind == EventKind.TASK_UPDATE:
        change = tasks.read_task(content)
        return (await tasks.save_task(unit, change, event_id=event.id, ts=event.ts, sensitivity=event.sensitivity)).id
    return None


async def _seal(unit: Unit, event: NewEvent) -> NewEvent:
    sealed = await unit.vault.seal(event.id, event.content)
    return replace(event, content={"sealed": b64encode(sealed).decode()})
