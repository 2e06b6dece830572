"""Marks what was forgotten so that it does not come back, without keeping the words: a salted hash of them."""

import os
from collections.abc import Sequence
from hashlib import sha256

from db.ids import timed_id
from db.queries import erasure
from db.queries.erasure import TombstoneRow
from db.queries.facts import FactRow
from memory.retrieval.languages import plain, telling
from memory.unit import Unit


async def lay(unit: Unit, versions: Sequence[FactRow]) -> None:
    """One stone for each different wording of what is being forgotten."""
    stones = {}
    for row in versions:
        if row.content is not None:
            salt = os.urandom(16)
            stone = TombstoneRow(row.source_event_id, row.span, salt, hashed(salt, row.content))
            stones[(essence(row.content), row.source_event_id, row.span)] = stone
    named = [(timed_id("tmb", unit.now), stone) for stone in stones.values()]
    await erasure.add_tombstones(unit.session, unit.viewer, named, unit.now)


async def forbidden(unit: Unit, words: str) -> bool:
    """Whether these words were forgotten before: only their owner's own order brings them back."""
    stones = await erasure.tombstones_of(unit.session, unit.viewer)
    return any(matches(stone, words) for stone in stones)


def matches(stone: TombstoneRow, words: str) -> bool:
    return hashed(bytes(stone.salt), words) == bytes(stone.hash)


def hashed(salt: bytes, words: str) -> bytes:
    return sha256(salt + essence(words).encode()).digest()


def essence(words: str) -> str:
    """What two wordings of the same thing have in common: their telling words, in any order."""
    return " ".join(sorted(telling(words))) or plain(words)
