"""Digests of conversations: their versions, what a prompt shows of them, and the overviews over many."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, delete, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from db.tables import Summary
from db.viewer import Viewer
from db.vocabulary import Sensitivity, SummaryStatus


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A completed version. Its words are missing where they were not asked for, or are sealed and were not opened."""

    id: str
    owner: str
    conversation_id: str
    start_seq: int
    end_seq: int
    sealed: bytes | None
    sensitivity: Sensitivity
    created_at: datetime
    text: str | None = None
    points: dict[str, Any] | None = None
    digest: str | None = None
    overall: str | None = None
    topics: Sequence[str] = ()


async def rest_on(session: AsyncSession, viewer: Viewer, conversation_id: str, base_id: str, new_seq: int) -> None:
    """The version that goes on where this one ends is based on it."""
    await session.execute(
        update(Summary)
        .where(*_of(viewer, conversation_id), *_completed(), Summary.new_seq == new_seq)
        .values(base_id=base_id)
    )


async def ranges_of(session: AsyncSession, viewer: Viewer, conversation_id: str) -> Sequence[tuple[str, int, int]]:
    """Id, first and last message that each completed version has read itself, in order."""
    query = (
        select(Summary.id, func.coalesce(Summary.new_seq, Summary.start_seq), Summary.end_seq)
        .where(*_of(viewer, conversation_id), *_completed())
        .order_by(Summary.end_seq, Summary.id)
    )
    return [(id, first, last) for id, first, last in await session.execute(query)]


async def versions_shown(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, until: str | None = None
) -> Sequence[SummaryRow]:
    """The versions from which the digest of a conversation is put together, oldest first: those that reach into the
    window of the newest one, or of an earlier one that is named."""
    newest = aliased(Summary)
    latest = select(newest.start_seq, newest.end_seq).where(
        newest.tenant_id == viewer.tenant, newest.conversation_id == conversation_id, newest.status == "completed"
    )
    latest = latest.where(newest.id == until) if until else latest.order_by(newest.end_seq.desc(), newest.id.desc())
    shown = latest.limit(1).subquery()
    query = (
        _rows(*POINTS)
        .join(shown, Summary.end_seq.between(shown.c.start_seq, shown.c.end_seq))
        .where(*_of(viewer, conversation_id), *_completed())
        .order_by(Summary.end_seq, Summary.id)
    )
    return [_summary(row) for row in await session.execute(query)]


async def summary(session: AsyncSession, viewer: Viewer, summary_id: str) -> SummaryRow | None:
    found = (await session.execute(_rows().where(Summary.tenant_id == viewer.tenant, Summary.id == summary_id))).first()
    return None if found is None else _summary(found)


async def own_summaries(session: AsyncSession, viewer: Viewer) -> Sequence[SummaryRow]:
    query = _rows().where(Summary.tenant_id == viewer.tenant, Summary.user_id == viewer.person, *_completed())
    return [_summary(row) for row in await session.execute(query.order_by(Summary.id))]


async def digests_before(
    session: AsyncSession,
    viewer: Viewer,
    conversation_id: str,
    moment: ScalarSelect[datetime] | datetime,
    *,
    limit: int,
) -> Sequence[SummaryRow]:
    """Of each other conversation in this place the newest version that was made before a moment, the newest first."""
    bound = select(literal(moment) if isinstance(moment, datetime) else moment.label("began")).subquery()
    began, later = bound.c[0], aliased(Summary)
    newer = select(later.id).where(
        later.tenant_id == Summary.tenant_id,
        later.conversation_id == Summary.conversation_id,
        later.status == SummaryStatus.COMPLETED,
        later.created_at < began,
        later.end_seq > Summary.end_seq,
    )
    query = (
        _rows(*OVERVIEW)
        .join(bound, Summary.created_at < began)
        .where(Summary.tenant_id == viewer.tenant, Summary.space_id == viewer.space, *_completed())
        .where(Summary.channel == viewer.channel, Summary.conversation_id != conversation_id, ~newer.exists())
        .order_by(Summary.created_at.desc(), Summary.id.desc())
        .limit(limit)
    )
    return [_summary(row) for row in await session.execute(query)]


async def forget_old_digests(session: AsyncSession, viewer: Viewer, *, keep: int) -> None:
    """Only the last conversations keep their digest; of the others the points stay, to be found."""
    kept = (
        select(Summary.conversation_id)
        .where(*_here(viewer), Summary.digest.is_not(None))
        .group_by(Summary.conversation_id)
        .order_by(func.max(Summary.created_at).desc(), Summary.conversation_id)
        .limit(keep)
    )
    await session.execute(
        update(Summary)
        .where(*_here(viewer), Summary.digest.is_not(None), Summary.conversation_id.not_in(kept))
        .values(digest=None)
    )


async def latest_overview(session: AsyncSession, viewer: Viewer) -> SummaryRow | None:
    """The newest overview over the viewer's conversations."""
    query = _rows().where(*_here(viewer), *_completed(), Summary.overall.is_not(None))
    found = (await session.execute(query.order_by(Summary.created_at.desc(), Summary.id.desc()).limit(1))).first()
    return None if found is None else _summary(found)


async def drop_summaries(session: AsyncSession, viewer: Viewer) -> int:
    """All of the viewer's own, to be made anew or for good; gives how many."""
    gone = await session.execute(
        delete(Summary)
        .where(Summary.tenant_id == viewer.tenant, Summary.user_id == viewer.person)
        .returning(Summary.id)
    )
    return len(gone.all())


def _of(viewer: Viewer, conversation_id: str) -> tuple[ColumnElement[bool], ...]:
    return Summary.tenant_id == viewer.tenant, Summary.conversation_id == conversation_id


def _here(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return (
        Summary.tenant_id == viewer.tenant,
        Summary.space_id == viewer.place,
        Summary.channel == viewer.channel,
        Summary.user_id == viewer.person,
    )


def _completed() -> tuple[ColumnElement[bool], ...]:
    return (Summary.status == SummaryStatus.COMPLETED,)


SCOPE = (
    Summary.id,
    Summary.user_id.label("owner"),
    Summary.conversation_id,
    Summary.start_seq,
    Summary.end_seq,
    Summary.sealed,
    Summary.sensitivity,
    Summary.created_at,
)
POINTS = (Summary.text, Summary.points)
OVERVIEW = (Summary.digest, Summary.overall, Summary.topics)


def _rows(*words: Any) -> Select[Any]:
    return select(*SCOPE, *(words or (*POINTS, *OVERVIEW)))


def _summary(row: Any) -> SummaryRow:
    found = row._asdict()
    return SummaryRow(**{**found, "sensitivity": Sensitivity(found["sensitivity"])})
