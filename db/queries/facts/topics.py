"""Topics of a person's conversations."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Topic
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class TopicRow:
    name: str
    count: int
    last_seen: datetime


async def topics_of(session: AsyncSession, viewer: Viewer) -> Sequence[TopicRow]:
    """The viewer's topics, most frequent first."""
    query = select(Topic.name, Topic.count, Topic.last_seen).where(*_own(viewer))
    rows = await session.execute(query.order_by(Topic.count.desc(), Topic.last_seen.desc(), Topic.name))
    return [TopicRow(*row) for row in rows]


async def put_topics(session: AsyncSession, viewer: Viewer, topics: Sequence[TopicRow]) -> None:
    """Replace the viewer's topics."""
    await session.execute(delete(Topic).where(*_own(viewer)))
    key = {"tenant_id": viewer.tenant, "user_id": viewer.person}
    if topics:
        await session.execute(
            insert(Topic),
            [{**key, "name": topic.name, "count": topic.count, "last_seen": topic.last_seen} for topic in topics],
        )


def _own(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return Topic.tenant_id == viewer.tenant, Topic.user_id == viewer.person
