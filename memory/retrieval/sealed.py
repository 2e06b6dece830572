"""Searches sealed content. It has no index and no vectors, so the newest of it is decrypted and compared word by word.

That takes time, so a thread does it within a time limit, best sources first. A quick score finds the best sources: it
looks for the beginnings of the question's terms. It only decides the order, because in some languages a word does not
begin like its stem.
"""

import asyncio
import time
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.ids import derived_id
from db.queries.retrieval import sealed as queries
from db.queries.retrieval.recall import RecallFilter
from db.queries.retrieval.sealed import Rarities, SealedRow
from db.vocabulary import Channel, EventKind
from memory.language.terms import fold, index_terms
from memory.retrieval.chunks import IMPORTANCE, MIN_IMPORTANCE, iter_parts, searchable_text
from memory.unit import Unit

MAX_PARTS = 600
MAX_BYTES = 4_000_000  # as stored
BEGINNING = 4  # letters of a term that the quick score looks for
MAX_QUICK_SCORE_LENGTH = 100_000  # characters; for a longer text, the beginning decides
QUICK_SHARE = 0.7  # share of the time for quick scores; comparing a part takes a millisecond
WORK, REST = 0.005, 0.0001  # seconds

Unseal = Callable[[str, str, bytes], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class UnsealedPart:
    """A decrypted part of a sealed event or document. It must not outlive the unit of work."""

    event_id: str | None
    artifact_id: str | None
    user: str
    thread: str
    seq: int
    part: int
    actor: str
    speaker: str
    kind: str
    ts: datetime
    importance: float
    text: str
    words: float

    @property
    def id(self) -> str:
        """The id that a chunk of this part would have."""
        return derived_id("chk", self.event_id or self.artifact_id or "", self.part)


@dataclass(frozen=True, slots=True)
class SealedResults:
    """The decrypted parts, by id. `complete` is false if the time or a limit ran out. `rarity` sums over the question's
    terms that occur here or in indexed content."""

    found: dict[str, UnsealedPart]
    complete: bool = True
    rarity: float = 0.0


async def search_sealed(unit: Unit, terms: Sequence[str], only: RecallFilter, *, seconds: float) -> SealedResults:
    """Find at most `MAX_PARTS` parts that this viewer may load, within `seconds`."""
    until = time.monotonic() + seconds
    if unit.viewer.channel not in {Channel.PRIVATE, Channel.TEAM}:
        return SealedResults({})
    rows = await queries.newest_sealed(unit.session, unit.viewer, only, limit=MAX_PARTS + 1, most_bytes=MAX_BYTES)
    if not rows:
        return SealedResults({})
    rarities = await queries.rarities(unit.session, unit.viewer, terms)
    unseal = await unit.vault.opener()
    return await asyncio.to_thread(_search, rows, unseal, rarities, until)


@dataclass(frozen=True, slots=True)
class _Source:
    row: SealedRow
    actor: str
    speaker: str
    text: str
    promise: float


class _Folded(dict[int, str]):
    """Folds single characters: several times faster than folding a text, and exact enough for a quick score."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, fold(chr(code)))


FOLDED = _Folded()


class _Clock:
    """A time limit that remembers whether it ran out. Each check may also yield to the event loop: decryption releases
    the interpreter lock too briefly for other threads to get it."""

    def __init__(self, until: float) -> None:
        self._until = until
        self._rested = 0.0
        self.stopped = False

    def is_over(self) -> bool:
        now = time.monotonic()
        if now - self._rested > WORK:
            time.sleep(REST)
            self._rested = now
        self.stopped = self.stopped or now >= self._until
        return self.stopped


def _search(rows: Sequence[SealedRow], unseal: Unseal, rarities: Rarities, until: float) -> SealedResults:
    beginnings = _beginnings(rarities.of)
    now = time.monotonic()
    quick_clock, clock = _Clock(now + QUICK_SHARE * (until - now)), _Clock(until)
    sources = list(_sources(rows[:MAX_PARTS], unseal, beginnings, quick_clock))
    sources.sort(key=lambda source: -source.promise)  # stable: newest first among equals
    found, held, is_bounded = dict[str, UnsealedPart](), set(rarities.held), len(rows) > MAX_PARTS
    for source, part, text in _likely_first(sources, beginnings, clock):
        if len(found) == MAX_PARTS or clock.is_over():
            is_bounded = True
            break
        words, shared = _shared_words(text, rarities)
        held |= shared
        opened = _opened(source, part, text, words)
        found[opened.id] = opened
    is_bounded = is_bounded or not all(row.is_read for row in rows)
    rarity = sum(rarities.of[term] for term in sorted(held))
    return SealedResults(found, not (is_bounded or quick_clock.stopped or clock.stopped), rarity)


def _sources(
    rows: Sequence[SealedRow], unseal: Unseal, beginnings: Mapping[str, float], clock: _Clock
) -> Iterator[_Source]:
    """Decrypt the readable rows, newest first."""
    for row in rows:
        if clock.is_over():
            return
        try:
            content = unseal(row.user, row.source_id, b64decode(row.sealed or "")) or {}
            if row.artifact_id is None:
                actor, speaker = row.actor_id, str(content.get("by") or "")
                text = searchable_text(EventKind(row.kind), content)
            else:
                actor, speaker = str(content["meta"].get("name") or ""), ""
                text = b64decode(content["base64"]).decode()
        except (KeyError, TypeError, ValueError):  # written by another program, or not loaded
            continue
        yield _Source(row, actor, speaker, text, _promise(text, beginnings))


def _likely_first(
    sources: Sequence[_Source], beginnings: Mapping[str, float], clock: _Clock
) -> Iterator[tuple[_Source, int, str]]:
    """Yield the parts that seem to contain a term of the question, then the others."""
    others = []
    for source in sources:
        for part, text in enumerate(iter_parts(source.text) if source.promise else ()):
            if clock.is_over():
                return
            if _promise(text, beginnings):
                yield source, part, text
            else:
                others.append((source, part, text))
    yield from others
    for source in sources:
        for part, text in enumerate(() if source.promise else iter_parts(source.text)):
            yield source, part, text


def _beginnings(rarity: Mapping[str, float]) -> dict[str, float]:
    return {term[:BEGINNING]: rarity[term] for term in sorted(rarity, key=lambda term: rarity[term])}


def _promise(text: str, beginnings: Mapping[str, float]) -> float:
    folded = text[:MAX_QUICK_SCORE_LENGTH].casefold().translate(FOLDED)
    return sum(rarity for beginning, rarity in beginnings.items() if beginning in folded)


def _shared_words(text: str, rarities: Rarities) -> tuple[float, set[str]]:
    """Return the BM25 score that the database would give unsealed text, and the shared terms."""
    held = index_terms(text)
    times = Counter(term for term in held if term in rarities.of)
    slack = 1.2 * (0.25 + 0.75 * len(held) / rarities.length)
    return sum(rarities.of[term] * often * 2.2 / (often + slack) for term, often in times.items()), set(times)


def _opened(source: _Source, part: int, text: str, words: float) -> UnsealedPart:
    row = source.row
    kind = EventKind.ARTIFACT if row.event_id is None else EventKind(row.kind)
    importance = IMPORTANCE.get(kind, MIN_IMPORTANCE)
    return UnsealedPart(
        event_id=row.event_id,
        artifact_id=row.artifact_id,
        user=row.user,
        thread=row.thread,
        seq=row.seq,
        part=part,
        actor=source.actor,
        speaker=source.speaker,
        kind=row.kind,
        ts=row.ts,
        importance=importance,
        text=text,
        words=words,
    )
