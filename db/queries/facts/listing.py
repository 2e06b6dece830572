"""Lists facts by category and subject, a page at a time.

The subject of a sensitive fact is sealed with its words, so the query sorts it among the facts without a subject.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts.facts import FactRow, newest, rows
from db.tables import Fact, FactVersion
from db.viewer import Viewer, personal_space
from db.vocabulary import Category, Visibility


@dataclass(frozen=True, slots=True)
class ListingSection:
    """A section of the listing; without any field, all of it. Sealed facts may be about any subject."""

    category: Category | None = None
    subject: str | None = None


async def facts_in_section(
    session: AsyncSession, viewer: Viewer, section: ListingSection, *, limit: int | None = None, offset: int = 0
) -> Sequence[FactRow]:
    """In the personal space the viewer's own facts, elsewhere those shared there. Facts without a subject come last."""
    query = newest(viewer).where(*_here(viewer), *_in(section)).order_by(None)
    subject = func.lower(FactVersion.subject)
    order = (Fact.category, subject.is_(None), subject, Fact.created_at, Fact.id)
    with_recalls = query.add_columns(Fact.recall_count, Fact.recalled_at)
    return await rows(session, with_recalls.order_by(*order).limit(limit).offset(offset))


async def counts_by_category(session: AsyncSession, viewer: Viewer) -> dict[Category, int]:
    """The number of facts in each category, in the order of categories."""
    query = select(Fact.category, func.count()).where(Fact.tenant_id == viewer.tenant, *_here(viewer))
    result = await session.execute(query.group_by(Fact.category).order_by(Fact.category))
    return {Category(category): count for category, count in result}


def _here(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    if viewer.place == personal_space(viewer.person):
        return Fact.user_id == viewer.person, Fact.deleted_at.is_(None)
    return Fact.space_id == viewer.place, Fact.visibility == Visibility.SHARED, Fact.deleted_at.is_(None)


def _in(section: ListingSection) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if section.category is not None:
        conditions.append(Fact.category == section.category)
    if section.subject is not None:
        same = func.lower(FactVersion.subject) == func.lower(section.subject)
        conditions.append(same | FactVersion.sealed.is_not(None))
    return conditions
