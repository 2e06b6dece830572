"""Recall: finds the chunks that best answer a question, by words and by vector, within a deadline."""

import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from db.pipeline import pipelined
from db.queries.people.people import choices_of
from db.queries.retrieval import recall as queries
from db.queries.retrieval.hits import chunks_by_id
from db.queries.retrieval.recall import CandidatePool, CandidateRow, RecallFilter
from db.queries.retrieval.speakers import speakers_heard
from db.viewer import Viewer
from db.vocabulary import EventKind
from memory.concurrency.deadline import wait_with_deadline
from memory.concurrency.in_thread import in_thread
from memory.errors import KeepsakeError, StatementTimeout
from memory.language.terms import normalise, query_terms
from memory.language.time.time_spans import time_span_in
from memory.retrieval.hits import (
    Hit,
    RecallResult,
    candidate_of_chunk,
    candidate_of_sealed,
    hit_of_chunk,
    hit_of_sealed,
    sources_before_summaries,
)
from memory.retrieval.scoring import Question, Scored, SimilarityStats, Weights, named_speakers, score, strip_names
from memory.retrieval.sealed import SealedResults, UnsealedPart, search_sealed
from memory.retrieval.vector_index import QuestionVector, VectorIndex
from memory.unit import Memory, Unit

MAX_SCORED = 200
DEADLINE = timedelta(milliseconds=150)
SECOND = timedelta(seconds=1)
EMBEDDING_SHARE, SEARCH_SHARE = 0.6, 0.7  # of the remaining time; the fallback, words alone, gets the rest
SEALED_SHARE = 0.4  # of the time of a search, for sealed texts
MAX_QUESTION_LENGTH = 2000  # characters; a longer message asks its question at the beginning or the end

log = logging.getLogger(__name__)


async def recall(
    memory: Memory,
    vectors: VectorIndex | None,
    viewer: Viewer,
    question: str,
    *,
    now: datetime,
    limit: int,
    only: RecallFilter | None = None,
    weights: Weights | None = None,
    deadline: timedelta = DEADLINE,
    sensitive: bool = False,
) -> RecallResult:
    """Search by words and by vector. Always returns by the deadline, and never raises a `KeepsakeError`.

    If the embedder or the database is slow, the search uses words alone. If that is too slow as well, the result is
    empty. `why_not` gives the reason.
    """
    started = time.perf_counter()
    run = _RecallRun(memory, viewer, now, _shorten(question), limit, only or RecallFilter(), weights or Weights())
    try:
        result = await wait_with_deadline(run.search(vectors, deadline, sensitive=sensitive), deadline / SECOND)
    except (TimeoutError, StatementTimeout):
        result = RecallResult(why_not="the database was too slow")
    except KeepsakeError as error:
        log.warning("nothing is recalled: %s", type(error).__name__)
        result = RecallResult(why_not="the memory did not answer")
    return replace(result, milliseconds=round((time.perf_counter() - started) * 1000))


@dataclass(frozen=True, slots=True)
class _RecallRun:
    """One recall: embeds the question, then searches. If the search is too slow, searches again without the vector."""

    memory: Memory
    viewer: Viewer
    now: datetime
    question: str
    limit: int
    only: RecallFilter
    weights: Weights

    async def search(self, vectors: VectorIndex | None, deadline: timedelta, *, sensitive: bool) -> RecallResult:
        ends_at = time.perf_counter() + deadline / SECOND
        async with self.memory.unit(self.viewer, now=self.now, read_only=True, statement_timeout=deadline) as unit:
            speakers, choices = await pipelined(
                unit.session,
                lambda session: speakers_heard(session, self.viewer),
                lambda session: choices_of(session, self.viewer),
            )
        question_vector = QuestionVector(why_not="no embedder is set")
        if vectors is not None:
            nameless = strip_names(self.question, speakers)
            seconds = EMBEDDING_SHARE * (ends_at - time.perf_counter())
            question_vector = await vectors.embed_question(self.viewer, nameless, seconds, sensitive=sensitive)
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
        if question_vector.vector is not None:
            seconds = SEARCH_SHARE * (ends_at - time.perf_counter())
            try:
                return await wait_with_deadline(self._run(search, question_vector, seconds), seconds)
            except (TimeoutError, StatementTimeout):
                question_vector = QuestionVector(why_not="the search by vectors was too slow")
        return await self._run(search, question_vector, ends_at - time.perf_counter())

    async def _run(self, search: "_Search", question_vector: QuestionVector, seconds: float) -> RecallResult:
        if seconds <= 0:
            raise StatementTimeout("There is no time left to search.")
        timeout = seconds * SECOND
        async with self.memory.unit(self.viewer, now=self.now, read_only=True, statement_timeout=timeout) as unit:
            return await search.run(unit, question_vector, SEALED_SHARE * seconds)


@dataclass(frozen=True, slots=True)
class _Search:
    question: str
    terms: Sequence[str]
    now: datetime
    timezone: ZoneInfo
    speakers: frozenset[str]
    only: RecallFilter
    weights: Weights
    limit: int

    async def run(self, unit: Unit, question_vector: QuestionVector, sealed_seconds: float) -> RecallResult:
        pool = await queries.candidates(
            unit.session,
            unit.viewer,
            terms=self.terms,
            vector=question_vector.vector,
            model=question_vector.model,
            only=self.only,
        )
        sealed = await search_sealed(unit, self.terms, self.only, seconds=sealed_seconds)
        rows = {row.id: row for row in pool.rows}
        best = sources_before_summaries(self._score(pool, sealed), rows)
        distinct, duplicate_ids = _drop_duplicates(best, pool.rows, sealed.found)
        hits = await self._hits(unit, distinct[: self.limit], sealed.found)
        why_incomplete = "" if sealed.complete else "not all that is sealed was searched"
        return RecallResult(
            hits=tuple(hits),
            candidates=len(pool.rows) + len(sealed.found),
            scored=len(best),
            how="words and vectors" if question_vector.vector is not None else "words alone",
            why_not="; ".join(filter(None, (question_vector.why_not, why_incomplete))),
            terms=tuple(self.terms),
            decision_event_ids=tuple(_decision_event_ids(rows, best)),
            duplicate_ids=tuple(duplicate_ids),
        )

    def _score(self, pool: CandidatePool, sealed: SealedResults) -> list[Scored]:
        unsealed = sealed.found.values()
        candidates = [candidate_of_chunk(row) for row in pool.rows] + [candidate_of_sealed(part) for part in unsealed]
        stats = None if pool.mean is None or pool.spread is None else SimilarityStats(pool.mean, pool.spread)
        question = Question(
            self.now,
            max(pool.rarity, sealed.rarity),
            self.speakers,
            time_span_in(self.question, self.now.astimezone(self.timezone)),
        )
        return score(question, candidates, self.weights, stats, limit=MAX_SCORED)

    async def _hits(self, unit: Unit, best: Sequence[Scored], unsealed: Mapping[str, UnsealedPart]) -> list[Hit]:
        ids = [scored.candidate.id for scored in best if scored.candidate.id not in unsealed]
        chunks = await chunks_by_id(unit.session, unit.viewer, ids)
        hits = []
        for scored in best:
            if part := unsealed.get(scored.candidate.id):
                hits.append(hit_of_sealed(scored, part))
            elif chunk := chunks.get(scored.candidate.id):
                hits.append(hit_of_chunk(scored, chunk))
        return hits


def _shorten(question: str) -> str:
    """Reduce a long message to its beginning and its end."""
    half = MAX_QUESTION_LENGTH // 2
    return question if len(question) <= MAX_QUESTION_LENGTH else f"{question[:half]} {question[-half:]}"


def _drop_duplicates(
    best: Sequence[Scored], rows: Sequence[CandidateRow], unsealed: Mapping[str, UnsealedPart]
) -> tuple[list[Scored], list[str]]:
    """Keep only the best candidate for each text. Return the ids of the others too."""
    text_keys: dict[str, object] = {row.id: row.text_hash for row in rows}
    text_keys |= {id: normalise(part.text) for id, part in unsealed.items()}
    seen, distinct, duplicate_ids = set(), [], []
    for scored in best:
        if text_keys[scored.candidate.id] in seen:
            duplicate_ids.append(scored.candidate.id)
        else:
            seen.add(text_keys[scored.candidate.id])
            distinct.append(scored)
    return distinct, duplicate_ids


def _decision_event_ids(rows: Mapping[str, CandidateRow], best: Sequence[Scored]) -> Iterable[str]:
    for scored in best:
        row = rows.get(scored.candidate.id)
        if row is not None and row.kind == EventKind.DECISION and row.event_id is not None:
            yield row.event_id
