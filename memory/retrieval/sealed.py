"""Searches what is sealed: it has no index and no vector, so the newest of it is opened and compared word by word.

That takes time, and a reply does not wait for it: a thread does it, by the clock, and begins where a glance promises
most. A glance looks for the beginnings of the words that are asked for. It decides the order and nothing else, because
in some languages a word does not begin as its stem does.
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
from db.queries.retrieval.recall import Only
from db.queries.retrieval.sealed import Rarities, SealedRow
from db.vocabulary import Channel, EventKind
from memory.language.terms import fold, index_terms
from memory.retrieval.chunks import IMPORTANCE, LEAST_IMPORTANCE, parts_of, words_of
from memory.unit import Unit

MOST_PARTS = 600
MOST_BYTES = 4_000_000  # as they lie in the database
BEGINNING = 4  # letters of a word that a glance looks for
LONGEST_GLANCE = 100_000  # characters; a book is judged by its first chapters
GLANCING = 0.7  # of the time; to compare a part afterwards takes a millisecond
WORK, REST = 0.005, 0.0001  # seconds

Unseal = Callable[[str, str, bytes], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A part of a sealed event or document, as long as the unit of work lasts."""

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
        """That a chunk of it would have."""
        return derived_id("chk", self.event_id or self.artifact_id or "", self.part)


@dataclass(frozen=True, slots=True)
class Sealed:
    """What was opened, by id. It is not complete where the clock or a bound left something out. `rarity` is that of all
    the words asked for that stand here, or in what has an index."""

    found: dict[str, Opened]
    complete: bool = True
    rarity: float = 0.0


async def open_sealed(unit: Unit, terms: Sequence[str], only: Only, *, seconds: float) -> Sealed:
    """At most `MOST_PARTS` parts of what this viewer may load, found within so many seconds."""
    until = time.monotonic() + seconds
    if unit.viewer.channel not in {Channel.PRIVATE, Channel.TEAM}:
        return Sealed({})
    rows = await queries.newest_sealed(unit.session, unit.viewer, only, limit=MOST_PARTS + 1, most_bytes=MOST_BYTES)
    if not rows:
        return Sealed({})
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
    """Sign by sign, which is several times as fast as a text, and exact enough for a glance."""

    def __missing__(self, sign: int) -> str:
        return self.setdefault(sign, fold(chr(sign)))


FOLDED = _Folded()


class _Clock:
    """Remembers that it stopped somebody. Who looks at it also gives way to the event loop now and then: a thread that
    decrypts gives the interpreter's lock away so often and so briefly that others never get it."""

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


def _search(rows: Sequence[SealedRow], unseal: Unseal, rarities: Rarities, until: float) -> Sealed:
    beginnings = _beginnings(rarities.of)
    now = time.monotonic()
    glancing, clock = _Clock(now + GLANCING * (until - now)), _Clock(until)
    sources = list(_sources(rows[:MOST_PARTS], unseal, beginnings, glancing))
    sources.sort(key=lambda source: -source.promise)  # the newest first among equals
    found, held, is_bounded = dict[str, Opened](), set(rarities.held), len(rows) > MOST_PARTS
    for source, part, text in _likely_first(sources, beginnings, clock):
        if len(found) == MOST_PARTS or clock.is_over():
            is_bounded = True
            break
        words, standing = _shared_words(text, rarities)
        held |= standing
        opened = _opened(source, part, text, words)
        found[opened.id] = opened
    is_bounded = is_bounded or not all(row.is_read for row in rows)
    rarity = sum(rarities.of[term] for term in sorted(held))
    return Sealed(found, not (is_bounded or glancing.stopped or clock.stopped), rarity)


def _sources(
    rows: Sequence[SealedRow], unseal: Unseal, beginnings: Mapping[str, float], clock: _Clock
) -> Iterator[_Source]:
    """What can be opened, newest first."""
    for row in rows:
        if clock.is_over():
            return
        try:
            content = unseal(row.user, row.source_id, b64decode(row.sealed or "")) or {}
            if row.artifact_id is None:
                actor, speaker = row.actor_id, str(content.get("by") or "")
                text = words_of(EventKind(row.kind), content)
            else:
                actor, speaker = str(content["meta"].get("name") or ""), ""
                text = b64decode(content["base64"]).decode()
        except (KeyError, TypeError, ValueError):  # nothing that we wrote, or not read
            continue
        yield _Source(row, actor, speaker, text, _promise(text, beginnings))


def _likely_first(
    sources: Sequence[_Source], beginnings: Mapping[str, float], clock: _Clock
) -> Iterator[tuple[_Source, int, str]]:
    """The parts in which a word that is asked for seems to stand, then the others."""
    others = []
    for source in sources:
        for part, text in enumerate(parts_of(source.text) if source.promise else ()):
            if clock.is_over():
                return
            if _promise(text, beginnings):
                yield source, part, text
            else:
                others.append((source, part, text))
    yield from others
    for source in sources:
        for part, text in enumerate(() if source.promise else parts_of(source.text)):
            yield source, part, text


def _beginnings(rarity: Mapping[str, float]) -> dict[str, float]:
    return {term[:BEGINNING]: rarity[term] for term in sorted(rarity, key=lambda term: rarity[term])}


def _promise(text: str, beginnings: Mapping[str, float]) -> float:
    folded = text[:LONGEST_GLANCE].casefold().translate(FOLDED)
    return sum(rarity for beginning, rarity in beginnings.items() if beginning in folded)


def _shared_words(text: str, rarities: Rarities) -> tuple[float, set[str]]:
    """BM25, as the database ranks the words of what is not sealed; and which words they are."""
    held = index_terms(text)
    times = Counter(term for term in held if term in rarities.of)
    slack = 1.2 * (0.25 + 0.75 * len(held) / rarities.length)
    return sum(rarities.of[term] * often * 2.2 / (often + slack) for term, often in times.items()), set(times)


def _opened(source: _Source, part: int, text: str, words: float) -> Opened:
    row = source.row
    kind = EventKind.ARTIFACT if row.event_id is None else EventKind(row.kind)
    importance = IMPORTANCE.get(kind, LEAST_IMPORTANCE)
    return Opened(
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
