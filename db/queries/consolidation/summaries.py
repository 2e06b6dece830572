"""Digests of conversations: their versions, the parts that a prompt shows, and overviews of many."""

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
    """A completed version. Its words are None if they were not selected, or while they are sealed."""

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
    """Base the version that starts at `new_seq` on this one."""
    await session.execute(
        update(Summary)
        .where(*_of(viewer, conversation_id), *_completed(), Summary.new_seq == new_seq)
        .values(base_id=base_id)
    )


async def ranges_of(session: AsyncSession, viewer: Viewer, conversation_id: str) -> Sequence[tuple[str, int, int]]:
    """Id of each completed version, and the first and last message it read itself, in order."""
    query = (
        select(Summary.id, func.coalesce(Summary.new_seq, Summary.start_seq), Summary.end_seq)
        .where(*_of(viewer, conversation_id), *_completed())
        .order_by(Summary.end_seq, Summary.id)
    )
    return [(id, first, last) for id, first, last in await session.execute(query)]


async def versions_shown(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, until: str | None = None
) -> Sequence[SummaryRow]:
    """The versions that make up the digest of a conversation, oldest first: those that end within the range of the
    newest one, or of version `until`."""
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
    row = (await session.execute(_rows().where(Summary.tenant_id == viewer.tenant, Summary.id == summary_id))).first()
    return None if row is None else _summary(row)


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
    """The newest version from before a moment of each other conversation in this place, newest first."""
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
    """Remove the digests of all but the newest conversations. Their points stay searchable."""
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
    """The newest overview of the viewer's conversations."""
    query = _rows().where(*_here(viewer), *_completed(), Summary.overall.is_not(None))
    row = (await session.execute(query.order_by(Summary.created_at.desc(), Summary.id.desc()).limit(1))).first()
    return None if row is None else _summary(row)


async def drop_summaries(session: AsyncSession, viewer: Viewer) -> int:
    """Remove all of the viewer's own summaries. Return how many."""
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
    columns = row._asdict()
    return SummaryRow(**{**columns, "sensitivity": Sensitivity(columns["sensitivity"])})
