"""Recall: the chunks that answer a question best, found by words and by vector, within a deadline."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from db.queries import recall as queries
from db.queries.people import choices_of
from db.queries.recall import CandidateRow, ChunkRow, Only, Pool
from db.together import together
from db.viewer import Viewer
from db.vocabulary import EventKind
from memory.chunks import IMPORTANCE, LEAST_IMPORTANCE
from memory.errors import TooSlow
from memory.retrieval.languages import plain, query_terms, words
from memory.retrieval.scoring import Candidate, Question, Scored, Spread, Weights, named_actors, score, without_names
from memory.retrieval.sealed import Opened, open_sealed
from memory.retrieval.times import span_asked
from memory.unit import Memory, Unit
from memory.vectors import Asked, Vectors

MOST_SCORED = 200
DEADLINE = timedelta(milliseconds=150)
SECOND = timedelta(seconds=1)
LEAST = timedelta(milliseconds=30)
EMBEDDING, SEARCHING = 0.5, 0.7  # shares of the time that is left; the rest is for searching by words alone
LONGEST_QUESTION = 2000  # characters; what a longer message asks stands at its beginning or its end


@dataclass(frozen=True, slots=True)
class Hit:
    """What was recalled, with its score, the parts of it, and why it was chosen."""

    chunk_id: str
    event_id: str | None
    artifact_id: str | None
    user: str
    actor: str
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
    the vectors first and then everything; the answer says so."""
    began = time.perf_counter()
    asked = _fit(question)
    async with memory.unit(viewer, now=now, read_only=True) as unit:
        actors, choices = await together(
            unit.session,
            lambda session: queries.actors_heard(session, viewer),
            lambda session: choices_of(session, viewer),
        )
    vector = Asked(why_not="no embedder is set")
    if vectors is not None:
        bare = without_names(asked, actors)
        vector = await vectors.ask(viewer, bare, EMBEDDING * deadline / SECOND, sensitive=sensitive)
    search = _Search(
        question=asked,
        terms=await asyncio.to_thread(query_terms, asked),
        now=now,
        timezone=ZoneInfo(choices.timezone),
        actors=actors,
        only=only or Only(),
        weights=weights or Weights(),
        limit=limit,
    )
    try:
        left = max(deadline - SECOND * (time.perf_counter() - began), LEAST)
        async with memory.unit(viewer, now=now, read_only=True, patience=SEARCHING * left) as unit:
            found = await search.run(unit, vector)
    except TooSlow:
        left = max(deadline - SECOND * (time.perf_counter() - began), LEAST)
        found = await _words_alone(memory, viewer, search, left)
    return replace(found, milliseconds=round((time.perf_counter() - began) * 1000))


async def _words_alone(memory: Memory, viewer: Viewer, search: "_Search", left: timedelta) -> Recalled:
    try:
        async with memory.unit(viewer, now=search.now, read_only=True, patience=left) as unit:
            return await search.run(unit, Asked(why_not="the search by vectors was too slow"))
    except TooSlow:
        return Recalled(why_not="the database was too slow", terms=tuple(search.terms))


@dataclass(frozen=True, slots=True)
class _Search:
    question: str
    terms: Sequence[str]
    now: datetime
    timezone: ZoneInfo
    actors: frozenset[str]
    only: Only
    weights: Weights
    limit: int

    async def run(self, unit: Unit, asked: Asked) -> Recalled:
        pool = await queries.candidates(
            unit.session, unit.viewer, terms=self.terms, vector=asked.vector, model=asked.model, only=self.only
        )
        opened = await open_sealed(unit, self.terms, self.only)
        best = self._score(pool, opened)
        kept, repeated = _each_once(best, pool.rows, opened)
        hits = await self._hits(unit, kept[: self.limit], opened)
        known = {row.id: row for row in pool.rows}
        return Recalled(
            hits=tuple(hits),
            candidates=len(pool.rows) + len(opened),
            scored=len(best),
            how="words and vectors" if asked.vector is not None else "words alone",
            why_not=asked.why_not,
            terms=tuple(self.terms),
            decided=tuple(_events(known, best)),
            repeated=tuple(repeated),
        )

    def _score(self, pool: Pool, opened: Mapping[str, Opened]) -> list[Scored]:
        candidates = [_candidate(row) for row in pool.rows] + [_sealed_candidate(each) for each in opened.values()]
        spread = None if pool.mean is None or pool.spread is None else Spread(pool.mean, pool.spread)
        question = Question(
            self.question,
            self.now,
            pool.rarity,
            named_actors(self.question, {actor: actor for actor in self.actors}),
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
        row.id, row.thread, row.seq, row.part, row.actor_id, row.ts, row.kind, row.importance, row.words, row.likeness
    )


def _sealed_candidate(each: Opened) -> Candidate:
    row = each.row
    importance = IMPORTANCE.get(EventKind(row.kind), LEAST_IMPORTANCE)
    return Candidate(
        each.id, row.thread, row.seq, each.part, row.actor_id, row.ts, row.kind, importance, each.words, None
    )


def _hit(each: Scored, chunk: ChunkRow) -> Hit:
    return Hit(
        chunk_id=chunk.id,
        event_id=chunk.event_id,
        artifact_id=chunk.artifact_id,
        user=chunk.user,
        actor=chunk.actor_id,
        kind=chunk.kind,
        ts=chunk.ts,
        text=chunk.text,
        part=each.candidate.part,
        score=each.score,
        parts=each.parts,
        why=each.why,
        whole=chunk.whole,
    )


def _sealed_hit(each: Scored, opened: Opened) -> Hit:
    row = opened.row
    return Hit(
        chunk_id=opened.id,
        event_id=row.event_id,
        artifact_id=None,
        user=row.user,
        actor=row.actor_id,
        kind=row.kind,
        ts=row.ts,
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
