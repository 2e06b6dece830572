"""The pinned snapshot of a conversation: which facts it began with, and what changed since."""

from collections.abc import Sequence

from sqlalchemy import and_, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts import FactRow, newest, rows, selected
from db.tables import Conversation, Fact, FactVersion, SnapshotItem
from db.viewer import Viewer


async def pin(session: AsyncSession, viewer: Viewer, conversation_id: str, facts: Sequence[FactRow]) -> None:
    """Make these the snapshot of a conversation."""
    if facts:
        key = {"tenant_id": viewer.tenant, "conversation_id": conversation_id}
        items = [{**key, "fact_id": row.id, "version": row.version} for row in facts]
        await session.execute(insert(SnapshotItem), items)


async def pinned_facts(session: AsyncSession, viewer: Viewer, conversation_id: str) -> Sequence[FactRow]:
    """The snapshot of a conversation, without what was deleted or hidden from this viewer since."""
    query = (
        selected(viewer)
        .join(
            SnapshotItem,
            and_(
                SnapshotItem.tenant_id == FactVersion.tenant_id,
                SnapshotItem.fact_id == FactVersion.fact_id,
                SnapshotItem.version == FactVersion.version,
            ),
        )
        .where(SnapshotItem.conversation_id == conversation_id, Fact.deleted_at.is_(None))
        .order_by(Fact.category, Fact.created_at, Fact.id)
    )
    return await rows(session, query)


async def facts_changed_since_pinned(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, limit: int
) -> Sequence[FactRow]:
    """What was stored or changed since the snapshot was pinned, in snapshot order."""
    began = select(Conversation.started_at).where(
        Conversation.tenant_id == viewer.tenant, Conversation.id == conversation_id
    )
    stands_there = select(SnapshotItem.fact_id).where(
        SnapshotItem.tenant_id == FactVersion.tenant_id,
        SnapshotItem.conversation_id == conversation_id,
        SnapshotItem.fact_id == FactVersion.fact_id,
        SnapshotItem.version == FactVersion.version,
    )
    query = newest(viewer).where(
        Fact.deleted_at.is_(None), FactVersion.created_at >= began.scalar_subquery(), ~stands_there.exists()
    )
    return await rows(session, query.limit(limit))
