"""Stores the updates of a messenger, encrypted, until they are answered.

A lease on the oldest open update of a chat keeps other processes away from that chat.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from db.queries.events import inbox as queries
from db.queries.events.inbox import NOBODY, Claimed, InboxRow
from db.viewer import Viewer
from memory.unit import Memory, Unit


@dataclass(slots=True)
class InboxStore:
    """The inbox of one process, which takes leases under the name `holder`."""

    memory: Memory
    tenant: str
    lease: timedelta
    holder: str = ""

    def __post_init__(self) -> None:
        self.holder = self.holder or secrets.token_hex(8)

    async def add_update(self, person: str, update_id: int, chat: str, payload: str, at: datetime) -> bool:
        """Store an update durably. Returns whether it is new. Raises when the database is unavailable."""
        owner = Viewer.in_private(self.tenant, person)
        async with self.memory.unit(owner) as unit:
            sealed = self.seal(update_id, payload)
            return await queries.add_update(unit.session, owner, update_id, chat, sealed, at)

    async def record_number(self, update_id: int) -> bool:
        """Record the number of an update that is not for us. Returns whether it is new."""
        nobody = Viewer.in_private(self.tenant, NOBODY)
        async with self.memory.unit(nobody) as unit:
            return await queries.record_number(unit.session, nobody, update_id, unit.now)

    async def record_unreadable(self, update_id: int, why: str) -> None:
        """Record the number of an update that cannot be parsed, and the kind of error."""
        nobody = Viewer.in_private(self.tenant, NOBODY)
        async with self.memory.unit(nobody) as unit:
            await queries.record_unreadable(unit.session, nobody, update_id, why, unit.now)

    async def claim(self, limit: int) -> list[Claimed]:
        """Lease the oldest open update of each of up to `limit` chats."""
        async with self.memory.database.transaction(Viewer.nobody(self.tenant)) as session:
            return await queries.claim(session, self.holder, self.lease, limit)

    async def renew(self, updates: Sequence[int]) -> set[int]:
        """Renew the leases of these updates. Returns those that are still ours."""
        async with self.memory.database.transaction(Viewer.nobody(self.tenant)) as session:
            return await queries.renew_leases(session, self.holder, self.lease, updates)

    async def mark_answered(self, owner: Viewer, update_id: int) -> None:
        """Mark an update that was answered while the database was unavailable."""
        async with self.memory.unit(owner) as unit:
            await queries.mark_done(unit.session, owner, update_id, datetime.now(UTC))

    async def load_update(self, owner: Viewer, update_id: int) -> tuple[str, InboxRow] | None:
        """Return the decrypted payload and the row with the answer so far, or None if it cannot be decrypted."""
        async with self.memory.unit(owner, read_only=True) as unit:
            row = await queries.find_update(unit.session, owner, update_id)
        payload = row and row.payload and self.open(update_id, row.payload)
        return (payload, row) if row and payload else None

    async def park(self, owner: Viewer, update_id: int, why: str) -> None:
        """Give up on an update for good."""
        async with self.memory.unit(owner) as unit:
            await queries.finish(unit.session, update_id, self.holder, parked=why)

    async def release(self, owner: Viewer, update_id: int, *, error: str | None) -> None:
        """Return an update to the inbox. `error` is the kind of error if handling failed, otherwise None."""
        async with self.memory.unit(owner) as unit:
            await queries.release(unit.session, owner, update_id, self.holder, error=error)

    def seal(self, update_id: int, text: str) -> bytes:
        return self.memory.keyring.wrap(text.encode(), seal_context(self.tenant, update_id))

    def open(self, update_id: int, sealed: bytes) -> str | None:
        opened = self.memory.keyring.unwrap(sealed, seal_context(self.tenant, update_id))
        return opened.decode() if opened else None


def seal_context(tenant: str, update_id: int) -> str:
    """The encryption context of an update's payload and answer. Without it they cannot be decrypted."""
    return f"{tenant}\0inbox\0{update_id}"


async def save_answer(unit: Unit, update_id: int, holder: str, sealed: bytes) -> bool:
    """Save the answer of an update. Returns False if the lease was lost."""
    return await queries.keep_answer(unit.session, update_id, holder, sealed)


async def save_preview(unit: Unit, update_id: int, holder: str, message_id: int) -> bool:
    return await queries.keep_preview(unit.session, unit.viewer, update_id, holder, message_id)


async def save_sent(unit: Unit, update_id: int, holder: str, message_id: int) -> bool:
    return await queries.keep_sent(unit.session, unit.viewer, update_id, holder, message_id)


async def finish_update(unit: Unit, update_id: int, holder: str) -> None:
    """Mark an update as done and delete its payload."""
    await queries.finish(unit.session, update_id, holder)


async def has_more_updates(unit: Unit, chat: str) -> bool:
    return await queries.has_waiting_updates(unit.session, unit.viewer, chat)
