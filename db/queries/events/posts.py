"""Where events stand as messages in chats outside."""

from collections.abc import Sequence

from sqlalchemy import func, literal, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Event, Post
from db.viewer import Viewer


async def add_post(session: AsyncSession, viewer: Viewer, chat: str, message_id: int, event_id: str) -> None:
    """This message is that event. An event that its own author may not read here, because it is too sensitive for the
    channel, stands nowhere."""
    seen = select(literal(viewer.tenant), literal(chat), literal(message_id), literal(viewer.person), Event.id).where(
        Event.tenant_id == viewer.tenant, Event.id == event_id
    )
    columns = [Post.tenant_id, Post.chat, Post.message_id, Post.user_id, Post.event_id]
    await session.execute(insert(Post).from_select(columns, seen).on_conflict_do_nothing())


async def event_at(session: AsyncSession, viewer: Viewer, chat: str, message_id: int) -> str | None:
    """The event that this message is."""
    query = select(Post.event_id).where(
        Post.tenant_id == viewer.tenant, Post.chat == chat, Post.message_id == message_id
    )
    return (await session.execute(query)).scalar_one_or_none()


async def places_of(session: AsyncSession, viewer: Viewer, events: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Chat and message of each of these events that stands somewhere; of several messages the first."""
    query = (
        select(Post.event_id, Post.chat, func.min(Post.message_id))
        .where(Post.tenant_id == viewer.tenant, Post.event_id.in_(events))
        .group_by(Post.event_id, Post.chat)
    )
    return {event: (chat, message) for event, chat, message in await session.execute(query)}


async def last_message_of(session: AsyncSession, viewer: Viewer, event_id: str) -> int | None:
    """The last of the messages that are this event."""
    query = select(func.max(Post.message_id)).where(Post.tenant_id == viewer.tenant, Post.event_id == event_id)
    return (await session.execute(query)).scalar_one()
