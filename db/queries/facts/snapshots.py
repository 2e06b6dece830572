"""The pinned snapshot of a conversation: which facts it began with, and what changed since."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ScalarSelect, and_, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts.facts import FactRow, newest, rows, selected
from db.tables import Fact, FactVersion, SnapshotItem
from db.viewer import Viewer

PINNED = and_(
    SnapshotItem.tenant_id == FactVersion.tenant_id,
    SnapshotItem.fact_id == FactVersion.fact_id,
    SnapshotItem.version == FactVersion.version,
)


async def pin(
    session: AsyncSession, viewer: Viewer, conversation_id: str, facts: Sequence[FactRow], *, shown: frozenset[str]
) -> None:
    """Pin the facts that a conversation begins with. Those in `shown` appear in its prompt."""
    if facts:
        key = {"tenant_id": viewer.tenant, "conversation_id": conversation_id}
        items = [{**key, "fact_id": row.id, "version": row.version, "shown": row.id in shown} for row in facts]
        await session.execute(insert(SnapshotItem), items)


async def pinned_facts(session: AsyncSession, viewer: Viewer, conversation_id: str) -> Sequence[FactRow]:
    """The snapshot of a conversation, without facts deleted or hidden from this viewer since."""
    query = (
        selected(viewer)
        .join(SnapshotItem, PINNED)
        .where(SnapshotItem.conversation_id == conversation_id, SnapshotItem.shown, Fact.deleted_at.is_(None))
        .order_by(Fact.category, Fact.created_at, Fact.id)
    )
    return await rows(session, query)


async def unshown_facts(session: AsyncSession, viewer: Viewer, conversation_id: str, *, limit: int) -> Sequence[str]:
    """Ids of the facts that did not fit into the snapshot when it was pinned."""
    query = (
        select(Fact.id)
        .join(SnapshotItem, and_(SnapshotItem.tenant_id == Fact.tenant_id, SnapshotItem.fact_id == Fact.id))
        .where(Fact.tenant_id == viewer.tenant, SnapshotItem.conversation_id == conversation_id)
        .where(~SnapshotItem.shown, Fact.deleted_at.is_(None))
        .order_by(Fact.category, Fact.created_at, Fact.id)
        .limit(limit)
    )
    return (await session.execute(query)).scalars().all()


async def facts_changed_since_pinned(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, limit: int
) -> Sequence[FactRow]:
    """Facts stored or changed since the snapshot was pinned, in snapshot order."""
    began_with = select(SnapshotItem.fact_id).where(PINNED, SnapshotItem.conversation_id == conversation_id)
    query = newest(viewer).where(Fact.deleted_at.is_(None), ~began_with.exists())
    return await rows(session, query.limit(limit))


async def facts_changed_before(
    session: AsyncSession, viewer: Viewer, conversation_id: str, moment: ScalarSelect[datetime], *, limit: int
) -> Sequence[FactRow]:
    """Facts stored or changed after the snapshot was pinned and before a moment, as they stood then."""
    began_with = select(SnapshotItem.fact_id).where(PINNED, SnapshotItem.conversation_id == conversation_id)
    then = newest(viewer, FactVersion.created_at < moment, ~FactVersion.forgotten)
    return await rows(session, then.where(Fact.deleted_at.is_(None), ~began_with.exists()).limit(limit))
