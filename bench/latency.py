"""Measures how long a reply waits for memory, compared with plain SQL, and how that grows with other people's data.

    python -m bench.latency [--sizes 1000,10000,100000,1000000] [--rounds N]

Each size is loaded on top of the previous one, with new people whose rows are scattered among the added ones. Question
vectors are ready-made; bench.recall measures the time to embed a question.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from statistics import mean

import psycopg
from sqlalchemy import text

from bench.database import bench_memory
from bench.history import BEGAN, MODEL, PACE, TENANT, Floats, History, Person, as_halfvec
from bench.report import Figure, goal, percentile, report
from db.embedded.own_database import DATABASE
from db.queries.retrieval.chunks import spelled
from db.queries.retrieval.recall import RecallFilter, candidates
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.context.build import BundleOptions, build_bundle
from memory.context.snapshot import pin_snapshot
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.retrieval.recall import recall
from memory.retrieval.vector_index import QuestionVector, VectorIndex
from memory.unit import Memory

SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS, WARM_UP, COMPARED = 60, 3, 10
BEST, PINNED = 20, 30
DEADLINE = timedelta(seconds=10)  # long, so that a busy machine does not cut a search short
TEXTS = "SELECT text FROM chunks WHERE tenant_id = :tenant AND id = ANY (:ids)"
NEAREST = f"""SELECT chunk_no FROM embeddings WHERE tenant_id = :tenant AND model = '{MODEL}'
    AND shelf_id = :shelf AND size <= 1024 ORDER BY embedding <=> CAST(:vector AS halfvec) LIMIT {BEST}"""
FAST, RECALL, WHOLE = "bundle without recall", "recall", "bundle with recall"
FLOOR_TEXTS, FLOOR_NEAREST = f"floor, {BEST} texts by id", f"floor, {BEST} nearest"
GOALS = {(FAST, scope): 15.0 for scope in (1_000, 10_000, 100_000)} | {(RECALL, 10_000): 60.0, (RECALL, 100_000): 150.0}
GROWTH_SCOPE, MAX_GROWTH = 10_000, 1.5

Timings = dict[str, list[float]]
Work = Callable[[], Awaitable[object]]


class FixedVector(VectorIndex):
    """Embeds every question as the same vector."""

    vector: Sequence[float] = ()

    async def embed_question(
        self, viewer: Viewer, question: str, seconds: float, *, sensitive: bool = False
    ) -> QuestionVector:
        return QuestionVector(MODEL, self.vector)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.latency")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args(arguments)
    asyncio.run(measure(sorted(map(int, args.sizes.split(","))), args.rounds))


async def measure(sizes: Sequence[int], rounds: int) -> None:
    grown: dict[int, Timings] = {}
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            for size in sizes:
                started = time.perf_counter()
                people = await asyncio.to_thread(history.grow, size)
                took = time.perf_counter() - started
                figures = [Figure("load average", os.getloadavg()[0], "", f"{history.chunks} chunks in {took:.0f} s")]
                for scope, person in people.items():
                    timer = RecallTimer(memory, history, person.viewer, person.conversation, person.shelf)
                    spent = await timer.times(rounds)
                    figures += figures_of(scope, spent)
                    figures += await agreement(memory, history, person, scope)
                    if scope == GROWTH_SCOPE:
                        grown[size] = spent
                report(f"latency {size}", figures)
    if len(grown) > 1:
        report("latency growth", growth(grown))


class RecallTimer:
    """Times recall and bundles for one person, with a new question in each round."""

    def __init__(
        self, memory: Memory, history: History, viewer: Viewer, conversation: str = "", shelf: int = 0
    ) -> None:
        self.memory, self.history, self.viewer = memory, history, viewer
        self.conversation, self.shelf = conversation, shelf
        self.vectors = FixedVector(memory, TENANT, None)
        self.now: datetime = BEGAN + history.chunks * PACE
        self.question, self.best = "", [""]

    async def times(self, rounds: int) -> Timings:
        await self._pin_facts()
        return await self._time(rounds, self._tasks())

    async def recalls(self, rounds: int) -> Timings:
        return await self._time(rounds, {RECALL: self.recall_once})

    async def _time(self, rounds: int, tasks: dict[str, Work]) -> Timings:
        spent: Timings = {}
        for number in range(WARM_UP + rounds):
            self.question = self.history.question()
            self.vectors.vector = self.history.vectors(1)[0].tolist()
            for name, work in tasks.items():
                started = time.perf_counter()
                await work()
                if number >= WARM_UP:
                    spent.setdefault(name, []).append((time.perf_counter() - started) * 1000)
        return spent

    def _tasks(self) -> dict[str, Work]:
        return {
            FAST: lambda: self.bundle("thanks"),
            RECALL: self.recall_once,
            WHOLE: lambda: self.bundle(self.question),
            FLOOR_TEXTS: lambda: self._select(TEXTS, ids=self.best),
            FLOOR_NEAREST: lambda: self._select(NEAREST, vector=spelled(self.vectors.vector), shelf=self.shelf),
        }

    async def bundle(self, query: str) -> None:
        options = BundleOptions(deadline=DEADLINE)
        await build_bundle(
            self.memory, self.vectors, self.viewer, self.conversation, query, now=self.now, options=options
        )

    async def recall_once(self) -> None:
        recalled = await recall(
            self.memory,
            self.vectors,
            self.viewer,
            self.question,
            now=self.now,
            limit=BEST,
            deadline=DEADLINE,
        )
        assert recalled.how == "words and vectors"
        self.best = [hit.chunk_id for hit in recalled.hits]

    async def _select(self, query: str, **values: object) -> None:
        async with self.memory.unit(self.viewer, read_only=True) as unit:
            (await unit.session.execute(text(query), {"tenant": TENANT, **values})).all()

    async def _pin_facts(self) -> None:
        async with self.memory.unit(self.viewer) as unit:
            for number in range(PINNED):
                draft = FactDraft(f"Fact {number}: {self.history.question()}", Category.OTHER)
                await facts.remember(unit, draft, Approval.COMMAND)
            await pin_snapshot(unit, self.conversation)


async def agreement(memory: Memory, history: History, person: Person, scope: int) -> list[Figure]:
    """Compare the nearest chunks of recall with an exact search here.

    The database stores half precision and rounds the question too, so chunks of almost equal distance may swap.
    """
    rounded, unrounded = [], []
    for vector in history.vectors(COMPARED):
        recalled = await nearest(memory, person.viewer, vector)
        rounded.append(len(recalled & person.nearest(as_halfvec(vector), BEST)) / BEST)
        unrounded.append(len(recalled & person.nearest(vector, BEST)) / BEST)
    note = goal(f"1.00, worst {min(rounded):.2f}", is_met=min(rounded) == 1)
    return [
        Figure(f"{scope} own: {BEST} nearest agree with exact", mean(rounded), "", note),
        Figure(f"{scope} own: the same, question unrounded", mean(unrounded), ""),
    ]


async def nearest(memory: Memory, viewer: Viewer, vector: Floats) -> set[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        pool = await candidates(
            unit.session, viewer, terms=["w00000"], vector=vector.tolist(), model=MODEL, only=RecallFilter()
        )
    ranked = sorted(pool.rows, key=lambda row: -(row.similarity or -1))
    return {row.id for row in ranked[:BEST]}


def figures_of(scope: int, spent: Timings) -> list[Figure]:
    floor = percentile(spent[FLOOR_NEAREST], 50)
    figures = []
    for name, times in spent.items():
        for rank in (50, 95, 99):
            value = percentile(times, rank)
            limit = GOALS.get((name, scope)) if rank == 95 else None
            note = goal(f"<= {limit:.0f}", is_met=value <= limit) if limit else ""
            if name == RECALL and rank == 50:
                note = f"{value / floor:.1f} x the floor"
            figures.append(Figure(f"{scope} own: {name}, p{rank}", value, "ms", note))
    return figures


def growth(grown: dict[int, Timings]) -> list[Figure]:
    least, most = min(grown), max(grown)
    figures = []
    for name in (FAST, RECALL, FLOOR_NEAREST):
        for rank in (50, 95):
            ratio = percentile(grown[most][name], rank) / percentile(grown[least][name], rank)
            note = goal(f"<= {MAX_GROWTH}", is_met=ratio <= MAX_GROWTH) if name == RECALL else ""
            figures.append(Figure(f"{name}, p{rank}: {least} to {most}", ratio, "x", note))
    return figures


if __name__ == "__main__":
    main()
