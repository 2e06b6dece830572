"""Marks what was forgotten so that it does not come back, without keeping the words: a salted hash of them."""

import os
from collections.abc import Sequence
from hashlib import sha256

from db.ids import timed_id
from db.queries.facts.facts import FactRow
from db.queries.facts.proposals import ProposalRow
from db.queries.privacy import erasure
from db.queries.privacy.erasure import TombstoneRow
from memory.language.spans import blanked, part_spans, sentence_spans
from memory.language.terms import plain, telling
from memory.unit import Unit

LONGEST_WORDS = 1_000  # characters; no fact has more, whatever its words are wrapped in


async def lay(unit: Unit, versions: Sequence[FactRow | ProposalRow]) -> None:
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
    return is_forgotten(words, stones)


async def lay_for_messages(unit: Unit, event_ids: Sequence[str]) -> None:
    """One stone for each message that goes as a whole and that an import could bring again, whatever it said."""
    named = [(timed_id("tmb", unit.now), event_id) for event_id in event_ids]
    await erasure.add_tombstones_of_messages(unit.session, unit.viewer, named, unit.now)


def without_forgotten(text: str, stones: Sequence[TombstoneRow]) -> str:
    """A text of which every sentence that was forgotten is blanked, and every part of one between its marks. More
    cannot be told where only hashes are left."""
    whole = [(0, len(text))] if len(text) <= LONGEST_WORDS else []
    spans = [*whole, *sentence_spans(text), *part_spans(text)] if stones else []
    gone = [span for span in spans if span[1] - span[0] <= LONGEST_WORDS and is_forgotten(text[slice(*span)], stones)]
    return blanked(text, gone) if gone else text


def is_forgotten(words: str, stones: Sequence[TombstoneRow]) -> bool:
    spelled = essence(words).encode()
    return any(sha256(bytes(stone.salt) + spelled).digest() == bytes(stone.hash) for stone in stones)


def hashed(salt: bytes, words: str) -> bytes:
    return sha256(salt + essence(words).encode()).digest()


def essence(words: str) -> str:
    """What two wordings of the same thing have in common: their telling words, in any order."""
    return " ".join(sorted(telling(words))) or plain(words)
