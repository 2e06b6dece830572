"""The stored inbox: what a messenger sent, sealed until it is answered.

A lease on the oldest open update of a chat keeps other processes from that chat.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from db.queries.events import inbox as queries
from db.queries.events.inbox import NOBODY, Claimed, Held
from db.viewer import Viewer
from memory.unit import Memory, Unit


@dataclass(slots=True)
class InboxStore:
    """The inbox as one process sees it, which is known by `holder`."""

    memory: Memory
    tenant: str
    lease: timedelta
    holder: str = ""

    def __post_init__(self) -> None:
        self.holder = self.holder or secrets.token_hex(8)

    async def write_down(self, person: str, update_id: int, chat: str, payload: str, at: datetime) -> bool:
        """Whether it is new. After this it is safe, and will be answered. Raises when the database is away."""
        owner = Viewer.in_private(self.tenant, person)
        async with self.memory.unit(owner) as unit:
            sealed = self.sealed(update_id, payload)
            return await queries.write_down(unit.session, owner, update_id, chat, sealed, at)

    async def note_number(self, update_id: int) -> bool:
        """Of an update that is none of ours, that it was there. Whether it is new."""
        nobody = Viewer.in_private(self.tenant, NOBODY)
        async with self.memory.unit(nobody) as unit:
            return await queries.note_number(unit.session, nobody, update_id, unit.now)

    async def put_aside(self, update_id: int, why: str) -> None:
        """Of an update that nobody can read: its number and the kind of the fault."""
        nobody = Viewer.in_private(self.tenant, NOBODY)
        async with self.memory.unit(nobody) as unit:
            await queries.put_aside(unit.session, nobody, update_id, why, unit.now)

    async def claim(self, most: int) -> list[Claimed]:
        """The oldest open update of each of so many chats, for the time of a lease."""
        async with self.memory.database.transaction(Viewer.nobody(self.tenant)) as session:
            return await queries.claim(session, self.holder, self.lease, most)

    async def renew(self, updates: Sequence[int]) -> set[int]:
        """Hold these for another lease; gives those that are still ours."""
        async with self.memory.database.transaction(Viewer.nobody(self.tenant)) as session:
            return await queries.hold(session, self.holder, self.lease, updates)

    async def settle(self, owner: Viewer, update_id: int) -> None:
        """It was answered while the database was away."""
        async with self.memory.unit(owner) as unit:
            await queries.settle(unit.session, owner, update_id, datetime.now(UTC))

    async def held(self, owner: Viewer, update_id: int) -> tuple[str, Held] | None:
        """The payload, opened, and how far its answer is; nothing where it cannot be opened."""
        async with self.memory.unit(owner, read_only=True) as unit:
            held = await queries.held(unit.session, owner, update_id)
        payload = held and held.payload and self.opened(update_id, held.payload)
        return (payload, held) if held and payload else None

    async def park(self, owner: Viewer, update_id: int, why: str) -> None:
        """Given up for good."""
        async with self.memory.unit(owner) as unit:
            await queries.finish(unit.session, update_id, self.holder, parked=why)

    async def give_back(self, owner: Viewer, update_id: int, *, failed: str | None) -> None:
        async with self.memory.unit(owner) as unit:
            await queries.give_back(unit.session, owner, update_id, self.holder, failed=failed)

    def sealed(self, update_id: int, text: str) -> bytes:
        return self.memory.keyring.wrap(text.encode(), sealed_for(self.tenant, update_id))

    def opened(self, update_id: int, sealed: bytes) -> str | None:
        opened = self.memory.keyring.unwrap(sealed, sealed_for(self.tenant, update_id))
        return opened.decode() if opened else None


def sealed_for(tenant: str, update_id: int) -> str:
    """What the payload of an update, or its answer, is bound to."""
    return f"{tenant}\0inbox\0{update_id}"


async def keep_answer(unit: Unit, update_id: int, holder: str, sealed: bytes) -> bool:
    """Whether the update was still ours, and is answered so from here on."""
    return await queries.keep_answer(unit.session, update_id, holder, sealed)


async def keep_preview(unit: Unit, update_id: int, holder: str, message_id: int) -> bool:
    return await queries.keep_preview(unit.session, unit.viewer, update_id, holder, message_id)


async def keep_sent(unit: Unit, update_id: int, holder: str, message_id: int) -> bool:
    return await queries.keep_sent(unit.session, unit.viewer, update_id, holder, message_id)


async def finish(unit: Unit, update_id: int, holder: str) -> None:
    """The update is done and emptied."""
    await queries.finish(unit.session, update_id, holder)


async def more_waits(unit: Unit, chat: str) -> bool:
    return await queries.more_waits(unit.session, unit.viewer, chat)
