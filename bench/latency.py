"""How long a reply waits for its memory, next to the bare database, and whether that grows with what others said.

    python -m bench.latency [--sizes 1000,10000,100000,1000000] [--rounds N]

Each size is loaded on top of the one before, with new people whose rows lie scattered among all that was added. The
question's vector stands ready: how long it takes to make is told by bench.recall.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from statistics import mean, quantiles

import psycopg
from sqlalchemy import text

from bench.history import BEGAN, MODEL, PACE, TENANT, Floats, History, Person, halved, word
from bench.runtime import bench_memory
from bench.report import Figure, report
from db.embedded.own_database import DATABASE
from db.queries.retrieval.chunks import spelled
from db.queries.retrieval.recall import Only, candidates
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.context.build import Shape, build_bundle
from memory.context.snapshot import pin_snapshot
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.retrieval.recall import recall
from memory.retrieval.vectors import Asked, Vectors
from memory.unit import Memory

SIZES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS, WARMING, COMPARED = 60, 3, 10
BEST, ASKED_WORDS, PINNED = 20, 8, 30
PATIENCE = timedelta(seconds=10)  # a busy machine must not turn a long search into a short one
TEXTS = "SELECT text FROM chunks WHERE tenant_id = :tenant AND id = ANY (:ids)"
NEAREST = f"""SELECT chunk_no FROM embeddings WHERE tenant_id = :tenant AND model = '{MODEL}'
    AND shelf_id = :shelf AND size <= 1024 ORDER BY embedding <=> CAST(:vector AS halfvec) LIMIT {BEST}"""
FAST, RECALL, WHOLE = "bundle without recall", "recall", "bundle with recall"
FLOOR_TEXTS, FLOOR_NEAREST = f"floor, {BEST} texts by id", f"floor, {BEST} nearest"
GOALS = {(FAST, scope): 15.0 for scope in (1_000, 10_000, 100_000)} | {(RECALL, 10_000): 60.0, (RECALL, 100_000): 150.0}
GROWING, MOST_GROWTH = 10_000, 1.5

Spent = dict[str, list[float]]
Work = Callable[[], Awaitable[object]]


class AtOnce(Vectors):
    """Answers every question with the vector that stands ready."""

    ready: Sequence[float] = ()

    async def ask(self, viewer: Viewer, question: str, seconds: float, *, sensitive: bool = False) -> Asked:
        return Asked(MODEL, self.ready)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.latency")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(arguments)
    asyncio.run(measure(sorted(map(int, chosen.sizes.split(","))), chosen.rounds))


async def measure(sizes: Sequence[int], rounds: int) -> None:
    grown: dict[int, Spent] = {}
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            for size in sizes:
                began = time.perf_counter()
                people = await asyncio.to_thread(history.grow, size)
                took = time.perf_counter() - began
                figures = [Figure("load average", os.getloadavg()[0], "", f"{history.chunks} chunks in {took:.0f} s")]
                for scope, person in people.items():
                    asking = LatencyQuestion(memory, history, person.viewer, person.conversation, person.shelf)
                    spent = await asking.times(rounds)
                    figures += told(scope, spent)
                    figures += await agreement(memory, history, person, scope)
                    if scope == GROWING:
                        grown[size] = spent
                report(f"latency {size}", figures)
    if len(grown) > 1:
        report("latency growth", growth(grown))


class LatencyQuestion:
    """One person, who asks something else in every round; each way to answer is timed in every round."""

    def __init__(
        self, memory: Memory, history: History, viewer: Viewer, conversation: str = "", shelf: int = 0
    ) -> None:
        self.memory, self.history, self.viewer = memory, history, viewer
        self.conversation, self.shelf = conversation, shelf
        self.vectors = AtOnce(memory, TENANT, None)
        self.now: datetime = BEGAN + history.chunks * PACE
        self.question, self.best = "", [""]

    async def times(self, rounds: int) -> Spent:
        await self._pin_facts()
        return await self._time(rounds, self._ways())

    async def recalls(self, rounds: int) -> Spent:
        return await self._time(rounds, {RECALL: self.recall_once})

    async def _time(self, rounds: int, ways: dict[str, Work]) -> Spent:
        spent: Spent = {}
        for number in range(WARMING + rounds):
            self.question = " ".join(word(each) for each in self.history.words(ASKED_WORDS).tolist())
            self.vectors.ready = self.history.vectors(1)[0].tolist()
            for name, work in ways.items():
                began = time.perf_counter()
                await work()
                if number >= WARMING:
                    spent.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        return spent

    def _ways(self) -> dict[str, Work]:
        return {
            FAST: lambda: self.bundle("thanks"),
            RECALL: self.recall_once,
            WHOLE: lambda: self.bundle(self.question),
            FLOOR_TEXTS: lambda: self._select(TEXTS, ids=self.best),
            FLOOR_NEAREST: lambda: self._select(NEAREST, vector=spelled(self.vectors.ready), shelf=self.shelf),
        }

    async def bundle(self, query: str) -> None:
        shape = Shape(deadline=PATIENCE)
        await build_bundle(self.memory, self.vectors, self.viewer, self.conversation, query, now=self.now, shape=shape)

    async def recall_once(self) -> None:
        found = await recall(
            self.memory,
            self.vectors,
            self.viewer,
            self.question,
            now=self.now,
            limit=BEST,
            deadline=PATIENCE,
        )
        assert found.how == "words and vectors"
        self.best = [hit.chunk_id for hit in found.hits]

    async def _select(self, query: str, **values: object) -> None:
        async with self.memory.unit(self.viewer, read_only=True) as unit:
            (await unit.session.execute(text(query), {"tenant": TENANT, **values})).all()

    async def _pin_facts(self) -> None:
        async with self.memory.unit(self.viewer) as unit:
            for number in range(PINNED):
                about = " ".join(word(each) for each in self.history.words(ASKED_WORDS).tolist())
                await facts.remember(unit, FactDraft(f"Fact {number}: {about}", Category.OTHER), Approval.COMMAND)
            await pin_snapshot(unit, self.conversation)


async def agreement(memory: Memory, history: History, person: Person, scope: int) -> list[Figure]:
    """Which share of the nearest by vector, compared one by one here, recall has too. The database keeps half of a
    number's digits and rounds the question alike, so that two chunks may change places which hardly differ."""
    rounded, unrounded = [], []
    for vector in history.vectors(COMPARED):
        found = await nearest(memory, person.viewer, vector)
        rounded.append(len(found & person.nearest(halved(vector), BEST)) / BEST)
        unrounded.append(len(found & person.nearest(vector, BEST)) / BEST)
    note = "goal 1.00: met" if min(rounded) == 1 else f"goal 1.00: MISSED, worst {min(rounded):.2f}"
    return [
        Figure(f"{scope} own: {BEST} nearest agree with exact", mean(rounded), "", note),
        Figure(f"{scope} own: the same, question unrounded", mean(unrounded), ""),
    ]


async def nearest(memory: Memory, viewer: Viewer, vector: Floats) -> set[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        found = await candidates(
            unit.session, viewer, terms=["w00000"], vector=vector.tolist(), model=MODEL, only=Only()
        )
    likest = sorted(found.rows, key=lambda row: -(row.likeness or -1))
    return {row.id for row in likest[:BEST]}


def told(scope: int, spent: Spent) -> list[Figure]:
    floor = cut(spent[FLOOR_NEAREST])[49]
    figures = []
    for name, times in spent.items():
        percentiles = cut(times)
        for place in (50, 95, 99):
            value = percentiles[place - 1]
            goal = GOALS.get((name, scope)) if place == 95 else None
            note = f"goal {goal:.0f}: {'met' if value <= goal else 'MISSED'}" if goal else ""
            if name == RECALL and place == 50:
                note = f"{value / floor:.1f} x the floor"
            figures.append(Figure(f"{scope} own: {name}, p{place}", value, "ms", note))
    return figures


def growth(grown: dict[int, Spent]) -> list[Figure]:
    least, most = min(grown), max(grown)
    figures = []
    for name in (FAST, RECALL, FLOOR_NEAREST):
        for place in (50, 95):
            ratio = cut(grown[most][name])[place - 1] / cut(grown[least][name])[place - 1]
            note = f"goal {MOST_GROWTH}: {'met' if ratio <= MOST_GROWTH else 'MISSED'}" if name == RECALL else ""
            figures.append(Figure(f"{name}, p{place}: {least} to {most}", ratio, "x", note))
    return figures


def cut(times: Sequence[float]) -> list[float]:
    return quantiles(times, n=100, method="inclusive")


if __name__ == "__main__":
    main()
