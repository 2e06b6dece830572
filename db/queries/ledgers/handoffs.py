"""Handoffs from one agent to another, and the ids that a viewer may follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.ledgers.ledger_rows import Ledger
from db.tables import Artifact, Chunk, Decision, Event, Fact, Handoff, Summary, Task
from db.viewer import Viewer
from db.vocabulary import Sensitivity

NAMED = {
    "evt": Event,
    "chk": Chunk,
    "art": Artifact,
    "dec": Decision,
    "tsk": Task,
    "sum": Summary,
    "hnd": Handoff,
}


@dataclass(frozen=True, slots=True)
class HandoffRow:
    id: str
    owner: str
    sensitivity: Sensitivity
    ts: datetime
    from_agent: str
    to_agent: str
    packet: dict[str, Any]
    token_est: int
    refs: Sequence[str]


LEDGER = Ledger(Handoff, HandoffRow)


async def add_handoff(session: AsyncSession, viewer: Viewer, **values: Any) -> None:
    await LEDGER.add(session, viewer, values)


async def handoff(session: AsyncSession, viewer: Viewer, handoff_id: str) -> HandoffRow | None:
    return await LEDGER.by_id(session, viewer, handoff_id)


async def latest_for(session: AsyncSession, viewer: Viewer, to_agent: str) -> HandoffRow | None:
    query = LEDGER.visible(viewer).where(Handoff.to_agent == to_agent)
    return await LEDGER.first(session, query.order_by(Handoff.ts.desc(), Handoff.id.desc()).limit(1))


async def own_handoffs(session: AsyncSession, viewer: Viewer) -> Sequence[HandoffRow]:
    return await LEDGER.own(session, viewer)


async def remove_handoffs(session: AsyncSession, viewer: Viewer, handoff_ids: Sequence[str]) -> None:
    await LEDGER.remove(session, viewer, Handoff.id.in_(handoff_ids))


async def visible(session: AsyncSession, viewer: Viewer, refs: Sequence[str]) -> set[str]:
    """The ids among these whose rows this viewer may read. An id without a prefix names a fact."""
    ids_by_table: dict[Any, list[str]] = {}
    for ref in refs:
        ids_by_table.setdefault(NAMED.get(ref[:3]) if ref[3:4] == "_" else Fact, []).append(ref)
    ids_by_table.pop(None, None)
    visible_ids: set[str] = set()
    for table, ids in ids_by_table.items():
        query = select(table.id).where(table.tenant_id == viewer.tenant, table.id.in_(ids))
        query = query.where(Fact.deleted_at.is_(None)) if table is Fact else query
        visible_ids |= set((await session.execute(query)).scalars())
    return visible_ids
