"""Statistics of a person's own facts: changes by day, counts by category, and recalls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Date, cast, func, select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts.facts import FactRow, newest, rows
from db.tables import Fact, FactVersion
from db.viewer import Viewer
from db.vocabulary import Category


@dataclass(frozen=True, slots=True)
class ChangesOfDay:
    """The net changes of one day. A fact stored and deleted on the same day does not count."""

    day: date
    new: int
    changed: int
    gone: int


async def changes_by_day(session: AsyncSession, viewer: Viewer, timezone: str) -> Sequence[ChangesOfDay]:
    """The days on which the viewer's own facts changed, oldest first, as people in this timezone count days."""
    day = cast(func.timezone(timezone, FactVersion.created_at), Date).label("day")
    ends = (
        select(FactVersion.fact_id, day, FactVersion.forgotten)
        .join(Fact, (Fact.tenant_id == FactVersion.tenant_id) & (Fact.id == FactVersion.fact_id))
        .where(Fact.tenant_id == viewer.tenant, Fact.user_id == viewer.person)
        .ext(distinct_on(FactVersion.fact_id, day))
        .order_by(FactVersion.fact_id, day, FactVersion.version.desc())
        .subquery()
    )
    was_known = func.coalesce(
        ~func.lag(ends.c.forgotten).over(partition_by=ends.c.fact_id, order_by=ends.c.day), False
    ).label("was_known")
    steps = select(ends.c.day, (~ends.c.forgotten).label("is_known"), was_known).subquery()
    is_known, before = steps.c.is_known, steps.c.was_known
    query = (
        select(
            steps.c.day,
            func.count().filter(is_known, ~before),
            func.count().filter(is_known, before),
            func.count().filter(~is_known, before),
        )
        .where(is_known | before)
        .group_by(steps.c.day)
        .order_by(steps.c.day)
    )
    return [ChangesOfDay(*tuple(row)) for row in await session.execute(query)]


async def facts_by_category(session: AsyncSession, viewer: Viewer) -> Sequence[tuple[Category, int]]:
    """The number of the viewer's own facts in each category, largest first."""
    query = (
        select(Fact.category, func.count())
        .where(Fact.tenant_id == viewer.tenant, Fact.user_id == viewer.person, Fact.deleted_at.is_(None))
        .group_by(Fact.category)
        .order_by(func.count().desc(), Fact.category)
    )
    return [(Category(category), count) for category, count in await session.execute(query)]


async def most_recalled(session: AsyncSession, viewer: Viewer, *, limit: int) -> Sequence[FactRow]:
    """The viewer's own facts that replies used most often."""
    query = (
        newest(viewer)
        .add_columns(Fact.recall_count, Fact.recalled_at)
        .where(Fact.user_id == viewer.person, Fact.deleted_at.is_(None), Fact.recall_count > 0)
        .order_by(None)
        .order_by(Fact.recall_count.desc(), Fact.recalled_at.desc(), Fact.id)
    )
    return await rows(session, query.limit(limit))


async def recalls(session: AsyncSession, viewer: Viewer) -> int:
    """How often replies used one of the viewer's own facts."""
    query = select(func.coalesce(func.sum(Fact.recall_count), 0)).where(
        Fact.tenant_id == viewer.tenant, Fact.user_id == viewer.person, Fact.deleted_at.is_(None)
    )
    return (await session.execute(query)).scalar_one()
