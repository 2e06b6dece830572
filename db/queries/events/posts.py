"""Links between events and their messages in external chats."""

from collections.abc import Sequence

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Event, Post
from db.viewer import Viewer


async def add_post(session: AsyncSession, viewer: Viewer, chat: str, message_id: int, event_id: str) -> None:
    """Link a message to its event, unless the event is too sensitive for the viewer to read in this channel."""
    row = select(literal(viewer.tenant), literal(chat), literal(message_id), literal(viewer.person), Event.id).where(
        Event.tenant_id == viewer.tenant, Event.id == event_id
    )
    columns = [Post.tenant_id, Post.chat, Post.message_id, Post.user_id, Post.event_id]
    await session.execute(insert(Post).from_select(columns, row).on_conflict_do_nothing())


async def event_at(session: AsyncSession, viewer: Viewer, chat: str, message_id: int) -> str | None:
    """The event of this message."""
    query = select(Post.event_id).where(
        Post.tenant_id == viewer.tenant, Post.chat == chat, Post.message_id == message_id
    )
    return (await session.execute(query)).scalar_one_or_none()


async def places_of(session: AsyncSession, viewer: Viewer, events: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Chat and first message of each of these events that has one."""
    query = (
        select(Post.event_id, Post.chat, func.min(Post.message_id))
        .where(Post.tenant_id == viewer.tenant, Post.event_id.in_(events))
        .group_by(Post.event_id, Post.chat)
    )
    return {event: (chat, message) for event, chat, message in await session.execute(query)}


async def last_message_of(session: AsyncSession, viewer: Viewer, event_id: str) -> int | None:
    """The last message of this event."""
    query = select(func.max(Post.message_id)).where(Post.tenant_id == viewer.tenant, Post.event_id == event_id)
    return (await session.execute(query)).scalar_one()
