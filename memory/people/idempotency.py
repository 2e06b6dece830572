"""Idempotency keys: a write that names itself is done once; when it comes again, it is answered in the same words."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from db.queries.people import requests as queries
from memory.errors import KeyMissing
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class NamedWrite:
    """Who names the write by their API key, what they call it, and a hash of all that they ask."""

    key_id: str
    name: str
    fingerprint: bytes

    @property
    def place(self) -> str:
        """Where its sealed answer belongs: in another place it does not open."""
        return f"{self.key_id}\0{self.name}"


@dataclass(frozen=True, slots=True)
class EarlierWrite:
    """What was done under the same name before."""

    is_same: bool
    """Whether the same was asked; else the name is taken."""
    status: int | None = None
    answer: dict[str, Any] | None = None
    """Nothing where something was forgotten since, or the key that opens it is missing."""


async def begin(unit: Unit, write: NamedWrite) -> bool:
    """Whether this write is new. One that is under way elsewhere is waited for."""
    is_new = await queries.begin_request(
        unit.session, unit.viewer, key_id=write.key_id, name=write.name, hash=write.fingerprint, now=unit.now
    )
    if is_new:
        with suppress(KeyMissing):  # a first one is a change of the user's row, which comes before all others
            await unit.vault.own_key()
    return is_new


async def finish(unit: Unit, write: NamedWrite, status: int, answer: dict[str, Any] | None) -> None:
    """That it was done, with what was answered. The answer is sealed; without one, or a key to seal it with, that it
    was done is enough to do it once."""
    sealed = None
    if answer is not None:
        with suppress(KeyMissing):
            sealed = await unit.vault.seal(write.place, answer)
    await queries.keep_answer(
        unit.session, unit.viewer, key_id=write.key_id, name=write.name, status=status, answer=sealed
    )


async def earlier(unit: Unit, write: NamedWrite) -> EarlierWrite:
    before = await queries.request_before(unit.session, unit.viewer, key_id=write.key_id, name=write.name)
    if before is None or before.hash != write.fingerprint:
        return EarlierWrite(is_same=False)
    told = await unit.vault.open(unit.viewer.person, write.place, before.answer) if before.answer else None
    return EarlierWrite(is_same=True, status=before.status, answer=told)
