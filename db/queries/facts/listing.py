"""What is remembered, as one looks through it: by category and subject, a page at a time.

Of what is sensitive the subject is sealed with the words: here it stands among what has none, and only who opens it
can tell.
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
    """A part of what is remembered; without anything, all of it. What is sealed may be about any subject."""

    category: Category | None = None
    subject: str | None = None


async def facts_on_shelf(
    session: AsyncSession, viewer: Viewer, section: ListingSection, *, limit: int | None = None, offset: int = 0
) -> Sequence[FactRow]:
    """At home the viewer's own facts, elsewhere those that members share there; what is about nobody comes last."""
    query = newest(viewer).where(*_here(viewer), *_in(section)).order_by(None)
    subject = func.lower(FactVersion.subject)
    order = (Fact.category, subject.is_(None), subject, Fact.created_at, Fact.id)
    counted = query.add_columns(Fact.recall_count, Fact.recalled_at)
    return await rows(session, counted.order_by(*order).limit(limit).offset(offset))


async def counts_on_shelf(session: AsyncSession, viewer: Viewer) -> dict[Category, int]:
    """How many there are of each category, in their order."""
    counted = select(Fact.category, func.count()).where(Fact.tenant_id == viewer.tenant, *_here(viewer))
    found = await session.execute(counted.group_by(Fact.category).order_by(Fact.category))
    return {Category(category): count for category, count in found}


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
