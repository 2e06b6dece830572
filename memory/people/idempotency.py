"""Idempotency keys: a write with a key is done once, and repeating it returns the first answer."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from db.queries.people import requests as queries
from memory.errors import KeyMissing
from memory.unit import Unit


@dataclass(frozen=True, slots=True)
class NamedWrite:
    """A write with an idempotency key: the API key, the idempotency key's hash, and a hash of the whole request."""

    key_id: str
    name: str
    fingerprint: bytes

    @property
    def place(self) -> str:
        """The place that the answer is sealed for."""
        return f"{self.key_id}\0{self.name}"


@dataclass(frozen=True, slots=True)
class EarlierWrite:
    """An earlier write with the same idempotency key."""

    is_same: bool
    """Whether the request was the same. If not, the key is taken."""
    status: int | None = None
    answer: dict[str, Any] | None = None
    """None if something was forgotten since, or if the encryption key is missing."""


async def begin(unit: Unit, write: NamedWrite) -> bool:
    """Register a write and return whether it is new. Waits for the same write in another transaction."""
    is_new = await queries.begin_request(
        unit.session, unit.viewer, key_id=write.key_id, name=write.name, hash=write.fingerprint, now=unit.now
    )
    if is_new:
        with suppress(KeyMissing):  # creating the key locks the user's row, and that lock must come first
            await unit.vault.own_key()
    return is_new


async def finish(unit: Unit, write: NamedWrite, status: int, answer: dict[str, Any] | None) -> None:
    """Record that the write was done, with its answer where there is one and a key to seal it."""
    sealed = None
    if answer is not None:
        with suppress(KeyMissing):
            sealed = await unit.vault.seal(write.place, answer)
    await queries.keep_answer(
        unit.session, unit.viewer, key_id=write.key_id, name=write.name, status=status, answer=sealed
    )


async def find_earlier(unit: Unit, write: NamedWrite) -> EarlierWrite:
    before = await queries.request_before(unit.session, unit.viewer, key_id=write.key_id, name=write.name)
    if before is None or before.hash != write.fingerprint:
        return EarlierWrite(is_same=False)
    answer = await unit.vault.open(unit.viewer.person, write.place, before.answer) if before.answer else None
    return EarlierWrite(is_same=True, status=before.status, answer=answer)
