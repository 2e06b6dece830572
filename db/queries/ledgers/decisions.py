"""Decisions, with their grounds and the decisions they superseded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, cast, func, or_, select, tuple_
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts.facts import BLANK
from db.queries.ledgers.ledger_rows import Ledger
from db.tables import Decision
from db.viewer import Viewer
from db.vocabulary import Channel, DecisionScope, DecisionStatus, Sensitivity


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """`decision` is None while it is sealed."""

    id: str
    owner: str
    space: str
    channel: Channel
    sensitivity: Sensitivity
    ts: datetime
    status: DecisionStatus
    scope: DecisionScope
    decision: str | None
    rationale: Sequence[str]
    constraints: Sequence[str]
    alternatives: Sequence[str]
    consequences: Sequence[str]
    refs: Sequence[str]
    supersedes: str | None
    superseded_by: str | None
    event_id: str | None
    sealed: bytes | None

    @property
    def words(self) -> str:
        return self.decision or BLANK

    @property
    def grounds(self) -> list[str]:
        return [*self.rationale, *self.constraints, *self.alternatives, *self.consequences]


LEDGER = Ledger(Decision, DecisionRow, status=DecisionStatus, scope=DecisionScope)


async def relevant_decisions(
    session: AsyncSession, viewer: Viewer, event_ids: Sequence[str], *, limit: int
) -> Sequence[DecisionRow]:
    """Active decisions: first those made by these events, in this order, then the newest."""
    rank = func.array_position(cast(list(event_ids), ARRAY(Text)), Decision.event_id)
    query = LEDGER.visible(viewer).where(Decision.status == DecisionStatus.ACTIVE)
    query = query.order_by(rank.nulls_last(), Decision.ts.desc(), Decision.id.desc())
    return await LEDGER.rows(session, query.limit(limit))


async def add_decision(session: AsyncSession, viewer: Viewer, **values: Any) -> None:
    """Add a decision. The database marks the one it supersedes, or refuses."""
    await LEDGER.add(session, viewer, values)


async def decision(session: AsyncSession, viewer: Viewer, decision_id: str) -> DecisionRow | None:
    return await LEDGER.by_id(session, viewer, decision_id)


async def decisions(
    session: AsyncSession,
    viewer: Viewer,
    *,
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int,
) -> Sequence[DecisionRow]:
    """Decisions this viewer may read, newest first. `after` is the time and id of the last one on the previous page."""
    query = LEDGER.visible(viewer).where(*_such(status, scope))
    if after is not None:
        query = query.where(tuple_(Decision.ts, Decision.id) < after)
    return await LEDGER.rows(session, query.order_by(Decision.ts.desc(), Decision.id.desc()).limit(limit))


async def count_decisions(
    session: AsyncSession, viewer: Viewer, *, status: DecisionStatus | None = None, scope: DecisionScope | None = None
) -> int:
    query = select(func.count()).where(Decision.tenant_id == viewer.tenant, *_such(status, scope))
    return (await session.execute(query)).scalar_one()


async def chain_of(session: AsyncSession, viewer: Viewer, decision_id: str) -> Sequence[DecisionRow]:
    """A decision and its chain of superseded ones, as far as this viewer may read them, newest first."""
    link = select(Decision.id, Decision.supersedes).where(Decision.tenant_id == viewer.tenant)
    chain = link.where(Decision.id == decision_id).cte("chain", recursive=True)
    chain = chain.union(link.where(Decision.id == chain.c.supersedes))
    rows = await LEDGER.rows(session, LEDGER.visible(viewer).where(Decision.id.in_(select(chain.c.id))))
    row_by_id = {row.id: row for row in rows}
    ordered, next_id = [], decision_id
    while row := row_by_id.pop(next_id, None):
        ordered.append(row)
        next_id = row.supersedes or ""
    return ordered


async def own_decisions(session: AsyncSession, viewer: Viewer) -> Sequence[DecisionRow]:
    return await LEDGER.own(session, viewer)


async def remove_decisions(
    session: AsyncSession, viewer: Viewer, decision_ids: Sequence[str], *, of_events: Sequence[str] = ()
) -> Sequence[str]:
    """Remove these decisions of the viewer, and those made by these events. Return their ids."""
    condition = or_(Decision.id.in_(decision_ids), Decision.event_id.in_(of_events))
    return await LEDGER.remove(session, viewer, condition)


def _such(status: DecisionStatus | None, scope: DecisionScope | None) -> list[ColumnElement[bool]]:
    filters = ((Decision.status, status), (Decision.scope, scope))
    return [column == value for column, value in filters if value is not None]
