"""Handoffs from one agent to another, and which ids a viewer may follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

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
COLUMNS: tuple[Any, ...] = (
    Handoff.id,
    Handoff.user_id.label("owner"),
    Handoff.sensitivity,
    Handoff.ts,
    Handoff.from_agent,
    Handoff.to_agent,
    Handoff.packet,
    Handoff.token_est,
    Handoff.refs,
)


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


async def add_handoff(session: AsyncSession, viewer: Viewer, **values: Any) -> None:
    scope = {
        "tenant_id": viewer.tenant,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": viewer.channel,
    }
    await session.execute(insert(Handoff).values(**scope, **values))


async def handoff(session: AsyncSession, viewer: Viewer, handoff_id: str) -> HandoffRow | None:
    found = await _rows(session, _selected(viewer).where(Handoff.id == handoff_id))
    return found[0] if found else None


async def latest_for(session: AsyncSession, viewer: Viewer, to_agent: str) -> HandoffRow | None:
    query = _selected(viewer).where(Handoff.to_agent == to_agent)
    found = await _rows(session, query.order_by(Handoff.ts.desc(), Handoff.id.desc()).limit(1))
    return found[0] if found else None


async def own_handoffs(session: AsyncSession, viewer: Viewer) -> Sequence[HandoffRow]:
    return await _rows(session, _selected(viewer).where(Handoff.user_id == viewer.person).order_by(Handoff.id))


async def remove_handoffs(session: AsyncSession, viewer: Viewer, handoff_ids: Sequence[str]) -> None:
    mine = (Handoff.tenant_id == viewer.tenant, Handoff.user_id == viewer.person)
    await session.execute(delete(Handoff).where(*mine, Handoff.id.in_(handoff_ids)))


async def visible(session: AsyncSession, viewer: Viewer, refs: Sequence[str]) -> set[str]:
    """Those of these ids that name something which this viewer may read; a short one names a fact."""
    asked: dict[Any, list[str]] = {}
    for ref in refs:
        asked.setdefault(NAMED.get(ref[:3]) if ref[3:4] == "_" else Fact, []).append(ref)
    asked.pop(None, None)
    found: set[str] = set()
    for table, ids in asked.items():
        query = select(table.id).where(table.tenant_id == viewer.tenant, table.id.in_(ids))
        query = query.where(Fact.deleted_at.is_(None)) if table is Fact else query
        found |= set((await session.execute(query)).scalars())
    return found


def _selected(viewer: Viewer) -> Select[Any]:
    return select(*COLUMNS).where(Handoff.tenant_id == viewer.tenant)


async def _rows(session: AsyncSession, query: Select[Any]) -> Sequence[HandoffRow]:
    return [
        HandoffRow(**{**found._asdict(), "sensitivity": Sensitivity(found.sensitivity)})
        for found in await session.execute(query)
    ]
