"""Facts and their versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, insert, select
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession

from db.ids import short_id
from db.tables import Fact, FactVersion, User
from db.viewer import Viewer
from db.vocabulary import Category, Visibility


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact in its present version."""

    id: str
    version: int
    category: Category
    subject: str | None
    content: str
    visibility: Visibility
    created_at: datetime
    updated_at: datetime


async def lock_facts_of(session: AsyncSession, viewer: Viewer) -> None:
    """Let one writer at a time change this user's facts, until the transaction ends."""
    await session.execute(
        select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person).with_for_update()
    )


async def add_fact(
    session: AsyncSession,
    viewer: Viewer,
    *,
    content: str,
    category: Category,
    subject: str | None,
    source_event_id: str | None,
    span: tuple[int, int] | None,
    now: datetime,
) -> FactRow:
    """The first version of a new fact, approved by its owner."""
    fact_id = short_id()
    await session.execute(
        insert(Fact).values(
            tenant_id=viewer.tenant,
            id=fact_id,
            space_id=viewer.place,
            user_id=viewer.person,
            category=category,
            subject=subject,
            created_at=now,
        )
    )
    await session.execute(
        insert(FactVersion).values(
            tenant_id=viewer.tenant,
            fact_id=fact_id,
            version=1,
            content=content,
            source_event_id=source_event_id,
            span=Range(*span) if span else None,
            author=viewer.person,
            approved_by=viewer.person,
            created_at=now,
        )
    )
    found = await session.execute(_present(viewer).where(Fact.id == fact_id))
    return _row(*found.one())


async def active_facts(session: AsyncSession, viewer: Viewer, *, limit: int | None = None) -> Sequence[FactRow]:
    """Facts this viewer may read, as they stand, in snapshot order."""
    found = await session.execute(_present(viewer).limit(limit))
    return [_row(*row) for row in found]


async def own_facts(session: AsyncSession, viewer: Viewer, *, limit: int) -> Sequence[FactRow]:
    """The viewer's own facts, in snapshot order."""
    found = await session.execute(_present(viewer).where(Fact.user_id == viewer.person).limit(limit))
    return [_row(*row) for row in found]


def _row(
    id: str,
    version: int,
    category: str,
    subject: str | None,
    content: str,
    visibility: str,
    created_at: datetime,
    updated_at: datetime,
) -> FactRow:
    return FactRow(id, version, Category(category), subject, content, Visibility(visibility), created_at, updated_at)


def _present(viewer: Viewer) -> Select[str, int, str, str | None, str, str, datetime, datetime]:
    newest = (
        select(func.max(FactVersion.version))
        .where(FactVersion.tenant_id == Fact.tenant_id, FactVersion.fact_id == Fact.id)
        .correlate(Fact)
        .scalar_subquery()
    )
    return (
        select(
            Fact.id,
            FactVersion.version,
            Fact.category,
            Fact.subject,
            FactVersion.content,
            Fact.visibility,
            Fact.created_at,
            FactVersion.created_at,
        )
        .join(FactVersion, (FactVersion.tenant_id == Fact.tenant_id) & (FactVersion.fact_id == Fact.id))
        .where(Fact.tenant_id == viewer.tenant, Fact.deleted_at.is_(None), FactVersion.version == newest)
        .order_by(Fact.category, Fact.created_at, Fact.id)
    )
