"""The cost of model calls: stored call by call, reported as sums by model."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Date, cast, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Usage
from db.viewer import Viewer


@dataclass(frozen=True, slots=True)
class UsageRow:
    id: str
    ts: datetime
    model: str
    purpose: str
    input_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    output_tokens: int
    cost_microdollars: int | None
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of one model. `cost_microdollars` covers the calls with a known price; `unpriced` counts the others."""

    model: str
    calls: int
    input_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    output_tokens: int
    cost_microdollars: int | None
    unpriced: int
    milliseconds: int


async def add_usage(
    session: AsyncSession, viewer: Viewer, conversation_id: str | None, rows: Sequence[UsageRow]
) -> None:
    scope = {"tenant_id": viewer.tenant, "user_id": viewer.person, "conversation_id": conversation_id}
    if rows:
        await session.execute(insert(Usage), [{**scope, **asdict(row)} for row in rows])


async def usage_of(session: AsyncSession, viewer: Viewer, since: datetime) -> Sequence[Sums]:
    """The viewer's own usage by model."""
    query = select(*_sums()).where(*_own(viewer, since)).group_by(Usage.model).order_by(Usage.model)
    return [Sums(*tuple(row)) for row in await session.execute(query)]


async def usage_by_day(
    session: AsyncSession, viewer: Viewer, since: datetime, timezone: str
) -> Sequence[tuple[date, Sums]]:
    """The viewer's own usage by day (in this timezone) and model, oldest first."""
    day = cast(func.timezone(timezone, Usage.ts), Date)
    query = select(day, *_sums()).where(*_own(viewer, since)).group_by(day, Usage.model).order_by(day, Usage.model)
    return [(row[0], Sums(*tuple(row)[1:])) for row in await session.execute(query)]


async def usage_of_all(session: AsyncSession, since: datetime) -> Sequence[Sums]:
    """The usage of all users by model. For `Viewer.nobody`."""
    query = text("SELECT * FROM wall.usage_sums(:since)").bindparams(since=since)
    return [Sums(*row) for row in await session.execute(query)]


def _own(viewer: Viewer, since: datetime) -> tuple[ColumnElement[bool], ...]:
    return Usage.tenant_id == viewer.tenant, Usage.user_id == viewer.person, Usage.ts >= since


def _sums() -> tuple[Any, ...]:
    """The columns of `Sums`."""
    columns = (
        Usage.input_tokens,
        Usage.cache_read_tokens,
        Usage.cache_write_tokens,
        Usage.output_tokens,
        Usage.cost_microdollars,
    )
    return (
        Usage.model,
        func.count(),
        *(cast(func.sum(column), BigInteger) for column in columns),
        func.count().filter(Usage.cost_microdollars.is_(None)),
        cast(func.sum(Usage.milliseconds), BigInteger),
    )
