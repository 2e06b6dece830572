"""Notices about background work, to be delivered to their owner."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Row, Select, delete, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Notice
from db.viewer import Viewer
from db.vocabulary import NoticeKind


@dataclass(frozen=True, slots=True)
class NoticeRow:
    id: str
    kind: NoticeKind
    key: str
    refs: tuple[str, ...]


async def add_notice(
    session: AsyncSession,
    viewer: Viewer,
    *,
    id: str,
    kind: NoticeKind,
    key: str,
    refs: Sequence[str],
    due_at: datetime,
    now: datetime,
) -> bool:
    """Add a notice. Return False if one with this key exists: each is delivered once."""
    inserted = await session.execute(
        insert(Notice)
        .values(
            tenant_id=viewer.tenant,
            id=id,
            user_id=viewer.person,
            kind=kind,
            key=key,
            refs=list(refs),
            due_at=due_at,
            created_at=now,
        )
        .on_conflict_do_nothing()
        .returning(Notice.id)
    )
    return inserted.scalar_one_or_none() is not None


async def pending_notices(session: AsyncSession, viewer: Viewer, now: datetime) -> Sequence[NoticeRow]:
    """The viewer's due notices that nobody else has leased, oldest first. Locks them until the transaction ends."""
    is_free = (Notice.lease_until.is_(None)) | (Notice.lease_until <= now)
    query = _rows(viewer).where(Notice.told_at.is_(None), Notice.due_at <= now, is_free)
    rows = await session.execute(query.order_by(Notice.due_at, Notice.id).with_for_update(skip_locked=True))
    return [_row(row) for row in rows]


async def notice(session: AsyncSession, viewer: Viewer, notice_id: str) -> NoticeRow | None:
    result = await session.execute(_rows(viewer).where(Notice.id == notice_id, Notice.told_at.is_(None)))
    row = result.one_or_none()
    return None if row is None else _row(row)


async def mark_delivered(session: AsyncSession, viewer: Viewer, ids: Sequence[str], now: datetime) -> None:
    if ids:
        await session.execute(
            update(Notice)
            .where(Notice.tenant_id == viewer.tenant, Notice.user_id == viewer.person, Notice.id.in_(ids))
            .values(told_at=now)
        )


async def remove_delivered(session: AsyncSession, viewer: Viewer, before: datetime) -> None:
    """Remove notices delivered and due before `before`. Until then, the row keeps its key from being added again."""
    await session.execute(
        delete(Notice).where(
            Notice.tenant_id == viewer.tenant,
            Notice.user_id == viewer.person,
            Notice.told_at < before,
            Notice.due_at < before,
        )
    )


async def due_reminders(session: AsyncSession) -> Sequence[str]:
    """The people who want reminders and have dates. For `Viewer.nobody`."""
    return sorted((await session.execute(text("SELECT user_id FROM wall.due_reminders()"))).scalars())


async def claim_reminders(
    session: AsyncSession, id_prefix: str, now: datetime, leased_for: timedelta, *, limit: int
) -> Sequence[tuple[str, str]]:
    """Lease due reminders of people whose id has this prefix. Return (notice id, owner) pairs."""
    query = text("SELECT id, user_id FROM wall.claim_notices(:whose, :now, :held_for, :most)").bindparams(
        whose=id_prefix, now=now, held_for=leased_for, most=limit
    )
    return [(id, user) for id, user in await session.execute(query)]


def _rows(viewer: Viewer) -> Select[str, str, str, list[str]]:
    return select(Notice.id, Notice.kind, Notice.key, Notice.refs).where(
        Notice.tenant_id == viewer.tenant, Notice.user_id == viewer.person
    )


def _row(row: Row[str, str, str, list[str]]) -> NoticeRow:
    id, kind, key, refs = row
    return NoticeRow(id, NoticeKind(kind), key, tuple(refs))
