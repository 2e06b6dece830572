"""What hash partitioning of events, chunks and embeddings by user gains: the program's queries with and without it.

    python -m bench.partitions [--size 60000] [--parts 16] [--rounds N]

One database is filled and copied, and deploy/partitions.sql partitions the tables of the copy. Every round runs each
query on both, so that other load affects both equally. Only ratios are meaningful.
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

from bench.arguments import parse_integers
from bench.database import bench_memory
from bench.history import TENANT, History, Person
from bench.latency import RecallTimer
from bench.rebuild import ADVANCE_SEQUENCE
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
CHUNKS_PER_PERSON, ERASED, WARM_UP, STATISTICS_SECONDS = 250, 20, 3, 20
PARTITIONED_TABLES = ("events", "chunks", "embeddings")
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
class Side:
    """One of the two databases, which contain the same people."""

    name: str
    memory: Memory
    admin: psycopg.Connection
    timers: dict[int, RecallTimer]

    async def record_message(self, person: Person, number: int, words: str, vector: Sequence[float]) -> None:
        """Write a message with its chunk and vector, as a turn does."""
        viewer = person.viewer
        draft = EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": words})
        prepared = prepare(draft, datetime.now(UTC))
        async with self.memory.unit(viewer) as unit:
            await record(unit, person.conversation, [prepared])
        async with self.memory.unit(viewer) as unit:
            vectors = [(chunk.id, vector) for chunk in prepared.chunks]
            await add_embeddings(unit.session, viewer, MODEL, vectors)

    def vacuum(self) -> float:
        started = time.perf_counter()
        for table in PARTITIONED_TABLES:
            self.admin.execute(f"VACUUM {table}".encode())
        return time.perf_counter() - started

    def scalar(self, query: str, *values: object) -> float:
        found = self.admin.execute(query.encode(), values).fetchone()
        assert found
        return float(found[0] or 0)


def main(arguments: Sequence[str] | None = None) -> None:
    args = parse_integers("bench.partitions", arguments, size=SIZE, parts=PARTS, rounds=ROUNDS)
    asyncio.run(measure(**args))


async def measure(size: int, parts: int, rounds: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            people = await asyncio.to_thread(history.grow, size, of_others=CHUNKS_PER_PERSON)
            superuser.execute(ADVANCE_SEQUENCE)
        took = await asyncio.to_thread(copy_partitioned, server, parts)
        note = f"{history.chunks} messages into {parts} partitions each"
        figures = [Figure("deploy/partitions.sql", took, "s", note)]
        with (
            psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as one,
            psycopg.connect(server.url("postgres", PARTITIONED), autocommit=True) as other,
        ):
            other_memory = Memory(Database(server.url(APPLICATION, PARTITIONED)), memory.keyring)
            plain = Side("plain", memory, one, timers_for(memory, history, people))
            partitioned = Side(PARTITIONED, other_memory, other, timers_for(other_memory, history, people))
            for side in (plain, partitioned):
                side.admin.execute("VACUUM ANALYZE")
                await check_row_level_security(side, people)
            figures += sizes(plain, partitioned)
            figures += await compare_queries(plain, partitioned, history, people, rounds)
            figures += await partitions_read(partitioned, people)
            figures += await erasures(plain, partitioned, size, len(people))
            await other_memory.database.close()
    report(f"partitions {size}", figures)


def copy_partitioned(server: EmbeddedServer, parts: int) -> float:
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (DATABASE,))
        admin.execute(f"CREATE DATABASE {PARTITIONED} TEMPLATE {DATABASE} OWNER {OWNER}".encode())
    with psycopg.connect(server.url(OWNER, PARTITIONED), autocommit=True) as owner:
        started = time.perf_counter()
        owner.execute(f"SET keepsake.partitions = {parts}".encode())
        owner.execute(SCRIPT.read_bytes())
        took = time.perf_counter() - started
        owner.execute("DROP SCHEMA retired CASCADE")
    return took


def timers_for(memory: Memory, history: History, people: dict[int, Person]) -> dict[int, RecallTimer]:
    return {
        scope: RecallTimer(memory, history, each.viewer, each.conversation, each.shelf)
        for scope, each in people.items()
    }


async def check_row_level_security(side: Side, people: dict[int, Person]) -> None:
    """Check that everybody sees their own rows only."""
    for scope, person in people.items():
        async with side.memory.unit(person.viewer, read_only=True) as unit:
            for table in PARTITIONED_TABLES:
                found = await unit.session.execute(text(f"SELECT count(*) FROM {table}"))
                assert found.scalar_one() == scope, (side.name, table)


async def compare_queries(
    plain: Side,
    partitioned: Side,
    history: History,
    people: dict[int, Person],
    rounds: int,
) -> list[Figure]:
    spent: dict[str, dict[str, list[float]]] = {}
    for number in range(WARM_UP + rounds):
        words = history.question()
        vector = history.vectors(1)[0].tolist()
        for side in (plain, partitioned) if number % 2 else (partitioned, plain):
            for name, work in tasks(side, people, number, words, vector).items():
                started = time.perf_counter()
                await work()
                if number >= WARM_UP:
                    took = (time.perf_counter() - started) * 1000
                    spent.setdefault(name, {}).setdefault(side.name, []).append(took)
    return [figure for name, times in spent.items() for figure in compared(name, times, "ms")]


def tasks(
    side: Side, people: dict[int, Person], number: int, words: str, vector: Sequence[float]
) -> dict[str, Callable[[], Awaitable[object]]]:
    found: dict[str, Callable[[], Awaitable[object]]] = {}
    for scope, timer in side.timers.items():
        timer.question, timer.vectors.vector = words, vector
        found[f"recall, {scope} own"] = timer.recall_once
    scope, timer = max(side.timers.items())
    found["bundle without recall"] = lambda: timer.bundle("thanks")
    found["recording a message"] = lambda: side.record_message(people[scope], number, words, vector)
    return found


async def partitions_read(side: Side, people: dict[int, Person]) -> list[Figure]:
    """Count the partitions of chunks that one recall reads, by the server's statistics."""
    side.admin.execute("SELECT pg_stat_reset()")
    await side.timers[min(people)].recall_once()
    read, every = 0, 0
    for _ in range(STATISTICS_SECONDS):  # the server updates its statistics with a delay
        await asyncio.sleep(1)
        read, every = side.admin.execute(READ_OF.encode(), (0,)).fetchone() or (0, 0)
        if read:
            break
    return [Figure("partitions of chunks that one recall reads", read, "", f"of {every}")]


async def erasures(plain: Side, partitioned: Side, size: int, first: int) -> list[Figure]:
    """Erase some people, then vacuum."""
    spent: dict[str, list[float]] = {plain.name: [], partitioned.name: []}
    for number in range(first, first + ERASED):
        for side in (plain, partitioned) if number % 2 else (partitioned, plain):
            started = time.perf_counter()
            await erase(side.memory, TENANT, Viewer.in_private(TENANT, f"bench:{size}-{number}").person)
            spent[side.name].append((time.perf_counter() - started) * 1000)
    figures = compared(f"erasing a person of {CHUNKS_PER_PERSON} messages", spent, "ms")
    swept: dict[str, list[float]] = {each.name: [each.vacuum() * 1000] for each in (plain, partitioned)}
    await erase_one_more(plain, partitioned, size, first + ERASED)
    again = {each.name: [each.vacuum() * 1000] for each in (partitioned, plain)}
    figures += compared(f"VACUUM after {ERASED} of them", swept, "ms")
    return figures + compared("VACUUM after one of them", again, "ms")


async def erase_one_more(plain: Side, partitioned: Side, size: int, number: int) -> None:
    for side in (plain, partitioned):
        await erase(side.memory, TENANT, f"bench:{size}-{number}")


def sizes(plain: Side, partitioned: Side) -> list[Figure]:
    figures: list[Figure] = []
    both = (plain, partitioned)
    for table in PARTITIONED_TABLES:
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
