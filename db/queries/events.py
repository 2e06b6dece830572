"""Conversations and what was said in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Conversation, Event
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind, Sensitivity


@dataclass(frozen=True, slots=True)
class NewEvent:
    id: str
    ts: datetime
    actor_type: ActorType
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    refs: tuple[str, ...] = ()
    sensitivity: Sensitivity = Sensitivity.NONE


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message; `content` holds its `text`, or is `sealed`."""

    event_id: str
    user: str
    actor_type: ActorType
    content: dict[str, Any]
    ts: datetime


async def start_conversation(
    session: AsyncSession, viewer: Viewer, *, conversation_id: str, agent_id: str, now: datetime
) -> None:
    await session.execute(
        insert(Conversation).values(
            tenant_id=viewer.tenant,
            id=conversation_id,
            space_id=viewer.place,
            user_id=viewer.person,
            channel=viewer.channel,
            agent_id=agent_id,
            started_at=now,
        )
    )


async def append_events(
    session: AsyncSession, viewer: Viewer, conversation_id: str, events: Sequence[NewEvent]
) -> None:
    """Add events at the end of a conversation; the database numbers them and knows its space and channel."""
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
                "sensitivity": event.sensitivity,
            }
            for event in events
        ],
    )


async def content_of(session: AsyncSession, viewer: Viewer, event_id: str) -> dict[str, Any] | None:
    """What one of the viewer's own events holds."""
    found = await session.execute(
        select(Event.content).where(
            Event.tenant_id == viewer.tenant, Event.user_id == viewer.person, Event.id == event_id
        )
    )
    return found.scalar_one_or_none()


async def replace_by_sealed(session: AsyncSession, event_id: str, sealed: str) -> None:
    await session.execute(text("SELECT wall.seal_event(:id, :sealed)").bindparams(id=event_id, sealed=sealed))


async def last_messages(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, limit: int
) -> Sequence[MessageRow]:
    """The newest messages of a conversation that this viewer may read, oldest first."""
    newest = (
        select(Event.id, Event.user_id, Event.actor_type, Event.content, Event.ts)
        .where(
            Event.tenant_id == viewer.tenant,
            Event.conversation_id == conversation_id,
            Event.kind == EventKind.MESSAGE,
        )
        .order_by(Event.message_seq.desc())
        .limit(limit)
    )
    rows = (await session.execute(newest)).all()
    return [MessageRow(id, user, ActorType(actor), content, ts) for id, user, actor, content, ts in reversed(rows)]
