"""What a person's conversations are about."""

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
    """The most spoken of first."""
    query = select(Topic.name, Topic.count, Topic.last_seen).where(*_own(viewer))
    found = await session.execute(query.order_by(Topic.count.desc(), Topic.last_seen.desc(), Topic.name))
    return [TopicRow(*row) for row in found]


async def put_topics(session: AsyncSession, viewer: Viewer, topics: Sequence[TopicRow]) -> None:
    """These are the viewer's topics from now on, and no others."""
    await session.execute(delete(Topic).where(*_own(viewer)))
    key = {"tenant_id": viewer.tenant, "user_id": viewer.person}
    if topics:
        await session.execute(
            insert(Topic),
            [{**key, "name": each.name, "count": each.count, "last_seen": each.last_seen} for each in topics],
        )


def _own(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return Topic.tenant_id == viewer.tenant, Topic.user_id == viewer.person
