"""Tombstones: salted hashes of forgotten words that keep them from coming back without storing them."""

import os
from collections.abc import Sequence
from hashlib import sha256

from db.ids import timed_id
from db.queries.facts.facts import FactRow
from db.queries.facts.proposals import ProposalRow
from db.queries.privacy import erasure
from db.queries.privacy.erasure import TombstoneRow
from memory.language.spans import blank_out, part_spans, sentence_spans
from memory.language.terms import key_terms, normalise
from memory.unit import Unit

LONGEST_WORDS = 1_000  # characters; no fact is longer


async def add_tombstones(unit: Unit, versions: Sequence[FactRow | ProposalRow]) -> None:
    """Add one tombstone for each distinct wording and source."""
    tombstones = {}
    for row in versions:
        if row.content is not None:
            salt = os.urandom(16)
            tombstone = TombstoneRow(row.source_event_id, row.span, salt, hash_words(salt, row.content))
            tombstones[(canonical_words(row.content), row.source_event_id, row.span)] = tombstone
    named = [(timed_id("tmb", unit.now), tombstone) for tombstone in tombstones.values()]
    await erasure.add_tombstones(unit.session, unit.viewer, named, unit.now)


async def was_forgotten(unit: Unit, words: str) -> bool:
    """Whether the viewer had these words forgotten. Only an order of the owner's brings them back."""
    return matches_tombstone(words, await erasure.tombstones_of(unit.session, unit.viewer))


async def add_message_tombstones(unit: Unit, event_ids: Sequence[str]) -> None:
    """Add one tombstone for each removed message that an import could bring back."""
    named = [(timed_id("tmb", unit.now), event_id) for event_id in event_ids]
    await erasure.add_tombstones_of_messages(unit.session, unit.viewer, named, unit.now)


def without_forgotten(text: str, tombstones: Sequence[TombstoneRow]) -> str:
    """Blank every forgotten sentence, and every forgotten part of one between punctuation marks.

    Hashes only match whole sentences and parts; forgotten words inside a longer part are not found.
    """
    whole = [(0, len(text))] if len(text) <= LONGEST_WORDS else []
    spans = [*whole, *sentence_spans(text), *part_spans(text)] if tombstones else []
    forgotten = [
        (start, end)
        for start, end in spans
        if end - start <= LONGEST_WORDS and matches_tombstone(text[start:end], tombstones)
    ]
    return blank_out(text, forgotten) if forgotten else text


def matches_tombstone(words: str, tombstones: Sequence[TombstoneRow]) -> bool:
    canonical = canonical_words(words).encode()
    return any(sha256(bytes(tombstone.salt) + canonical).digest() == bytes(tombstone.hash) for tombstone in tombstones)


def hash_words(salt: bytes, words: str) -> bytes:
    return sha256(salt + canonical_words(words).encode()).digest()


def canonical_words(words: str) -> str:
    """The key terms in a fixed order: the same for two wordings of one statement."""
    return " ".join(sorted(key_terms(words))) or normalise(words)
