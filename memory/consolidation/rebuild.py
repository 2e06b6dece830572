"""Rebuilds a person's derived data from their events: chunks, vectors and, with a model, summaries.

Each page of sources has its chunks replaced in one transaction, which also stores the progress. So nothing is ever
missing, and an interrupted rebuild continues where it stopped.
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
from memory.model.structured import StructuredLLM, StructuredResult, T
from memory.retrieval.chunks import IMPORTANCE, MIN_IMPORTANCE, make_chunks, make_event_chunks
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory, Unit

PAGE = 100  # events or summaries; documents are long and form pages of their own
MAX_REFUSALS = 3  # attempts for a page whose content is being forgotten meanwhile
SUMMARIES_NEXT = "~"  # sorts after every id: all chunks are rebuilt and the old summaries deleted
ADD = {Event: add_chunks_of_events, Artifact: add_chunks_of_documents, Summary: add_chunks_of_summary}


class Stage(StrEnum):
    CHUNKS = "chunks"
    VECTORS = "vectors"
    SUMMARIES = "summaries"


ReportProgress = Callable[[Stage, int, int], None]
"""Called with a stage, how many items are done, and of how many."""


@dataclass(frozen=True, slots=True)
class RebuildResult:
    """What this run rebuilt, and the error if the model was away."""

    chunks: int
    vectors: int
    summaries: int
    unfinished: int = 0
    """Started summaries that will be retried later."""
    away: ModelAway | None = None


async def rebuild(
    jobs: Jobs,
    vectors: VectorIndex,
    viewer: Viewer,
    report: ReportProgress = lambda stage, done, of: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> RebuildResult:
    """Rebuild the data of a viewer in their private channel. Cleared or forgotten content stays away."""
    memory = jobs.memory
    async with memory.unit(viewer, now=clock()) as unit:
        begun = await queries.begin(unit.session, viewer, unit.now)
    chunks = await _rebuild_chunks(memory, viewer, begun, report)
    embedded = await _embed(memory, vectors, viewer, report)
    made = RebuildResult(chunks, embedded, 0)
    if jobs.structured_llm is not None and jobs.settings.summaries != "off":
        llm = CountingLLM(jobs.structured_llm)
        made = await _summarise(
            replace(jobs, structured_llm=llm, counts_topics=False), llm, viewer, made, report, clock
        )
        made = replace(made, vectors=embedded + await _embed(memory, vectors, viewer, report))
    if made.away is None:
        async with memory.unit(viewer) as unit:
            await queries.end(unit.session, viewer)
    return made


# Chunks


async def _rebuild_chunks(memory: Memory, viewer: Viewer, begun: str, report: ReportProgress) -> int:
    async with memory.unit(viewer, read_only=True) as unit:
        sources = await queries.own_sources(unit.session, viewer)
    left = [source for source in sources if source.id > begun]
    made, done = 0, len(sources) - len(left)
    report(Stage.CHUNKS, done, len(sources))
    for page in _pages(left):
        made += await _make_page_with_retries(memory, replace(viewer, space=page[0].space), page)
        done += len(page)
        report(Stage.CHUNKS, done, len(sources))
    return made


def _pages(sources: Sequence[RebuildSource]) -> Iterator[list[RebuildSource]]:
    """Pages of sources in order, each of one table and one space: the time of a summary's last message can only be read
    in its space."""
    for (table, _), group in groupby(sources, key=lambda each: (each.table, each.space)):
        in_group = list(group)
        size = 1 if table is Artifact else PAGE
        yield from (in_group[start : start + size] for start in range(0, len(in_group), size))


async def _make_page_with_retries(memory: Memory, viewer: Viewer, page: Sequence[RebuildSource]) -> int:
    """Rebuild a page, again if the database refuses it because content was forgotten at the same moment."""
    for refusals in range(1, MAX_REFUSALS + 1):
        try:
            while (made := await _make_page(memory, viewer, page)) is None:
                pass
        except WriteRefused:
            if refusals == MAX_REFUSALS:
                raise
        else:
            return made
    raise AssertionError("unreachable: the loop returns or raises")


async def _make_page(memory: Memory, viewer: Viewer, page: Sequence[RebuildSource]) -> int | None:
    """Replace the chunks of a page and return how many there are; None if the content changed meanwhile. Cutting is
    slow, so it happens before the lock on the person's facts is taken."""
    table, ids, last = page[0].table, [source.id for source in page], page[-1].id
    async with memory.unit(viewer, read_only=True) as unit:
        words = await queries.words_of_sources(unit.session, viewer, table, ids)
    fresh = await asyncio.to_thread(_cut, table, words)
    async with memory.unit(viewer) as unit:
        await lock_facts_of(unit.session, viewer)
        until = await queries.made_until(unit.session, viewer)
        if until is None or until >= last:
            return 0  # another process has done this page
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
        return make_chunks(words.id, bytes(words.content).decode(errors="replace"), IMPORTANCE[EventKind.ARTIFACT])
    if words.kind is None:
        return make_chunks(words.id, words.content, MIN_IMPORTANCE)
    return make_event_chunks(words.id, words.kind, words.content)


# Vectors


async def _embed(memory: Memory, vectors: VectorIndex, viewer: Viewer, report: ReportProgress) -> int:
    if vectors.current is None:
        return 0
    async with memory.unit(viewer, read_only=True) as unit:
        missing = await queries.count_unembedded(unit.session, viewer, vectors.current.model)
    return (
        await vectors.backfill(viewer, lambda done: report(Stage.VECTORS, done, max(done, missing))) if missing else 0
    )


# Summaries


async def _summarise(
    jobs: Jobs,
    llm: "CountingLLM",
    viewer: Viewer,
    made: RebuildResult,
    report: ReportProgress,
    clock: Callable[[], datetime],
) -> RebuildResult:
    async with jobs.memory.unit(viewer) as unit:
        dropped = await _drop_old_summaries(unit)
        places = {space.id for space in await spaces_of(unit.session, viewer)}
        given_up = await queries.places_of_given_up_extractions(unit.session, viewer)
    for place in given_up:
        async with jobs.memory.unit(place) as unit:
            await queries.retry_extractions(unit.session, place)
    llm.on_answer = lambda count: report(Stage.SUMMARIES, count, max(count, dropped))

    def wanted(due: DueSummary) -> bool:
        """Include the viewer's groups, whose summaries may be due under another member's name."""
        return due.viewer.user == viewer.user or due.viewer.space in places

    summaries = 0
    while fresh := await Passes(jobs).summaries(clock(), wanted):
        summaries += fresh
    async with jobs.memory.unit(viewer) as unit:
        if llm.away is not None:
            await queries.drop_unfinished_summaries(unit.session, viewer)  # or their leases would block the next run
        unfinished = await queries.unfinished_summaries(unit.session, viewer)
    return replace(made, summaries=summaries, unfinished=unfinished, away=llm.away)


async def _drop_old_summaries(unit: Unit) -> int:
    """Delete the viewer's own summaries, once per rebuild, and in later runs only unfinished ones."""
    until = await queries.made_until(unit.session, unit.viewer)
    if until is None or until >= SUMMARIES_NEXT:
        await queries.drop_unfinished_summaries(unit.session, unit.viewer)
        return 0
    dropped = await drop_summaries(unit.session, unit.viewer)
    await queries.move_on(unit.session, unit.viewer, SUMMARIES_NEXT)
    return dropped


class CountingLLM:
    """A structured LLM that counts its answers. Once the model was away, all further calls fail at once."""

    def __init__(self, llm: StructuredLLM) -> None:
        self._llm = llm
        self._count = 0
        self.away: ModelAway | None = None
        self.on_answer: Callable[[int], None] = lambda count: None

    @property
    def name(self) -> str:
        return self._llm.name

    async def write(self, instructions: str, text: str, form: type[T], result: StructuredResult[T]) -> T:
        if self.away is not None:
            raise self.away
        try:
            answer = await self._llm.write(instructions, text, form, result)
        except ModelAway as away:
            self.away = away
            raise
        self._count += 1
        self.on_answer(self._count)
        return answer

    async def close(self) -> None:
        await self._llm.close()
