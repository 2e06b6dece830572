"""What hash partitions by user of events, chunks and embeddings are worth: the program's own queries, with and without.

    python -m bench.partitions [--size 60000] [--parts 16] [--rounds N]

One database is filled and copied; deploy/partitions.sql makes the copy's tables partitioned. Then each question is
asked of both in every round, so that what else the machine does falls on both alike. Only ratios mean anything.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import psycopg
from sqlalchemy import text

from bench.arguments import whole_numbers
from bench.history import TENANT, History, Person, word
from bench.runtime import bench_memory
from bench.latency import LatencyQuestion
from bench.rebuild import NUMBERED_ON
from bench.report import Figure, report
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, DATABASE, OWNER
from db.engine import Database
from db.queries.retrieval.chunks import add_embeddings
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.privacy.forgetting.forget import erase
from memory.unit import Memory

SIZE, PARTS, ROUNDS = 60_000, 16, 25
OF_OTHERS, ERASED, WARMING, SECONDS_TO_TELL = 250, 20, 3, 20
MOVED = ("events", "chunks", "embeddings")
PARTITIONED = "partitioned"
SCRIPT = Path(__file__).resolve().parent.parent / "deploy" / "partitions.sql"
BYTES = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname ~ %s AND relkind = 'r'"
LARGEST_INDEX = """SELECT max(pg_relation_size(i.indexrelid)) FROM pg_index AS i
    JOIN pg_class AS c ON c.oid = i.indrelid WHERE c.relname ~ %s AND c.relkind = 'r'"""
TABLES = "^{name}(_[0-9]+)?$"
READ_OF = """SELECT count(*) FILTER (WHERE idx_scan + seq_scan > %s), count(*) FROM pg_stat_user_tables
    WHERE relname LIKE 'chunks\\_%%'"""
MODEL = "synthetic"


@dataclass
class PartitionedDatabase:
    """One of the two databases, with the same people in it."""

    name: str
    memory: Memory
    admin: psycopg.Connection
    asking: dict[int, LatencyQuestion]

    async def write_down(self, person: Person, number: int, words: str, vector: Sequence[float]) -> None:
        """A message, its chunk and its vector, as a turn writes them."""
        viewer = person.viewer
        draft = EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": words})
        prepared = prepare(draft, datetime.now(UTC))
        async with self.memory.unit(viewer) as unit:
            await record(unit, person.conversation, [prepared])
        async with self.memory.unit(viewer) as unit:
            vectors = [(chunk.id, vector) for chunk in prepared.chunks]
            await add_embeddings(unit.session, viewer, MODEL, vectors)

    def vacuum(self) -> float:
        began = time.perf_counter()
        for table in MOVED:
            self.admin.execute(f"VACUUM {table}".encode())
        return time.perf_counter() - began

    def scalar(self, query: str, *values: object) -> float:
        found = self.admin.execute(query.encode(), values).fetchone()
        assert found
        return float(found[0] or 0)


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = whole_numbers("bench.partitions", arguments, size=SIZE, parts=PARTS, rounds=ROUNDS)
    asyncio.run(measure(**chosen))


async def measure(size: int, parts: int, rounds: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            people = await asyncio.to_thread(history.grow, size, of_others=OF_OTHERS)
            superuser.execute(NUMBERED_ON)
        took = await asyncio.to_thread(copy_partitioned, server, parts)
        note = f"{history.chunks} messages into {parts} partitions each"
        figures = [Figure("deploy/partitions.sql", took, "s", note)]
        with (
            psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as one,
            psycopg.connect(server.url("postgres", PARTITIONED), autocommit=True) as other,
        ):
            other_memory = Memory(Database(server.url(APPLICATION, PARTITIONED)), memory.keyring)
            plain = PartitionedDatabase("plain", memory, one, asking_of(memory, history, people))
            partitioned = PartitionedDatabase(
                PARTITIONED, other_memory, other, asking_of(other_memory, history, people)
            )
            for runtime in (plain, partitioned):
                runtime.admin.execute("VACUUM ANALYZE")
                await ensure_walled(runtime, people)
            figures += sizes(plain, partitioned)
            figures += await questions(plain, partitioned, history, people, rounds)
            figures += await partitions_read(partitioned, people)
            figures += await erasures(plain, partitioned, size, len(people))
            await other_memory.database.close()
    report(f"partitions {size}", figures)


def copy_partitioned(server: EmbeddedServer, parts: int) -> float:
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (DATABASE,))
        admin.execute(f"CREATE DATABASE {PARTITIONED} TEMPLATE {DATABASE} OWNER {OWNER}".encode())
    with psycopg.connect(server.url(OWNER, PARTITIONED), autocommit=True) as owner:
        began = time.perf_counter()
        owner.execute(f"SET keepsake.partitions = {parts}".encode())
        owner.execute(SCRIPT.read_bytes())
        took = time.perf_counter() - began
        owner.execute("DROP SCHEMA retired CASCADE")
    return took


def asking_of(memory: Memory, history: History, people: dict[int, Person]) -> dict[int, LatencyQuestion]:
    return {
        scope: LatencyQuestion(memory, history, each.viewer, each.conversation, each.shelf)
        for scope, each in people.items()
    }


async def ensure_walled(runtime: PartitionedDatabase, people: dict[int, Person]) -> None:
    """Everybody counts their own rows and nobody else's."""
    for scope, person in people.items():
        async with runtime.memory.unit(person.viewer, read_only=True) as unit:
            for table in MOVED:
                found = await unit.session.execute(text(f"SELECT count(*) FROM {table}"))
                assert found.scalar_one() == scope, (runtime.name, table)


async def questions(
    plain: PartitionedDatabase,
    partitioned: PartitionedDatabase,
    history: History,
    people: dict[int, Person],
    rounds: int,
) -> list[Figure]:
    spent: dict[str, dict[str, list[float]]] = {}
    for number in range(WARMING + rounds):
        words = " ".join(word(each) for each in history.words(8).tolist())
        vector = history.vectors(1)[0].tolist()
        for runtime in (plain, partitioned) if number % 2 else (partitioned, plain):
            for name, work in ways(runtime, people, number, words, vector).items():
                began = time.perf_counter()
                await work()
                if number >= WARMING:
                    took = (time.perf_counter() - began) * 1000
                    spent.setdefault(name, {}).setdefault(runtime.name, []).append(took)
    return [figure for name, times in spent.items() for figure in compared(name, times, "ms")]


def ways(
    runtime: PartitionedDatabase, people: dict[int, Person], number: int, words: str, vector: Sequence[float]
) -> dict[str, Callable[[], Awaitable[object]]]:
    found: dict[str, Callable[[], Awaitable[object]]] = {}
    for scope, asking in runtime.asking.items():
        asking.question, asking.vectors.ready = words, vector
        found[f"recall, {scope} own"] = asking.recall_once
    scope, asking = max(runtime.asking.items())
    found["bundle without recall"] = lambda: asking.bundle("thanks")
    found["a message written down"] = lambda: runtime.write_down(people[scope], number, words, vector)
    return found


async def partitions_read(runtime: PartitionedDatabase, people: dict[int, Person]) -> list[Figure]:
    """How many partitions of chunks one recall reads, by the server's own counters."""
    runtime.admin.execute("SELECT pg_stat_reset()")
    await runtime.asking[min(people)].recall_once()
    read, every = 0, 0
    for _ in range(SECONDS_TO_TELL):  # the server tells its counters when it has nothing better to do
        await asyncio.sleep(1)
        read, every = runtime.admin.execute(READ_OF.encode(), (0,)).fetchone() or (0, 0)
        if read:
            break
    return [Figure("partitions of chunks that one recall reads", read, "", f"of {every}")]


async def erasures(plain: PartitionedDatabase, partitioned: PartitionedDatabase, size: int, first: int) -> list[Figure]:
    """Some people go, for good; then what they leave is swept."""
    spent: dict[str, list[float]] = {plain.name: [], partitioned.name: []}
    for number in range(first, first + ERASED):
        for runtime in (plain, partitioned) if number % 2 else (partitioned, plain):
            began = time.perf_counter()
            await erase(runtime.memory, TENANT, Viewer.in_private(TENANT, f"bench:{size}-{number}").person)
            spent[runtime.name].append((time.perf_counter() - began) * 1000)
    figures = compared(f"erasing a person of {OF_OTHERS} messages", spent, "ms")
    swept: dict[str, list[float]] = {each.name: [each.vacuum() * 1000] for each in (plain, partitioned)}
    await erase_one_more(plain, partitioned, size, first + ERASED)
    again = {each.name: [each.vacuum() * 1000] for each in (partitioned, plain)}
    figures += compared(f"VACUUM after {ERASED} of them", swept, "ms")
    return figures + compared("VACUUM after one of them", again, "ms")


async def erase_one_more(plain: PartitionedDatabase, partitioned: PartitionedDatabase, size: int, number: int) -> None:
    for runtime in (plain, partitioned):
        await erase(runtime.memory, TENANT, f"bench:{size}-{number}")


def sizes(plain: PartitionedDatabase, partitioned: PartitionedDatabase) -> list[Figure]:
    figures: list[Figure] = []
    both = (plain, partitioned)
    for table in MOVED:
        weights = {each.name: [each.scalar(BYTES, TABLES.format(name=table)) / 1e6] for each in both}
        figures += compared(f"{table} with indexes", weights, "MB")
    largest = {each.name: [each.scalar(LARGEST_INDEX, TABLES.format(name="embeddings")) / 1e6] for each in both}
    return figures + compared("largest index, which one REINDEX locks", largest, "MB")


def compared(what: str, values: dict[str, list[float]], unit: str) -> list[Figure]:
    usual, split = median(values["plain"]), median(values[PARTITIONED])
    return [
        Figure(f"{what}: plain", usual, unit),
        Figure(f"{what}: partitioned", split, unit, f"{split / usual:.2f} x"),
    ]


if __name__ == "__main__":
    main()
