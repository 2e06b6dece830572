"""Recall: the chunks that answer a question best, found by words and by vector, within a deadline."""

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from db.pipeline import together
from db.queries.people.people import choices_of
from db.queries.retrieval import recall as queries
from db.queries.retrieval.hits import chunks_by_id
from db.queries.retrieval.recall import CandidateRow, Only, Pool
from db.queries.retrieval.speakers import speakers_heard
from db.viewer import Viewer
from db.vocabulary import EventKind
from memory.concurrency.deadline import in_time
from memory.concurrency.in_thread import in_thread
from memory.errors import KeepsakeError, TooSlow
from memory.language.terms import plain, query_terms
from memory.language.time.times import span_asked
from memory.retrieval.hits import (
    Hit,
    Recalled,
    candidate_of_chunk,
    candidate_of_sealed,
    hit_of_chunk,
    hit_of_sealed,
    truth_first,
)
from memory.retrieval.scoring import Question, Scored, Spread, Weights, named_speakers, score, without_names
from memory.retrieval.sealed import Opened, Sealed, open_sealed
from memory.retrieval.vectors import Asked, Vectors
from memory.unit import Memory, Unit

MOST_SCORED = 200
DEADLINE = timedelta(milliseconds=150)
SECOND = timedelta(seconds=1)
EMBEDDING, SEARCHING = 0.6, 0.7  # shares of the time that is left; the rest is for searching by words alone
OPENING = 0.4  # of a search: for what is sealed
LONGEST_QUESTION = 2000  # characters; what a longer message asks stands at its beginning or its end

log = logging.getLogger(__name__)


async def recall(
    memory: Memory,
    vectors: Vectors | None,
    viewer: Viewer,
    question: str,
    *,
    now: datetime,
    limit: int,
    only: Only | None = None,
    weights: Weights | None = None,
    deadline: timedelta = DEADLINE,
    sensitive: bool = False,
) -> Recalled:
    """Search by words and by vector. An embedder that is away or slow costs the vectors, a database that is too slow
    the vectors first and then everything; the answer says so, comes by the deadline, and is never an error."""
    began = time.perf_counter()
    asking = _Asking(memory, viewer, now, _fit(question), limit, only or Only(), weights or Weights())
    try:
        found = await in_time(asking.search(vectors, deadline, sensitive=sensitive), deadline / SECOND)
    except (TimeoutError, TooSlow):
        found = Recalled(why_not="the database was too slow")
    except KeepsakeError as trouble:
        log.warning("nothing is recalled: %s", type(trouble).__name__)
        found = Recalled(why_not="the memory did not answer")
    return replace(found, milliseconds=round((time.perf_counter() - began) * 1000))


@dataclass(frozen=True, slots=True)
class _Asking:
    memory: Memory
    viewer: Viewer
    now: datetime
    question: str
    limit: int
    only: Only
    weights: Weights

    async def search(self, vectors: Vectors | None, deadline: timedelta, *, sensitive: bool) -> Recalled:
        until = time.perf_counter() + deadline / SECOND
        async with self.memory.unit(self.viewer, now=self.now, read_only=True, patience=deadline) as unit:
            speakers, choices = await together(
                unit.session,
                lambda session: speakers_heard(session, self.viewer),
                lambda session: choices_of(session, self.viewer),
            )
        asked = Asked(why_not="no embedder is set")
        if vectors is not None:
            bare = without_names(self.question, speakers)
            left = until - time.perf_counter()
            asked = await vectors.ask(self.viewer, bare, EMBEDDING * left, sensitive=sensitive)
        search = _Search(
            question=self.question,
            terms=await in_thread(len(self.question), query_terms, self.question),
            now=self.now,
            timezone=ZoneInfo(choices.timezone),
            speakers=named_speakers(self.question, speakers),
            only=self.only,
            weights=self.weights,
            limit=self.limit,
        )
        if asked.vector is not None:
            left = SEARCHING * (until - time.perf_counter())
            try:
                return await in_time(self._run(search, asked, left), left)
            except (TimeoutError, TooSlow):
                asked = Asked(why_not="the search by vectors was too slow")
        return await self._run(search, asked, until - time.perf_counter())

    async def _run(self, search: "_Search", asked: Asked, seconds: float) -> Recalled:
        if seconds <= 0:
            raise TooSlow("There is no time left to search.")
        patience = seconds * SECOND
        async with self.memory.unit(self.viewer, now=self.now, read_only=True, patience=patience) as unit:
            return await search.run(unit, asked, OPENING * seconds)


@dataclass(frozen=True, slots=True)
class _Search:
    question: str
    terms: Sequence[str]
    now: datetime
    timezone: ZoneInfo
    speakers: frozenset[str]
    only: Only
    weights: Weights
    limit: int

    async def run(self, unit: Unit, asked: Asked, opening: float) -> Recalled:
        pool = await queries.candidates(
            unit.session, unit.viewer, terms=self.terms, vector=asked.vector, model=asked.model, only=self.only
        )
        sealed = await open_sealed(unit, self.terms, self.only, seconds=opening)
        best = truth_first(self._score(pool, sealed), {row.id: row for row in pool.rows})
        kept, repeated = _each_once(best, pool.rows, sealed.found)
        hits = await self._hits(unit, kept[: self.limit], sealed.found)
        known = {row.id: row for row in pool.rows}
        unopened = "" if sealed.complete else "not all that is sealed was searched"
        return Recalled(
            hits=tuple(hits),
            candidates=len(pool.rows) + len(sealed.found),
            scored=len(best),
            how="words and vectors" if asked.vector is not None else "words alone",
            why_not="; ".join(filter(None, (asked.why_not, unopened))),
            terms=tuple(self.terms),
            decided=tuple(_events(known, best)),
            repeated=tuple(repeated),
        )

    def _score(self, pool: Pool, sealed: Sealed) -> list[Scored]:
        opened = sealed.found.values()
        candidates = [candidate_of_chunk(row) for row in pool.rows] + [candidate_of_sealed(each) for each in opened]
        spread = None if pool.mean is None or pool.spread is None else Spread(pool.mean, pool.spread)
        question = Question(
            self.now,
            max(pool.rarity, sealed.rarity),
            self.speakers,
            span_asked(self.question, self.now.astimezone(self.timezone)),
        )
        return score(question, candidates, self.weights, spread, limit=MOST_SCORED)

    async def _hits(self, unit: Unit, best: Sequence[Scored], opened: Mapping[str, Opened]) -> list[Hit]:
        ids = [each.candidate.id for each in best if each.candidate.id not in opened]
        known = await chunks_by_id(unit.session, unit.viewer, ids)
        hits = []
        for each in best:
            if sealed := opened.get(each.candidate.id):
                hits.append(hit_of_sealed(each, sealed))
            elif chunk := known.get(each.candidate.id):
                hits.append(hit_of_chunk(each, chunk))
        return hits


def _fit(question: str) -> str:
    """The beginning and the end of a long message."""
    half = LONGEST_QUESTION // 2
    return question if len(question) <= LONGEST_QUESTION else f"{question[:half]} {question[-half:]}"


def _each_once(
    best: Sequence[Scored], rows: Sequence[CandidateRow], opened: Mapping[str, Opened]
) -> tuple[list[Scored], list[str]]:
    """The same words twice are shown once, where they stand best."""
    hashes: dict[str, object] = {row.id: row.text_hash for row in rows}
    hashes |= {id: plain(each.text) for id, each in opened.items()}
    seen, kept, repeated = set(), [], []
    for each in best:
        if hashes[each.candidate.id] in seen:
            repeated.append(each.candidate.id)
        else:
            seen.add(hashes[each.candidate.id])
            kept.append(each)
    return kept, repeated


def _events(known: Mapping[str, CandidateRow], best: Sequence[Scored]) -> Iterable[str]:
    for each in best:
        row = known.get(each.candidate.id)
        if row is not None and row.kind == EventKind.DECISION and row.event_id is not None:
            yield row.event_id
