"""Facts and their versions. The newest version is the fact as it stands; every change appends one."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, func, insert, select, update
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.ids import short_id
from db.tables import Fact, FactVersion, User
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category, Sensitivity, Visibility

BLANK = "█"


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact in one of its versions. `content` is None while it is sealed."""

    id: str
    owner: str
    category: Category
    attribute: Attribute | None
    importance: float
    created_at: datetime
    version: int
    content: str | None
    subject: str | None
    value: dict[str, Any] | None
    sealed: bytes | None
    space: str
    visibility: Visibility
    sensitivity: Sensitivity
    forgotten: bool
    undoes: int | None
    source_event_id: str | None
    span: tuple[int, int] | None
    author: str
    approval: Approval
    updated_at: datetime
    recall_count: int = field(default=0, compare=False)
    recalled_at: datetime | None = field(default=None, compare=False)

    @property
    def words(self) -> str:
        return self.content or BLANK


@dataclass(frozen=True, slots=True)
class NewVersion:
    """The whole state of a fact from now on: in words, or sealed."""

    content: str | None
    subject: str | None
    value: dict[str, Any] | None
    sealed: bytes | None
    space: str
    visibility: Visibility
    sensitivity: Sensitivity
    author: str
    approval: Approval
    forgotten: bool = False
    undoes: int | None = None
    source_event_id: str | None = None
    span: tuple[int, int] | None = None


async def lock_facts_of(session: AsyncSession, viewer: Viewer) -> None:
    """Allow one writer of this user's facts at a time, until the transaction ends.

    Inserts that only reference the user are not blocked; two transactions with such inserts would deadlock here. To
    avoid deadlocks, lock facts first, then a conversation, then a shelf.
    """
    user = select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    await session.execute(user.with_for_update(key_share=True))


async def new_fact(
    session: AsyncSession,
    viewer: Viewer,
    *,
    category: Category,
    attribute: Attribute | None,
    importance: float,
    visibility: Visibility,
    now: datetime,
) -> str:
    """Insert a fact without words and return its id. Its first version must follow in the same transaction."""
    fact_id = short_id()
    await session.execute(
        insert(Fact).values(
            tenant_id=viewer.tenant,
            id=fact_id,
            space_id=viewer.place,
            user_id=viewer.person,
            category=category,
            attribute=attribute,
            importance=importance,
            visibility=visibility,
            created_at=now,
        )
    )
    return fact_id


async def add_version(session: AsyncSession, viewer: Viewer, fact_id: str, new: NewVersion, now: datetime) -> None:
    """Append the next version. The database numbers it and copies to the fact what the wall must read."""
    await session.execute(
        insert(FactVersion).values(
            tenant_id=viewer.tenant,
            fact_id=fact_id,
            version=0,
            content=new.content,
            subject=new.subject,
            value=new.value,
            sealed=new.sealed,
            space_id=new.space,
            visibility=new.visibility,
            sensitivity=new.sensitivity,
            forgotten=new.forgotten,
            undoes=new.undoes,
            source_event_id=new.source_event_id,
            span=Range(*new.span) if new.span else None,
            author=new.author,
            approved_by=viewer.person,
            approval=new.approval,
            created_at=now,
        )
    )


async def mark_recalled(session: AsyncSession, viewer: Viewer, fact_ids: Collection[str], now: datetime) -> None:
    """Count one more recall of the viewer's own facts among these. Skips locked ones: a count is not worth waiting."""
    own = select(Fact.id).where(
        Fact.tenant_id == viewer.tenant,
        Fact.user_id == viewer.person,
        Fact.id.in_(fact_ids),
        Fact.deleted_at.is_(None),
    )
    free = own.with_for_update(key_share=True, skip_locked=True)
    await session.execute(
        update(Fact)
        .where(Fact.tenant_id == viewer.tenant, Fact.id.in_(free))
        .values(recall_count=Fact.recall_count + 1, recalled_at=func.greatest(Fact.recalled_at, now))
        .execution_options(synchronize_session=False)
    )


async def present_facts(session: AsyncSession, viewer: Viewer, *, limit: int | None = None) -> Sequence[FactRow]:
    """Current facts this viewer may read, in snapshot order, with their recall counts."""
    query = newest(viewer).add_columns(Fact.recall_count, Fact.recalled_at)
    return await rows(session, query.where(Fact.deleted_at.is_(None)).limit(limit))


async def own_facts(session: AsyncSession, viewer: Viewer) -> Sequence[FactRow]:
    """The viewer's own facts, in snapshot order, with their recall counts."""
    query = newest(viewer).add_columns(Fact.recall_count, Fact.recalled_at)
    return await rows(session, query.where(Fact.user_id == viewer.person, Fact.deleted_at.is_(None)))


async def own_words(session: AsyncSession, viewer: Viewer) -> Sequence[Row[str, str | None, str | None, str | None]]:
    """Id, content, subject and attribute of all the viewer's own facts, deleted ones too: enough to compare them."""
    query = newest(viewer).where(Fact.user_id == viewer.person).order_by(None)
    light = query.with_only_columns(Fact.id, FactVersion.content, FactVersion.subject, Fact.attribute)
    return (await session.execute(light)).all()


async def facts_by_id(session: AsyncSession, viewer: Viewer, fact_ids: Sequence[str]) -> Sequence[FactRow]:
    """These facts in their current version, deleted ones too, in snapshot order."""
    query = newest(viewer).add_columns(Fact.recall_count, Fact.recalled_at)
    return await rows(session, query.where(Fact.id.in_(fact_ids)))


async def fact(session: AsyncSession, viewer: Viewer, fact_id: str) -> FactRow | None:
    """One fact in its current version, even if it is deleted and waits for the purge."""
    facts = await facts_by_id(session, viewer, [fact_id])
    return facts[0] if facts else None


async def hidden_facts(session: AsyncSession, viewer: Viewer, *, before: datetime | None = None) -> Sequence[FactRow]:
    """The viewer's own deleted facts that are not purged yet: all, or those deleted before a moment."""
    query = newest(viewer).where(Fact.user_id == viewer.person, Fact.deleted_at.is_not(None))
    return await rows(session, query if before is None else query.where(Fact.deleted_at < before))


async def hidden_versions(session: AsyncSession, viewer: Viewer) -> Sequence[FactRow]:
    """Every version of the viewer's own deleted facts that are not purged yet."""
    query = selected(viewer).where(Fact.user_id == viewer.user, Fact.deleted_at.is_not(None))
    return await rows(session, query.order_by(Fact.id, FactVersion.version))


async def versions_of(session: AsyncSession, viewer: Viewer, fact_ids: Sequence[str]) -> Sequence[FactRow]:
    """Every version of these facts that the viewer may read, oldest first."""
    query = selected(viewer).where(Fact.id.in_(fact_ids)).order_by(Fact.id, FactVersion.version)
    return await rows(session, query)


async def facts_as_of(session: AsyncSession, viewer: Viewer, moment: datetime) -> Sequence[FactRow]:
    """Facts remembered at a moment that this viewer may read today, in snapshot order."""
    return await rows(session, newest(viewer, FactVersion.created_at <= moment).where(~FactVersion.forgotten))


async def last_change(session: AsyncSession, viewer: Viewer, *, fact_id: str | None = None) -> FactRow | None:
    """The newest change of the viewer's facts (or of one of them) that neither is an undo nor was undone."""
    later = aliased(FactVersion)
    undone = select(later.version).where(
        later.tenant_id == FactVersion.tenant_id,
        later.fact_id == FactVersion.fact_id,
        later.undoes == FactVersion.version,
    )
    query = selected(viewer).where(
        Fact.user_id == viewer.person,
        FactVersion.undoes.is_(None),
        FactVersion.approval.not_in((Approval.IMPORT, Approval.MEMBERSHIP)),
        ~undone.exists(),
    )
    if fact_id is not None:
        query = query.where(Fact.id == fact_id)
    changes = await rows(session, query.order_by(FactVersion.change.desc()).limit(1))
    return changes[0] if changes else None


def selected(viewer: Viewer) -> Select[Any]:
    """All versions of all facts, with the columns of a `FactRow`."""
    return (
        select(
            Fact.id,
            Fact.user_id.label("owner"),
            Fact.category,
            Fact.attribute,
            Fact.importance,
            Fact.created_at,
            FactVersion.version,
            FactVersion.content,
            FactVersion.subject,
            FactVersion.value,
            FactVersion.sealed,
            FactVersion.space_id.label("space"),
            FactVersion.visibility,
            FactVersion.sensitivity,
            FactVersion.forgotten,
            FactVersion.undoes,
            FactVersion.source_event_id,
            FactVersion.span,
            FactVersion.author,
            FactVersion.approval,
            FactVersion.created_at.label("updated_at"),
        )
        .join(FactVersion, (FactVersion.tenant_id == Fact.tenant_id) & (FactVersion.fact_id == Fact.id))
        .where(Fact.tenant_id == viewer.tenant)
    )


def newest(viewer: Viewer, *among: ColumnElement[bool]) -> Select[Any]:
    """Each fact in its newest version among those that meet the conditions, in snapshot order."""
    version = (
        select(func.max(FactVersion.version))
        .where(FactVersion.tenant_id == Fact.tenant_id, FactVersion.fact_id == Fact.id, *among)
        .correlate(Fact)
        .scalar_subquery()
    )
    return selected(viewer).where(FactVersion.version == version).order_by(Fact.category, Fact.created_at, Fact.id)


async def rows(session: AsyncSession, query: Select[Any]) -> Sequence[FactRow]:
    return [_row(row._asdict()) for row in await session.execute(query)]


def _row(columns: dict[str, Any]) -> FactRow:
    values = {
        "category": Category(columns["category"]),
        "attribute": Attribute(columns["attribute"]) if columns["attribute"] else None,
        "visibility": Visibility(columns["visibility"]),
        "sensitivity": Sensitivity(columns["sensitivity"]),
        "approval": Approval(columns["approval"]),
        "span": (columns["span"].lower, columns["span"].upper) if columns["span"] else None,
    }
    return FactRow(**{**columns, **values})
