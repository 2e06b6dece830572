"""Conversations: where they are held, begun and ended."""

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
    """`kept` is false where nothing of it is written down; `last_at` is when something was said or done last."""

    id: str
    space: str
    channel: Channel
    kept: bool
    last_at: datetime


async def is_begun(session: AsyncSession, viewer: Viewer, conversation_id: str) -> bool:
    query = select(Conversation.id).where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
    return (await session.execute(query)).first() is not None


async def start_once(
    session: AsyncSession, viewer: Viewer, *, conversation_id: str, agent_id: str, now: datetime
) -> bool:
    """Whether it was this call that began the conversation; another one that does so at the same time is waited for."""
    begun = await session.execute(
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
    return begun.first() is not None


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
    """A conversation that was held elsewhere and is over; one that is here already may have gone on there."""
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
    """The conversation that goes on in a chat."""
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
    found = (await session.execute(query)).one_or_none()
    return None if found is None else ConversationRow(found[0], found[1], Channel(found[2]), found[3], found[4])


async def end_conversation(session: AsyncSession, viewer: Viewer, conversation_id: str, now: datetime) -> None:
    await session.execute(
        update(Conversation)
        .where(Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id)
        .where(Conversation.ended_at.is_(None))
        .values(ended_at=now)
    )


async def private_chats(session: AsyncSession) -> Sequence[str]:
    """Chats in which nothing is kept just now, for a viewer who is nobody."""
    return (await session.execute(text("SELECT chat FROM wall.private_chats()"))).scalars().all()
