"""Recall: the chunks that answer a question best, found by words and by vector, within a deadline."""

import asyncio
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from db.queries import recall as queries
from db.queries.people import choices_of
from db.queries.recall import CandidateRow, ChunkRow, Only, Pool
from db.queries.speakers import speakers_heard
from db.together import together
from db.viewer import Viewer
from db.vocabulary import EventKind
from memory.deadline import in_time
from memory.errors import KeepsakeError, TooSlow
from memory.retrieval.languages import plain, query_terms, words
from memory.retrieval.scoring import Candidate, Question, Scored, Spread, Weights, named_speakers, score, without_names
from memory.retrieval.sealed import Opened, Sealed, open_sealed
from memory.retrieval.times import span_asked
from memory.unit import Memory, Unit
from memory.vectors import Asked, Vectors

MOST_SCORED = 200
DEADLINE = timedelta(milliseconds=150)
SECOND = timedelta(seconds=1)
EMBEDDING, SEARCHING = 0.6, 0.7  # shares of the time that is left; the rest is for searching by words alone
OPENING = 0.4  # of a search: for what is sealed
LONGEST_QUESTION = 2000  # characters; what a longer message asks stands at its beginning or its end

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hit:
    """What was recalled, with its score, the parts of it, and why it was chosen."""

    chunk_id: str
    event_id: str | None
    artifact_id: str | None
    user: str
    actor: str
    speaker: str
    """A name, where there is one; otherwise who or what it came from."""
    kind: str
    ts: datetime
    text: str
    part: int
    score: float
    parts: Mapping[str, float]
    why: str
    is_sensitive: bool = False
    whole: str | None = None
    """The artifact that holds all of a tool's output, of which this is a part."""
    is_superseded: bool = False


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first; how many candidates and scores it took, how it was searched, and what was the same twice."""

    hits: tuple[Hit, ...] = ()
    candidates: int = 0
    scored: int = 0
    how: str = "nothing"
    why_not: str = ""
    terms: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    """Events among the scored that made a decision, best first."""
    repeated: tuple[str, ...] = ()
    milliseconds: int = 0


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
            terms=await asyncio.to_thread(query_terms, self.question),
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
        best = self._score(pool, sealed)
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
        candidates = [_candidate(row) for row in pool.rows] + [_sealed_candidate(each) for each in opened]
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
        known = await queries.chunks_by_id(unit.session, unit.viewer, ids)
        hits = []
        for each in best:
            if sealed := opened.get(each.candidate.id):
                hits.append(_sealed_hit(each, sealed))
            elif chunk := known.get(each.candidate.id):
                hits.append(_hit(each, chunk))
        return hits


def needs_recall(message: str) -> bool:
    """A greeting or a thank-you asks for nothing that was said before."""
    return any(word not in SMALL_TALK for word in words(message))


SMALL_TALK = frozenset(
    "hi hello hey yo good morning afternoon evening night day bye goodbye thanks thank you thx ok okay k yes yeah yep "
    "no nope sure please great nice cool perfect fine lol haha hallo moin danke bitte ja nein gut guten morgen tag "
    "abend nacht tschuss hola gracias si vale bien buenos buenas dias tardes noches adios de nada bonjour salut merci "
    "oui non bonsoir ola obrigado obrigada sim nao bom dia boa tarde noite привет здравствуйте спасибо да нет хорошо "
    "ок пока مرحبا شكرا نعم لا حسنا नमस्ते धन्यवाद हां नहीं ठीक है 你好 您好 谢谢 好 好的 是 不 嗯 再见 "
    "こんにちは ありがとう はい いいえ สวัสดี ขอบคุณ".split()
)


def _fit(question: str) -> str:
    """The beginning and the end of a long message."""
    half = LONGEST_QUESTION // 2
    return question if len(question) <= LONGEST_QUESTION else f"{question[:half]} {question[-half:]}"


def _candidate(row: CandidateRow) -> Candidate:
    return Candidate(
        row.id, row.thread, row.seq, row.part, row.speaker, row.ts, row.importance, row.words, row.likeness
    )


def _sealed_candidate(each: Opened) -> Candidate:
    return Candidate(
        each.id, each.thread, each.seq, each.part, each.speaker, each.ts, each.importance, each.words, None
    )


def _hit(each: Scored, chunk: ChunkRow) -> Hit:
    return Hit(
        chunk_id=chunk.id,
        event_id=chunk.event_id,
        artifact_id=chunk.artifact_id,
        user=chunk.user,
        actor=chunk.actor_id,
        speaker=chunk.speaker or chunk.actor_id or chunk.kind,
        kind=chunk.kind,
        ts=chunk.ts,
        text=chunk.text,
        part=each.candidate.part,
        score=each.score,
        parts=each.parts,
        why=each.why,
        whole=chunk.whole,
        is_superseded=chunk.is_superseded,
    )


def _sealed_hit(each: Scored, opened: Opened) -> Hit:
    return Hit(
        chunk_id=opened.id,
        event_id=opened.event_id,
        artifact_id=opened.artifact_id,
        user=opened.user,
        actor=opened.actor,
        speaker=opened.speaker or opened.actor or opened.kind,
        kind=opened.kind,
        ts=opened.ts,
        text=opened.text,
        part=opened.part,
        score=each.score,
        parts=each.parts,
        why=each.why,
        is_sensitive=True,
    )


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
