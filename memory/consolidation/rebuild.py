"""Makes anew, from what was said, all that is derived of one person: chunks, vectors and, with a model, summaries.

A page of sources loses its chunks and gets new ones in one transaction, which also notes how far that is: at no moment
is anything missing, and whatever breaks it off, the next run goes on from there.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import groupby

from db.queries.consolidation import rebuilds as queries
from db.queries.consolidation.consolidation import DueSummary
from db.queries.consolidation.rebuilds import RebuildSource, Table, Words
from db.queries.consolidation.summaries import drop_summaries
from db.queries.facts.facts import lock_facts_of
from db.queries.people.spaces import spaces_of
from db.queries.retrieval.chunks import NewChunk, add_chunks_of_documents, add_chunks_of_events, add_chunks_of_summary
from db.tables import Artifact, Event, Summary
from db.viewer import Viewer
from db.vocabulary import EventKind
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.errors import ModelAway, WriteRefused
from memory.model.structured import StructuredLLM, T, Written
from memory.retrieval.chunks import IMPORTANCE, LEAST_IMPORTANCE, chunks_of, chunks_of_event
from memory.retrieval.vectors import Vectors
from memory.unit import Memory, Unit

PAGE = 100  # events or summaries; documents are long, and come one by one
MOST_REFUSALS = 3  # in a row of one page, from which something was taken away meanwhile
SUMMARIES_NEXT = "~"  # behind every id: the chunks are made, and the old summaries are gone
ADD = {Event: add_chunks_of_events, Artifact: add_chunks_of_documents, Summary: add_chunks_of_summary}


class Stage(StrEnum):
    CHUNKS = "chunks"
    VECTORS = "vectors"
    SUMMARIES = "summaries"


Tell = Callable[[Stage, int, int], None]
"""Of a stage, how many of how many are done."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How many were made in this run; where the model was away, how that was told."""

    chunks: int
    vectors: int
    summaries: int
    unfinished: int = 0
    """Summaries that were begun and are tried again later."""
    away: ModelAway | None = None


async def rebuild(
    jobs: Jobs,
    vectors: Vectors,
    viewer: Viewer,
    tell: Tell = lambda stage, done, of: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Rebuilt:
    """For somebody alone with the assistant. What the owner had cleared or forgotten stays away."""
    memory = jobs.memory
    async with memory.unit(viewer, now=clock()) as unit:
        begun = await queries.begin(unit.session, viewer, unit.now)
    chunks = await _cut_anew(memory, viewer, begun, tell)
    embedded = await _embed(memory, vectors, viewer, tell)
    made = Rebuilt(chunks, embedded, 0)
    if jobs.structured_llm is not None and jobs.settings.summaries != "off":
        llm = Witness(jobs.structured_llm)
        made = await _summarise(
            replace(jobs, structured_llm=llm, notes_topics=False), llm, viewer, made, tell, clock
        )
        made = replace(made, vectors=embedded + await _embed(memory, vectors, viewer, tell))
    if made.away is None:
        async with memory.unit(viewer) as unit:
            await queries.end(unit.session, viewer)
    return made


# Chunks


async def _cut_anew(memory: Memory, viewer: Viewer, begun: str, tell: Tell) -> int:
    async with memory.unit(viewer, read_only=True) as unit:
        sources = await queries.own_sources(unit.session, viewer)
    left = [source for source in sources if source.id > begun]
    made, done = 0, len(sources) - len(left)
    tell(Stage.CHUNKS, done, len(sources))
    for page in _pages(left):
        made += await _tried(memory, replace(viewer, space=page[0].space), page)
        done += len(page)
        tell(Stage.CHUNKS, done, len(sources))
    return made


def _pages(sources: Sequence[RebuildSource]) -> Iterator[list[RebuildSource]]:
    """In order, each of one kind, and of one space: when a summary's last message was said is seen only there."""
    for (table, _), group in groupby(sources, key=lambda each: (each.table, each.space)):
        together = list(group)
        size = 1 if table is Artifact else PAGE
        yield from (together[start : start + size] for start in range(0, len(together), size))


async def _tried(memory: Memory, viewer: Viewer, page: Sequence[RebuildSource]) -> int:
    """What is forgotten just now, and was there a moment ago, makes the database refuse the page once."""
    for refusals in range(1, MOST_REFUSALS + 1):
        try:
            while (made := await _make_page(memory, viewer, page)) is None:
                pass
        except WriteRefused:
            if refusals == MOST_REFUSALS:
                raise
        else:
            return made
    raise AssertionError("it ends by a page or an error")


async def _make_page(memory: Memory, viewer: Viewer, page: Sequence[RebuildSource]) -> int | None:
    """How many chunks there are now; none where the words changed while they were cut. That takes its time, so the
    person's own writing waits only for the rest: whoever forgets something does it before or after that."""
    table, ids, last = page[0].table, [source.id for source in page], page[-1].id
    async with memory.unit(viewer, read_only=True) as unit:
        words = await queries.words_of_sources(unit.session, viewer, table, ids)
    fresh = await asyncio.to_thread(_cut, table, words)
    async with memory.unit(viewer) as unit:
        await lock_facts_of(unit.session, viewer)
        until = await queries.made_until(unit.session, viewer)
        if until is None or until >= last:
            return 0  # another process was here
        if await queries.words_of_sources(unit.session, viewer, table, ids) != words:
            return None
        await queries.drop_chunks(unit.session, viewer, table, ids)
        await ADD[table](unit.session, viewer, fresh)
        await queries.move_on(unit.session, viewer, last)
    return len(fresh)


def _cut(table: Table, words: Sequence[Words]) -> list[NewChunk]:
    return [chunk for each in words if each.content is not None for chunk in _chunks_of(table, each)]


def _chunks_of(table: Table, words: Words) -> list[NewChunk]:
    if table is Artifact:
        return chunks_of(words.id, bytes(words.content).decode(errors="replace"), IMPORTANCE[EventKind.ARTIFACT])
    if words.kind is None:
        return chunks_of(words.id, words.content, LEAST_IMPORTANCE)
    return chunks_of_event(words.id, words.kind, words.content)


# Vectors


async def _embed(memory: Memory, vectors: Vectors, viewer: Viewer, tell: Tell) -> int:
    if vectors.wanted is None:
        return 0
    async with memory.unit(viewer, read_only=True) as unit:
        missing = await queries.count_unembedded(unit.session, viewer, vectors.wanted.model)
    return await vectors.fill(viewer, lambda done: tell(Stage.VECTORS, done, max(done, missing))) if missing else 0


# Summaries


async def _summarise(
    jobs: Jobs, llm: "Witness", viewer: Viewer, made: Rebuilt, tell: Tell, clock: Callable[[], datetime]
) -> Rebuilt:
    async with jobs.memory.unit(viewer) as unit:
        gone = await _drop(unit)
        places = {space.id for space in await spaces_of(unit.session, viewer)}
        parked = await queries.places_of_given_up_extractions(unit.session, viewer)
    for place in parked:
        async with jobs.memory.unit(place) as unit:
            await queries.retry_extractions(unit.session, place)
    llm.answered = lambda count: tell(Stage.SUMMARIES, count, max(count, gone))

    def wanted(due: DueSummary) -> bool:
        """In a group the work may fall to another member, whoever spoke last."""
        return due.viewer.user == viewer.user or due.viewer.space in places

    summaries = 0
    while fresh := await Passes(jobs).summaries(clock(), wanted):
        summaries += fresh
    async with jobs.memory.unit(viewer) as unit:
        if llm.away is not None:
            await queries.drop_unfinished_summaries(unit.session, viewer)  # or the next run would find them waiting
        unfinished = await queries.unfinished_summaries(unit.session, viewer)
    return replace(made, summaries=summaries, unfinished=unfinished, away=llm.away)


async def _drop(unit: Unit) -> int:
    """All of the viewer's own, once; what an earlier run began and did not end, each time."""
    until = await queries.made_until(unit.session, unit.viewer)
    if until is None or until >= SUMMARIES_NEXT:
        await queries.drop_unfinished_summaries(unit.session, unit.viewer)
        return 0
    gone = await drop_summaries(unit.session, unit.viewer)
    await queries.move_on(unit.session, unit.viewer, SUMMARIES_NEXT)
    return gone


class Witness:
    """A structured LLM that counts its answers. Once the model was away, nobody waits for it again."""

    def __init__(self, llm: StructuredLLM) -> None:
        self._llm = llm
        self._count = 0
        self.away: ModelAway | None = None
        self.answered: Callable[[int], None] = lambda count: None

    @property
    def name(self) -> str:
        return self._llm.name

    async def write(self, instructions: str, text: str, form: type[T], written: Written[T]) -> T:
        if self.away is not None:
            raise self.away
        try:
            answer = await self._llm.write(instructions, text, form, written)
        except ModelAway as away:
            self.away = away
            raise
        self._count += 1
        self.answered(self._count)
        return answer

    async def close(self) -> None:
        await self._llm.close()
