"""What pgbouncer costs between the program and PostgreSQL, and how many clients share how few server connections.

    python -m bench.pooler [--size 10000] [--rounds 40] [--clients 50]

The same questions to the server itself, to the server without prepared statements, and through pgbouncer in transaction
mode on a unix socket, in turn. Then many clients at once. Without a pgbouncer on the machine it
says so and measures nothing; PGBOUNCER names another one.
"""

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from statistics import median

import psycopg
from sqlalchemy import text

from bench.arguments import whole_numbers
from bench.history import TENANT, History, Person, word
from bench.runtime import bench_memory
from bench.latency import LatencyQuestion, cut
from bench.report import Figure, report
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, DATABASE
from db.engine import Database, driver_of
from db.errors import DatabaseAway
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.pgbouncer import binary, bouncing, version

SIZE, ROUNDS, CLIENTS, SERVERS = 10_000, 40, 50, 5
WARMING, EACH = 5, 20
DIRECT, UNPREPARED, POOLED = "direct", "direct, nothing prepared", "through pgbouncer"
BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = whole_numbers("bench.pooler", arguments, size=SIZE, rounds=ROUNDS, clients=CLIENTS)
    if binary() is None:
        print("\npooler\n  skipped: pgbouncer is not installed here (Debian: apt install pgbouncer)")
        return
    asyncio.run(measure(**chosen))


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
                figures = await asked(databases, memory, history, person, rounds)
            figures += await crowded(server, Path(place) / "many", history, person, clients, memory.keyring)
    report(f"pooler {'.'.join(map(str, version()))}", figures)


async def asked(
    databases: dict[str, Database], memory: Memory, history: History, person: Person, rounds: int
) -> list[Figure]:
    spent: dict[str, dict[str, list[float]]] = {}
    asking = {
        name: LatencyQuestion(Memory(each, memory.keyring), history, person.viewer, person.conversation, person.shelf)
        for name, each in databases.items()
    }
    for number in range(WARMING + rounds):
        question, vector = " ".join(word(each) for each in history.words(8).tolist()), history.vectors(1)[0].tolist()
        for name in list(asking)[number % 3 :] + list(asking)[: number % 3]:
            one = asking[name]
            one.question, one.vectors.ready = question, vector
            for what, work in ways(databases[name], one).items():
                began = time.perf_counter()
                await work()
                if number >= WARMING:
                    spent.setdefault(what, {}).setdefault(name, []).append((time.perf_counter() - began) * 1000)
    for database in databases.values():
        await database.close()
    figures = []
    for what, by_name in spent.items():
        usual = median(by_name[DIRECT])
        for name in databases:
            ratio = f"{median(by_name[name]) / usual:.2f} x" if name != DIRECT else ""
            figures.append(Figure(f"{what}, {name}", median(by_name[name]), "ms", ratio))
    return figures


def ways(database: Database, asking: LatencyQuestion) -> dict[str, Callable[[], Awaitable[object]]]:
    return {
        "a transaction of one question": lambda: question(database, asking),
        "bundle without recall": lambda: asking.bundle("thanks"),
        "recall": asking.recall_once,
    }


async def question(database: Database, asking: LatencyQuestion) -> None:
    async with database.transaction(asking.viewer, read_only=True) as session:
        await session.execute(text("SELECT name FROM users WHERE tenant_id = :tenant"), {"tenant": TENANT})


async def crowded(
    server: EmbeddedServer, folder: Path, history: History, person: Person, clients: int, keyring: Keyring
) -> list[Figure]:
    """As many connections as processes would open, each asking again and again, over a few of the server's."""
    settings = {"default_pool_size": str(SERVERS), "query_wait_timeout": "2"}
    spent: list[float] = []
    refused = 0
    with bouncing(server, folder, **settings) as bouncer:
        databases = [Database(bouncer.url(APPLICATION, DATABASE), pool_size=1) for _ in range(clients)]

        async def ask(database: Database) -> None:
            nonlocal refused
            asking = LatencyQuestion(Memory(database, keyring), history, person.viewer)
            for _ in range(EACH):
                began = time.perf_counter()
                try:
                    await question(database, asking)
                except DatabaseAway:
                    refused += 1
                spent.append((time.perf_counter() - began) * 1000)

        await asyncio.gather(*map(ask, databases))
        with psycopg.connect(server.url("postgres", "postgres")) as admin:
            found = admin.execute(BACKENDS, (APPLICATION,)).fetchone()
        for database in databases:
            await database.close()
    assert found
    note = f"{len(spent)} questions of {clients} clients at once, {refused} turned away"
    return [
        Figure("server connections in use", found[0], "", f"default_pool_size {SERVERS}"),
        Figure("a question in that crowd, p95", cut(spent)[94], "ms", note),
    ]


if __name__ == "__main__":
    main()
