"""Searches what is sealed: it has no index and no vector, so its newest events are opened and compared word by word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from db.ids import derived_id
from db.queries import sealed as queries
from db.queries.recall import Only
from db.queries.sealed import SealedRow
from db.vocabulary import Channel, EventKind
from memory.chunks import cut, words_of
from memory.record import open_content
from memory.retrieval.languages import index_terms
from memory.unit import Unit

MOST_SEALED = 300


@dataclass(frozen=True, slots=True)
class Opened:
    """A part of a sealed event, as long as the unit of work lasts."""

    row: SealedRow
    part: int
    text: str
    words: float

    @property
    def id(self) -> str:
        return derived_id("chk", self.row.event_id, self.part)


@dataclass(frozen=True, slots=True)
class Sealed:
    found: dict[str, Opened]
    complete: bool
    rarity: float


async def open_sealed(unit: Unit, terms: Sequence[str], only: Only, *, seconds: float) -> Sealed:
    """By the id that a chunk of it would have. Where a search is limited to kinds or tags, there is nothing to open."""
    if unit.viewer.channel not in {Channel.PRIVATE, Channel.TEAM} or only.kinds or only.tags:
        return Sealed({}, True, 0.0)
    rows = await queries.sealed_events(unit.session, unit.viewer, limit=MOST_SEALED)
    rows = [row for row in rows if row.event_id not in only.without_events and _within(row, only)]
    if not rows:
        return Sealed({}, True, 0.0)
    rare, usual = await queries.rarities(unit.session, unit.viewer, terms)
    found = []
    for row in rows:
        content = await open_content(unit, row.user, row.event_id, row.content)
        parts = cut(words_of(EventKind(row.kind), content))
        found += [Opened(row, part, text, shared_words(text, rare, usual)) for part, text in enumerate(parts)]
    return Sealed({each.id: each for each in found}, True, sum(rare.values()))


def shared_words(text: str, rare: Mapping[str, float], usual: float) -> float:
    """BM25, as the database ranks the words of what is not sealed."""
    held = index_terms(text)
    slack = 1.2 * (0.25 + 0.75 * len(held) / usual)
    times = {term: held.count(term) for term in rare}
    return sum(rarity * times[term] * 2.2 / (times[term] + slack) for term, rarity in rare.items())


def _within(row: SealedRow, only: Only) -> bool:
    return (only.since is None or row.ts >= only.since) and (only.until is None or row.ts < only.until)
