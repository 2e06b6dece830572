"""The inbox: stored updates, the worker that holds each one, and its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Update, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import InboxItem
from db.viewer import Viewer

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Claimed:
    """An update that we have leased. `attempts` counts how often it was claimed, `failures` how often its handler
    failed."""

    update_id: int
    user: str
    chat: str
    attempts: int
    failures: int


@dataclass(frozen=True, slots=True)
class InboxRow:
    """The sealed payload and answer of an update, the messages sent for it so far, and the one that previews the
    answer."""

    payload: bytes | None
    answer: bytes | None
    sent: tuple[int, ...]
    preview: int | None


async def add_update(
    session: AsyncSession, viewer: Viewer, update_id: int, chat: str, payload: bytes, now: datetime
) -> bool:
    """Store an update. Return False if it is here already."""
    return await _added(session, viewer, update_id, now, chat_id=chat, payload=payload)


async def record_number(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime) -> bool:
    """Store only the number of an update that is not ours, or was handled while the database was away."""
    return await _added(session, viewer, update_id, now, chat_id="", state="done", done_at=now)


async def record_unreadable(session: AsyncSession, viewer: Viewer, update_id: int, why: str, now: datetime) -> bool:
    """Store only the number of an update that cannot be read, and the kind of fault as `why`."""
    return await _added(session, viewer, update_id, now, chat_id="", state="parked", why=why, done_at=now)


async def unreadable(session: AsyncSession, viewer: Viewer) -> int:
    """The number of updates that were parked because they could not be read."""
    query = select(func.count()).where(
        InboxItem.tenant_id == viewer.tenant, InboxItem.user_id == NOBODY, InboxItem.state == "parked"
    )
    return (await session.execute(query)).scalar_one()


async def mark_done(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime) -> None:
    """Mark an update that was handled while the database was away, and clear its content."""
    if not await record_number(session, viewer, update_id, now):
        mine = (InboxItem.tenant_id == viewer.tenant) & (InboxItem.update_id == update_id)
        await session.execute(
            update(InboxItem)
            .where(mine, InboxItem.state.in_(("waiting", "working")))
            .values(state="done", payload=None, answer=None, lease_until=None, holder=None, done_at=now)
        )


async def claim(session: AsyncSession, holder: str, lease: timedelta, most: int) -> list[Claimed]:
    """Claim the oldest open update of each idle chat. For `Viewer.nobody`."""
    query = text(
        "SELECT update_id, user_id, chat_id, attempts, failures FROM wall.claim_updates(:holder, :lease, :most)"
    ).bindparams(holder=holder, lease=lease, most=most)
    return [Claimed(*row) for row in await session.execute(query)]


async def renew_leases(session: AsyncSession, holder: str, lease: timedelta, updates: Sequence[int]) -> set[int]:
    """Renew the leases of these updates. Return those that are still ours."""
    query = text("SELECT * FROM wall.hold_updates(:holder, :lease, :updates)").bindparams(
        holder=holder, lease=lease, updates=list(updates)
    )
    return set((await session.execute(query)).scalars())


async def find_update(session: AsyncSession, viewer: Viewer, update_id: int) -> InboxRow | None:
    result = await session.execute(
        select(InboxItem.payload, InboxItem.answer, InboxItem.sent, InboxItem.preview).where(
            InboxItem.tenant_id == viewer.tenant, InboxItem.update_id == update_id
        )
    )
    row = result.one_or_none()
    return None if row is None else InboxRow(row[0], row[1], tuple(row[2]), row[3])


async def keep_answer(session: AsyncSession, update_id: int, holder: str, answer: bytes) -> bool:
    """Store the answer to the viewer's update. Return False if it is no longer ours."""
    query = text("SELECT wall.keep_answer(:update, :holder, :answer)").bindparams(
        update=update_id, holder=holder, answer=answer
    )
    return bool((await session.execute(query)).scalar_one())


async def keep_preview(session: AsyncSession, viewer: Viewer, update_id: int, holder: str, message_id: int) -> bool:
    return await _changed(session, _ours(viewer, update_id, holder).values(preview=message_id))


async def keep_sent(session: AsyncSession, viewer: Viewer, update_id: int, holder: str, message_id: int) -> bool:
    sent = func.array_append(InboxItem.sent, message_id)
    return await _changed(session, _ours(viewer, update_id, holder).values(sent=sent))


async def finish(session: AsyncSession, update_id: int, holder: str, *, parked: str | None = None) -> bool:
    """Finish the viewer's update and clear its content. `parked` is the reason if it cannot be handled."""
    query = text("SELECT wall.finish_update(:update, :holder, CAST(:parked AS text))").bindparams(
        update=update_id, holder=holder, parked=parked
    )
    return bool((await session.execute(query)).scalar_one())


async def has_waiting_updates(session: AsyncSession, viewer: Viewer, chat: str) -> bool:
    """True if this person has newer messages waiting in the chat. Those of other members are not visible here."""
    query = select(InboxItem.update_id).where(
        InboxItem.tenant_id == viewer.tenant, InboxItem.chat_id == chat, InboxItem.state == "waiting"
    )
    return (await session.execute(query.limit(1))).first() is not None


async def release(session: AsyncSession, viewer: Viewer, update_id: int, holder: str, *, error: str | None) -> bool:
    """Release the lease, because its handler failed or the program ends."""
    failure = 0 if error is None else 1  # a shutdown is not a failed attempt
    return await _changed(
        session,
        _ours(viewer, update_id, holder).values(
            state="waiting",
            lease_until=None,
            holder=None,
            failures=InboxItem.failures + failure,
            attempts=InboxItem.attempts - 1 + failure,
            why=error,
        ),
    )


async def clear(session: AsyncSession, before: datetime) -> int:
    """Remove the numbers of updates handled before this moment. For `Viewer.nobody`."""
    query = text("SELECT wall.clear_inbox(:before)").bindparams(before=before)
    return int((await session.execute(query)).scalar_one())


async def state(session: AsyncSession) -> dict[str, tuple[int, datetime]]:
    """The number of updates in each state, and the oldest of each. For `Viewer.nobody`."""
    rows = await session.execute(text("SELECT state, updates, oldest FROM wall.inbox_state()"))
    return {name: (count, oldest) for name, count, oldest in rows}


def _ours(viewer: Viewer, update_id: int, holder: str) -> Update:
    return update(InboxItem).where(
        InboxItem.tenant_id == viewer.tenant,
        InboxItem.update_id == update_id,
        InboxItem.holder == holder,
        InboxItem.state == "working",
    )


async def _changed(session: AsyncSession, statement: Update) -> bool:
    return bool((await session.execute(statement)).rowcount)  # type: ignore[attr-defined]


async def _added(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime, **columns: Any) -> bool:
    key = {"tenant_id": viewer.tenant, "update_id": update_id, "user_id": viewer.person}
    new = insert(InboxItem).values(**key, received_at=now, **columns).on_conflict_do_nothing()
    return (await session.execute(new.returning(InboxItem.update_id))).scalar_one_or_none() is not None
