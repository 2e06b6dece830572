"""Conversations: started, looked up and ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Conversation, Event
from db.viewer import Viewer
from db.vocabulary import Channel


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """`kept` is False if nothing of it is stored. `last_at` is the time of its last event, or of its start."""

    id: str
    space: str
    channel: Channel
    kept: bool
    last_at: datetime


async def conversation_exists(session: AsyncSession, viewer: Viewer, conversation_id: str) -> bool:
    query = select(Conversation.id).where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
    return (await session.execute(query)).first() is not None


async def start_once(
    session: AsyncSession, viewer: Viewer, *, conversation_id: str, agent_id: str, now: datetime
) -> bool:
    """Start the conversation. Return False if it exists. Waits for a concurrent start."""
    inserted = await session.execute(
        upsert(Conversation)
        .values(
            tenant_id=viewer.tenant,
            id=conversation_id,
            space_id=viewer.place,
            user_id=viewer.person,
            channel=viewer.channel,
            agent_id=agent_id,
            started_at=now,
        )
        .on_conflict_do_nothing()
        .returning(Conversation.id)
    )
    return inserted.first() is not None


async def start_conversation(
    session: AsyncSession,
    viewer: Viewer,
    *,
    conversation_id: str,
    agent_id: str,
    now: datetime,
    chat: str | None = None,
    kept: bool = True,
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
            chat=chat,
            kept=kept,
        )
    )


async def keep_imported(
    session: AsyncSession,
    viewer: Viewer,
    *,
    conversation_id: str,
    agent_id: str,
    started_at: datetime,
    ended_at: datetime,
) -> None:
    """Store an imported conversation, which is over. If it is here already, it may have a later end."""
    new = upsert(Conversation).values(
        tenant_id=viewer.tenant,
        id=conversation_id,
        space_id=viewer.place,
        user_id=viewer.person,
        channel=viewer.channel,
        agent_id=agent_id,
        started_at=started_at,
        ended_at=ended_at,
    )
    later = func.greatest(Conversation.ended_at, new.excluded.ended_at)
    await session.execute(
        new.on_conflict_do_update(index_elements=[Conversation.tenant_id, Conversation.id], set_={"ended_at": later})
    )


async def open_conversation(session: AsyncSession, viewer: Viewer, chat: str) -> ConversationRow | None:
    """The open conversation of a chat."""
    last_at = (
        select(func.max(Event.ts))
        .where(Event.tenant_id == viewer.tenant, Event.conversation_id == Conversation.id)
        .where(Event.seq == Conversation.next_seq - 1)
        .scalar_subquery()
    )
    query = select(
        Conversation.id,
        Conversation.space_id,
        Conversation.channel,
        Conversation.kept,
        func.coalesce(last_at, Conversation.started_at),
    ).where(Conversation.tenant_id == viewer.tenant, Conversation.chat == chat, Conversation.ended_at.is_(None))
    row = (await session.execute(query)).one_or_none()
    return None if row is None else ConversationRow(row[0], row[1], Channel(row[2]), row[3], row[4])


async def end_conversation(session: AsyncSession, viewer: Viewer, conversation_id: str, now: datetime) -> None:
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
        .where(Conversation.ended_at.is_(None))
        .values(ended_at=now)
    )


async def private_chats(session: AsyncSession) -> Sequence[str]:
    """Chats in which nothing is stored at present. For `Viewer.nobody`."""
    return (await session.execute(text("SELECT chat FROM wall.private_chats()"))).scalars().all()
