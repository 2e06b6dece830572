"""Events: messages and actions in conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, func, insert, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.functions import Function

from db.tables import Event, Summary
from db.tables.events import IMPORTED, SECONDHAND
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Sensitivity, SummaryStatus


@dataclass(frozen=True, slots=True)
class NewEvent:
    id: str
    ts: datetime
    actor_type: ActorType
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    refs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sensitivity: Sensitivity = Sensitivity.NONE
    update_id: int | None = None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message; `content` holds its `text`, or is `sealed`."""

    event_id: str
    user: str
    actor_type: ActorType
    actor_id: str
    content: dict[str, Any]
    ts: datetime


async def append_events(
    session: AsyncSession, viewer: Viewer, conversation_id: str, events: Sequence[NewEvent]
) -> None:
    """Append events to a conversation. The database numbers them and sets their space and channel."""
    if not events:
        return
    await session.execute(
        insert(Event),
        [
            {
                "tenant_id": viewer.tenant,
                "conversation_id": conversation_id,
                "user_id": viewer.person,
                "id": event.id,
                "ts": event.ts,
                "actor_type": event.actor_type,
                "actor_id": event.actor_id,
                "kind": event.kind,
                "content": event.content,
                "refs": list(event.refs),
                "tags": list(event.tags),
                "sensitivity": event.sensitivity,
                "update_id": event.update_id,
            }
            for event in events
        ],
    )


async def is_recorded(session: AsyncSession, viewer: Viewer, event_id: str) -> bool:
    query = select(Event.id).where(Event.tenant_id == viewer.tenant, Event.id == event_id)
    return (await session.execute(query)).first() is not None


async def recorded_among(session: AsyncSession, viewer: Viewer, ids: Sequence[str]) -> dict[str, Sensitivity]:
    """The viewer's own events among these ids, with their sensitivity."""
    query = select(Event.id, Event.sensitivity).where(
        Event.tenant_id == viewer.tenant, Event.user_id == viewer.person, Event.id.in_(ids)
    )
    return {id: Sensitivity(level) for id, level in await session.execute(query)}


async def event_of_update(session: AsyncSession, viewer: Viewer, update_id: int) -> str | None:
    """The event of an update, if it is recorded."""
    query = select(Event.id).where(Event.tenant_id == viewer.tenant, Event.update_id == update_id)
    return (await session.execute(query)).scalar_one_or_none()


@dataclass(frozen=True, slots=True)
class EventRow:
    user: str
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    ts: datetime
    refs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def is_reported(self) -> bool:
        """True if an agent recorded it, no matter who said it. The owner's imports do not count."""
        return SECONDHAND in self.tags and IMPORTED not in self.tags


async def event_row(session: AsyncSession, viewer: Viewer, event_id: str) -> EventRow | None:
    """One event that this viewer may read."""
    return (await event_rows(session, viewer, [event_id])).get(event_id)


async def event_rows(session: AsyncSession, viewer: Viewer, event_ids: Sequence[str]) -> dict[str, EventRow]:
    """The events among these that this viewer may read."""
    rows = await session.execute(_rows().where(Event.tenant_id == viewer.tenant, Event.id.in_(event_ids)))
    return {row[0]: _event(*row[1:]) for row in rows}


async def explained_replies(
    session: AsyncSession, viewer: Viewer, *, before: tuple[datetime, str] | None, limit: int
) -> Sequence[tuple[str, EventRow]]:
    """Replies of agents to this viewer that name their bundle, newest first. `before` is the last one read so far."""
    ref = func.unnest(Event.refs).column_valued("ref")
    rests_on = select(ref).where(ref.startswith("acb_", autoescape=True)).correlate(Event)
    query = (
        _rows()
        .where(Event.tenant_id == viewer.tenant, Event.user_id == viewer.person)
        .where(Event.kind == EventKind.MESSAGE, Event.actor_type == ActorType.AGENT, rests_on.exists())
        .order_by(Event.ts.desc(), Event.id.desc())
        .limit(limit)
    )
    if before is not None:
        query = query.where(tuple_(Event.ts, Event.id) < before)
    return [(row[0], _event(*row[1:])) for row in await session.execute(query)]


async def last_reply(session: AsyncSession, viewer: Viewer, conversation_id: str) -> str | None:
    """The agent's newest message to this viewer in a conversation."""
    query = (
        select(Event.id)
        .where(Event.tenant_id == viewer.tenant, Event.conversation_id == conversation_id)
        .where(Event.kind == EventKind.MESSAGE, Event.actor_type == ActorType.AGENT)
        .where(Event.user_id == viewer.person)
        .order_by(Event.message_seq.desc())
        .limit(1)
    )
    return (await session.execute(query)).scalar_one_or_none()


async def content_of(session: AsyncSession, viewer: Viewer, event_id: str) -> dict[str, Any] | None:
    """The content of one of the viewer's own events."""
    result = await session.execute(
        select(Event.content).where(
            Event.tenant_id == viewer.tenant, Event.user_id == viewer.person, Event.id == event_id
        )
    )
    return result.scalar_one_or_none()


async def replace_by_sealed(session: AsyncSession, event_id: str, sealed: str) -> None:
    await session.execute(text("SELECT wall.seal_event(:id, :sealed)").bindparams(id=event_id, sealed=sealed))


async def window_messages(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, window: int, step: int
) -> Sequence[MessageRow]:
    """The messages after the latest summary, oldest first. If they exceed the window, the oldest are left out
    in whole steps, so the first message changes only once per step."""
    start = _window_start(viewer, conversation_id, window=window, step=step)
    query = (
        _messages()
        .where(*_of(viewer, conversation_id), Event.kind == EventKind.MESSAGE, Event.message_seq >= start)
        .order_by(Event.message_seq)
        .limit(window + step)
    )
    return [_message(row) for row in await session.execute(query)]


def window_began(viewer: Viewer, conversation_id: str, *, window: int, step: int) -> ScalarSelect[datetime]:
    """The time of the first message in the window, as a subquery."""
    start = _window_start(viewer, conversation_id, window=window, step=step)
    return (
        select(Event.ts)
        .where(*_of(viewer, conversation_id), Event.kind == EventKind.MESSAGE, Event.message_seq >= start)
        .order_by(Event.message_seq)
        .limit(1)
        .scalar_subquery()
    )


def _of(viewer: Viewer, conversation_id: str) -> tuple[ColumnElement[bool], ...]:
    return Event.tenant_id == viewer.tenant, Event.conversation_id == conversation_id


def _window_start(viewer: Viewer, conversation_id: str, *, window: int, step: int) -> Function[int]:
    count = select(func.max(Event.message_seq) + 1).where(*_of(viewer, conversation_id)).scalar_subquery()
    summarised = (
        select(func.max(Summary.end_seq) + 1)
        .where(
            Summary.tenant_id == viewer.tenant,
            Summary.conversation_id == conversation_id,
            Summary.status == SummaryStatus.COMPLETED,
        )
        .scalar_subquery()
    )
    too_many = func.greatest(count - window, 0)
    return func.greatest(func.coalesce(summarised, 0), (too_many + step - 1) // step * step)


async def last_messages(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, limit: int
) -> Sequence[MessageRow]:
    """The newest messages of a conversation that this viewer may read, oldest first."""
    newest = (
        _messages()
        .where(
            Event.tenant_id == viewer.tenant,
            Event.conversation_id == conversation_id,
            Event.kind == EventKind.MESSAGE,
        )
        .order_by(Event.message_seq.desc())
        .limit(limit)
    )
    rows = (await session.execute(newest)).all()
    return [_message(row) for row in reversed(rows)]


async def own_sayings(
    session: AsyncSession, viewer: Viewer, *, after: tuple[datetime, str] | None, limit: int
) -> Sequence[MessageRow]:
    """Messages and tool calls of the viewer's own turns, oldest first. `after` is the last one read so far."""
    query = (
        _messages()
        .where(Event.tenant_id == viewer.tenant, Event.user_id == viewer.person)
        .where(Event.kind.in_((EventKind.MESSAGE, EventKind.TOOL_CALL, EventKind.TOOL_RESULT)))
        .order_by(Event.ts, Event.id)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(Event.ts, Event.id) > after)
    return [_message(row) for row in await session.execute(query)]


def _messages() -> Select[Any]:
    return select(Event.id, Event.user_id, Event.actor_type, Event.actor_id, Event.content, Event.ts)


def _message(row: Any) -> MessageRow:
    id, user, actor_type, actor_id, content, ts = row
    return MessageRow(id, user, ActorType(actor_type), actor_id, content, ts)


def _rows() -> Select[Any]:
    return select(Event.id, Event.user_id, Event.actor_id, Event.kind, Event.content, Event.ts, Event.refs, Event.tags)


def _event(
    user: str,
    actor: str,
    kind: str,
    content: dict[str, Any],
    ts: datetime,
    refs: Sequence[str],
    tags: Sequence[str],
) -> EventRow:
    return EventRow(user, actor, EventKind(kind), content, ts, tuple(refs), tuple(tags))
