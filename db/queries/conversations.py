"""Conversations: where they are held, begun and ended."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, text, update
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
