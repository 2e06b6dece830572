"""The inbox: updates that were written down, who works on them, and what is to be sent in answer."""

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
    """An update that is ours for the length of a lease. `attempts` counts how often it was taken up, `failures` how
    often its handler broke."""

    update_id: int
    user: str
    chat: str
    attempts: int
    failures: int


@dataclass(frozen=True, slots=True)
class Held:
    """What an update says and what is to be answered, both sealed; the messages that went out for it so far, and the
    one that shows a half-made answer."""

    payload: bytes | None
    answer: bytes | None
    sent: tuple[int, ...]
    preview: int | None


async def write_down(
    session: AsyncSession, viewer: Viewer, update_id: int, chat: str, payload: bytes, now: datetime
) -> bool:
    """Whether it is new."""
    return await _added(session, viewer, update_id, now, chat_id=chat, payload=payload)


async def note_number(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime) -> bool:
    """All that is kept of an update that is none of ours, or was dealt with while the database was away."""
    return await _added(session, viewer, update_id, now, chat_id="", state="done", done_at=now)


async def put_aside(session: AsyncSession, viewer: Viewer, update_id: int, why: str, now: datetime) -> bool:
    """All that is kept of an update that cannot be read; `why` is the kind of the fault."""
    return await _added(session, viewer, update_id, now, chat_id="", state="parked", why=why, done_at=now)


async def unreadable(session: AsyncSession, viewer: Viewer) -> int:
    """How many updates were put aside as nobody's, because they could not be read."""
    query = select(func.count()).where(
        InboxItem.tenant_id == viewer.tenant, InboxItem.user_id == NOBODY, InboxItem.state == "parked"
    )
    return (await session.execute(query)).scalar_one()


async def settle(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime) -> None:
    """It was dealt with while the database was away: whatever stands here of it is emptied."""
    if not await note_number(session, viewer, update_id, now):
        mine = (InboxItem.tenant_id == viewer.tenant) & (InboxItem.update_id == update_id)
        await session.execute(
            update(InboxItem)
            .where(mine, InboxItem.state.in_(("waiting", "working")))
            .values(state="done", payload=None, answer=None, lease_until=None, holder=None, done_at=now)
        )


async def claim(session: AsyncSession, holder: str, lease: timedelta, most: int) -> list[Claimed]:
    """The oldest open update of chats that nobody works on, for a viewer who is nobody."""
    query = text(
        "SELECT update_id, user_id, chat_id, attempts, failures FROM wall.claim_updates(:holder, :lease, :most)"
    ).bindparams(holder=holder, lease=lease, most=most)
    return [Claimed(*row) for row in await session.execute(query)]


async def hold(session: AsyncSession, holder: str, lease: timedelta, updates: Sequence[int]) -> set[int]:
    """Renew the leases of these updates; gives those that are still ours."""
    query = text("SELECT * FROM wall.hold_updates(:holder, :lease, :updates)").bindparams(
        holder=holder, lease=lease, updates=list(updates)
    )
    return set((await session.execute(query)).scalars())


async def held(session: AsyncSession, viewer: Viewer, update_id: int) -> Held | None:
    found = await session.execute(
        select(InboxItem.payload, InboxItem.answer, InboxItem.sent, InboxItem.preview).where(
            InboxItem.tenant_id == viewer.tenant, InboxItem.update_id == update_id
        )
    )
    row = found.one_or_none()
    return None if row is None else Held(row[0], row[1], tuple(row[2]), row[3])


async def keep_answer(session: AsyncSession, update_id: int, holder: str, answer: bytes) -> bool:
    """Whether the viewer's update is still ours to answer."""
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
    """The viewer's update is dealt with, and emptied; `parked` says why it never will be."""
    query = text("SELECT wall.finish_update(:update, :holder, CAST(:parked AS text))").bindparams(
        update=update_id, holder=holder, parked=parked
    )
    return bool((await session.execute(query)).scalar_one())


async def more_waits(session: AsyncSession, viewer: Viewer, chat: str) -> bool:
    """Whether this person has said more in the chat meanwhile; of others in a group nobody here can tell."""
    query = select(InboxItem.update_id).where(
        InboxItem.tenant_id == viewer.tenant, InboxItem.chat_id == chat, InboxItem.state == "waiting"
    )
    return (await session.execute(query.limit(1))).first() is not None


async def give_back(session: AsyncSession, viewer: Viewer, update_id: int, holder: str, *, failed: str | None) -> bool:
    """Let it be taken up again: its handler broke, or the program ends."""
    more = 0 if failed is None else 1  # an orderly end is no attempt that failed
    return await _changed(
        session,
        _ours(viewer, update_id, holder).values(
            state="waiting",
            lease_until=None,
            holder=None,
            failures=InboxItem.failures + more,
            attempts=InboxItem.attempts - 1 + more,
            why=failed,
        ),
    )


async def clear(session: AsyncSession, before: datetime) -> int:
    """Remove the numbers of updates that were dealt with before this moment, for a viewer who is nobody."""
    query = text("SELECT wall.clear_inbox(:before)").bindparams(before=before)
    return int((await session.execute(query)).scalar_one())


async def state(session: AsyncSession) -> dict[str, tuple[int, datetime]]:
    """How many updates wait, are worked on or are parked, and the oldest of each, for a viewer who is nobody."""
    found = await session.execute(text("SELECT state, updates, oldest FROM wall.inbox_state()"))
    return {name: (count, oldest) for name, count, oldest in found}


def _ours(viewer: Viewer, update_id: int, holder: str) -> Update:
    return update(InboxItem).where(
        InboxItem.tenant_id == viewer.tenant,
        InboxItem.update_id == update_id,
        InboxItem.holder == holder,
        InboxItem.state == "working",
    )


async def _changed(session: AsyncSession, statement: Update) -> bool:
    return bool((await session.execute(statement)).rowcount)  # type: ignore[attr-defined]


async def _added(session: AsyncSession, viewer: Viewer, update_id: int, now: datetime, **told: Any) -> bool:
    key = {"tenant_id": viewer.tenant, "update_id": update_id, "user_id": viewer.person}
    new = insert(InboxItem).values(**key, received_at=now, **told).on_conflict_do_nothing()
    return (await session.execute(new.returning(InboxItem.update_id))).scalar_one_or_none() is not None
