"""The overhead of pgbouncer between the program and PostgreSQL, and how many clients share its connections.

    python -m bench.pooler [--size 10000] [--rounds 40] [--clients 50]

Runs the same queries directly, directly without prepared statements, and through pgbouncer in transaction mode on a
unix socket, in turn; then with many clients at once. Skipped if pgbouncer is not installed; PGBOUNCER sets its path.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median

import psycopg
from sqlalchemy import text

from bench.arguments import parse_integers
from bench.database import bench_memory
from bench.history import TENANT, History, Person
from bench.latency import RecallTimer
from bench.report import Figure, percentile, report
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, DATABASE
from db.engine import Database, driver_of
from db.errors import DatabaseAway
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.pgbouncer import binary, bouncing, version

SIZE, ROUNDS, CLIENTS, SERVERS = 10_000, 40, 50, 5
WARM_UP, QUERIES_PER_CLIENT = 5, 20
DIRECT, UNPREPARED, POOLED = "direct", "direct, nothing prepared", "through pgbouncer"
BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"


def main(arguments: Sequence[str] | None = None) -> None:
    args = parse_integers("bench.pooler", arguments, size=SIZE, rounds=ROUNDS, clients=CLIENTS)
    if binary() is None:
        print("\npooler\n  skipped: pgbouncer is not installed here (Debian: apt install pgbouncer)")
        return
    asyncio.run(measure(**args))


async def measure(size: int, rounds: int, clients: int) -> None:
    async with bench_memory() as (memory, server):
        with psycopg.connect(server.url("postgres", DATABASE), autocommit=True) as superuser:
            history = History(superuser)
            people = await asyncio.to_thread(history.grow, size)
        person = people[max(people)]
        with tempfile.TemporaryDirectory() as place:
            with bouncing(server, Path(place) / "one") as bouncer:
                databases = {
                    DIRECT: Database(server.url(APPLICATION, DATABASE), pool_size=1),
                    UNPREPARED: Database(server.url(APPLICATION, DATABASE), pool_size=1),
                    POOLED: Database(bouncer.url(APPLICATION, DATABASE), pool_size=1),
                }
                async with databases[UNPREPARED].transaction(person.viewer) as session:
                    (await driver_of(await session.connection())).prepare_threshold = None
                figures = await compare(databases, memory, history, person, rounds)
            figures += await share_connections(server, Path(place) / "many", history, person, clients, memory.keyring)
    report(f"pooler {'.'.join(map(str, version()))}", figures)


async def compare(
    databases: dict[str, Database], memory: Memory, history: History, person: Person, rounds: int
) -> list[Figure]:
    spent: dict[str, dict[str, list[float]]] = {}
    timers = {
        name: RecallTimer(Memory(each, memory.keyring), history, person.viewer, person.conversation, person.shelf)
        for name, each in databases.items()
    }
    for number in range(WARM_UP + rounds):
        question, vector = history.question(), history.vectors(1)[0].tolist()
        for name in list(timers)[number % 3 :] + list(timers)[: number % 3]:
            timer = timers[name]
            timer.question, timer.vectors.vector = question, vector
            for what, work in tasks(databases[name], timer).items():
                started = time.perf_counter()
                await work()
                if number >= WARM_UP:
                    spent.setdefault(what, {}).setdefault(name, []).append((time.perf_counter() - started) * 1000)
    for database in databases.values():
        await database.close()
    figures = []
    for what, by_name in spent.items():
        usual = median(by_name[DIRECT])
        for name in databases:
            ratio = f"{median(by_name[name]) / usual:.2f} x" if name != DIRECT else ""
            figures.append(Figure(f"{what}, {name}", median(by_name[name]), "ms", ratio))
    return figures


def tasks(database: Database, timer: RecallTimer) -> dict[str, Callable[[], Awaitable[object]]]:
    return {
        "a transaction of one query": lambda: query(database, timer),
        "bundle without recall": lambda: timer.bundle("thanks"),
        "recall": timer.recall_once,
    }


async def query(database: Database, timer: RecallTimer) -> None:
    async with database.transaction(timer.viewer, read_only=True) as session:
        await session.execute(text("SELECT name FROM users WHERE tenant_id = :tenant"), {"tenant": TENANT})


async def share_connections(
    server: EmbeddedServer, folder: Path, history: History, person: Person, clients: int, keyring: Keyring
) -> list[Figure]:
    """Run many clients at once over a few server connections."""
    settings = {"default_pool_size": str(SERVERS), "query_wait_timeout": "2"}
    spent: list[float] = []
    refused = 0
    with bouncing(server, folder, **settings) as bouncer:
        databases = [Database(bouncer.url(APPLICATION, DATABASE), pool_size=1) for _ in range(clients)]

        async def ask(database: Database) -> None:
            nonlocal refused
            timer = RecallTimer(Memory(database, keyring), history, person.viewer)
            for _ in range(QUERIES_PER_CLIENT):
                started = time.perf_counter()
                try:
                    await query(database, timer)
                except DatabaseAway:
                    refused += 1
                spent.append((time.perf_counter() - started) * 1000)

        await asyncio.gather(*map(ask, databases))
        with psycopg.connect(server.url("postgres", "postgres")) as admin:
            found = admin.execute(BACKENDS, (APPLICATION,)).fetchone()
        for database in databases:
            await database.close()
    assert found
    note = f"{len(spent)} queries of {clients} clients at once, {refused} refused"
    return [
        Figure("server connections in use", found[0], "", f"default_pool_size {SERVERS}"),
        Figure("a query with that many clients, p95", percentile(spent, 95), "ms", note),
    ]


if __name__ == "__main__":
    main()
