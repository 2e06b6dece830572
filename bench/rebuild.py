"""How long the first bundle takes when all derived data is gone, and how fast chunks are rebuilt.

    python -m bench.rebuild [--size N]

The bundle is the first one of its process: no connection is open yet and the embedder has not started.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence

import psycopg
from sqlalchemy import text

from bench.database import bench_memory
from bench.history import BEGAN, PACE, TENANT, History, Person
from bench.report import Figure, goal, report
from db.embedded.own_database import APPLICATION, DATABASE
from db.engine import Database
from db.vocabulary import Approval, Category
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.rebuild import rebuild
from memory.context.build import Bundle, BundleOptions, build_bundle
from memory.context.snapshot import pin_snapshot
from memory.facts import facts
from memory.metrics import Metrics
from memory.retrieval.embedders.bundled import BundledEmbedder
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory

SIZE, PINNED = 10_000, 30
MAX_MS = 1_500.0
ADVANCE_SEQUENCE = "SELECT setval(pg_get_serial_sequence('chunks', 'no'), (SELECT max(no) FROM chunks))"
COUNT = "SELECT count(*), count(DISTINCT id) FROM chunks"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.rebuild")
    parser.add_argument("--size", type=int, default=SIZE, help="chunks of the person; others have as many")
    asyncio.run(measure(parser.parse_args(arguments).size))


async def measure(size: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            people = await asyncio.to_thread(history.grow, 2 * size)
            superuser.execute(ADVANCE_SEQUENCE)
        person = people[max(scope for scope in people if scope <= size)]
        await pin_facts(memory, history, person)
        await delete_derived(memory, person)
        cold = Memory(Database(server.url(APPLICATION, DATABASE)), memory.keyring)
        figures = [await first_bundle(cold, history, person)]
        figures += await rebuild_speed(memory, person)
        await cold.database.close()
    report("rebuild", figures)


async def pin_facts(memory: Memory, history: History, person: Person) -> None:
    async with memory.unit(person.viewer) as unit:
        for number in range(PINNED):
            draft = facts.FactDraft(f"Fact {number}: {history.question()}", Category.OTHER)
            await facts.remember(unit, draft, Approval.COMMAND)
        await pin_snapshot(unit, person.conversation)


async def delete_derived(memory: Memory, person: Person) -> None:
    async with memory.unit(person.viewer) as unit:
        for table in ("embeddings", "chunks", "summaries"):
            await unit.session.execute(text(f"DELETE FROM {table}"))


async def first_bundle(memory: Memory, history: History, person: Person) -> Figure:
    vectors = VectorIndex(memory, TENANT, BundledEmbedder())
    question = history.question()
    now, started = BEGAN + history.chunks * PACE, time.perf_counter()
    made: Bundle = await build_bundle(
        memory, vectors, person.viewer, person.conversation, question, now=now, options=BundleOptions()
    )
    took = (time.perf_counter() - started) * 1000
    assert made
    await vectors.close()
    note = goal(f"<= {MAX_MS:.0f}", is_met=took <= MAX_MS)
    return Figure("first bundle without derived data", took, "ms", note)


async def rebuild_speed(memory: Memory, person: Person) -> list[Figure]:
    jobs = Jobs(memory, Settings.model_validate({}), None, FactSimilarity(None), Metrics())
    started = time.perf_counter()
    made = await rebuild(jobs, VectorIndex(memory, TENANT, None), person.viewer)
    took = time.perf_counter() - started
    async with memory.unit(person.viewer, read_only=True) as unit:
        there, different = (await unit.session.execute(text(COUNT))).one()
    assert made.chunks == there == different
    return [Figure("chunks rebuilt per second", made.chunks / took, "", f"{made.chunks} in {took:.1f} s")]


if __name__ == "__main__":
    main()
