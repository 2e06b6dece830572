"""The daemon's overhead over the bare database, and how many calls one process answers.

    python -m bench.api [--clients 1,10,50] [--seconds N] [--profile FILE]

`keepsake serve` is a separate process that shares the cores with its clients and PostgreSQL. Each client sends its next
call at once. The bare database runs the same statements with the same values, sent by psycopg in a transaction of the
same viewer.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
from sqlalchemy import event

from api.api_call import ApiCall
from api.caller import ApiCaller, Scoping
from api.operations import events, memory
from api.paging import Page
from api.schemas.events import BundleIn, EventIn
from bench.database import migrated_database
from bench.report import Figure, percentile, report
from bot.language import OFFLINE_LOCALE
from db.engine import Database
from db.ids import timed_id
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Scope
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.model.offline import OfflineBrain
from memory.people.keys import RateLimit, authenticate_key, make_key
from memory.privacy.encryption import Keyring, new_key
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, cannot_revive
from tests.e2e.daemon import is_well
from tests.ports import free_port
from tests.raw_http import spelled
from tests.waiting import until

CLIENTS, SECONDS = (1, 10, 50), 4.0
TENANT, FACTS, MESSAGES, RAW_ROUNDS = "bench", 50, 400, 300
UNLIMITED = RateLimit(burst=1_000_000, per_second=1_000_000.0)
WORDS = "message {number} of somebody who writes about their day, the weather and a garden with roses"
PROFILED = """
import cProfile, sys, time
from bot.cli.main import run
profile = cProfile.Profile(time.thread_time)
profile.runcall(run, ["serve"])
profile.dump_stats(sys.argv[1])
"""
Statement = tuple[str, Any]


def event_body(number: int, user: str = "ada") -> dict[str, Any]:
    actor = {"type": "human", "id": "user"}
    words = {"text": WORDS.format(number=number)}
    return {"session_id": "s1", "user_id": user, "actor": actor, "kind": "message", "content": words}


def bundle_body(words: str) -> dict[str, Any]:
    return {"session_id": "s1", "user_id": "ada", "agent_id": "a", "query_text": words}


FAST, RECALL = bundle_body("Thanks!"), bundle_body("What did I say about the garden with the roses?")


@dataclass(frozen=True, slots=True)
class CallKind:
    """One kind of call, as a client sends it."""

    name: str
    method: str
    path: str
    body: Any = None

    def request(self, key: str, number: int) -> bytes:
        """Events come from a hundred users, so that they do not wait for locks on one conversation."""
        body = event_body(number, f"u{number % 100}") if self.name == EVENTS else self.body
        data = json.dumps(body).encode() if body is not None else b""
        return spelled(self.method, f"/api/v1/{self.path}", data, key=key, Connection="keep-alive")


EVENTS, MEMORY = "POST events", "GET memory"
KINDS = (
    CallKind(EVENTS, "POST", "events"),
    CallKind("POST acb/build, nothing recalled", "POST", "acb/build", FAST),
    CallKind("POST acb/build with recall", "POST", "acb/build", RECALL),
    CallKind(MEMORY, "GET", "memory?user_id=ada"),
)


class BenchClient:
    """A keep-alive connection with minimal HTTP, because clients share the cores with the daemon."""

    def __init__(self, url: str) -> None:
        self._place = urlsplit(url)
        self.took: list[float] = []

    async def run(self, kind: CallKind, key: str, numbers: Iterator[int], deadline: float) -> None:
        reader, writer = await asyncio.open_connection(self._place.hostname, self._place.port)
        while time.perf_counter() < deadline:
            sent = kind.request(key, next(numbers))
            began = time.perf_counter()
            writer.write(sent)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.partition(b":")[2]))
            self.took.append(time.perf_counter() - began)
            assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head
        writer.close()


async def call_times(
    clients: int, kind: CallKind, url: str, key: str, seconds: float, numbers: Iterator[int]
) -> list[float]:
    pool = [BenchClient(url) for _ in range(clients)]
    deadline = time.perf_counter() + seconds
    await asyncio.gather(*(client.run(kind, key, numbers, deadline) for client in pool))
    return sorted(took for client in pool for took in client.took)


@asynccontextmanager
async def open_runtime(url: str) -> AsyncIterator[tuple[Runtime, str]]:
    """Yield a runtime in this process, and an API key."""
    made = Memory(Database(url), Keyring((new_key(),)))
    brain = OfflineBrain(OFFLINE_LOCALE)
    runtime = Runtime(
        Settings.model_validate({"KEEPSAKE_TENANT": TENANT}),
        made,
        VectorIndex(made, TENANT, None),
        brain,
        cannot_revive,
    )
    _, key = await make_key(made, TENANT, scopes=tuple(Scope))
    yield runtime, key
    await brain.close()
    await made.database.close()


async def fill(runtime: Runtime, key: str) -> None:
    bearer = await authenticate_key(runtime.memory, key, UNLIMITED)
    assert bearer
    for number in range(MESSAGES):
        await events.record_event(ApiCall(ApiCaller(runtime, bearer)), EventIn.model_validate(event_body(number)))
    async with runtime.memory.unit(Viewer.in_private(TENANT, "api:ada")) as unit:
        for number in range(FACTS):
            await facts.remember(unit, FactDraft(f"Rose number {number} is red", Category.CONTEXT), Approval.COMMAND)


async def statements_of(runtime: Runtime, key: str) -> dict[str, list[Statement]]:
    """Return the statements that each kind of call sends, without those that check the key."""
    bearer = await authenticate_key(runtime.memory, key, UNLIMITED)
    assert bearer
    sent: list[Statement] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if "set_config" not in statement:
            sent.append((statement.strip(), parameters))

    engine = runtime.memory.database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    found = {}
    call = ApiCall(ApiCaller(runtime, bearer))
    works: dict[str, Callable[[], Awaitable[Any]]] = {
        KINDS[0].name: lambda: events.record_event(call, EventIn.model_validate(event_body(0))),
        KINDS[1].name: lambda: events.build_acb(call, BundleIn.model_validate(FAST)),
        KINDS[2].name: lambda: events.build_acb(call, BundleIn.model_validate(RECALL)),
        KINDS[3].name: lambda: memory.list_memory(call, Scoping(user_id="ada"), Page(50, None)),
    }
    for name, work in works.items():
        sent.clear()
        await work()
        found[name] = list(sent)
    event.remove(engine, "before_cursor_execute", note)
    # Only INSERTs of a write, and only SELECTs of the rest.
    return {
        name: [each for each in sent if ("INSERT INTO" in each[0]) == (name == EVENTS) and "COMMIT" not in each[0]]
        for name, sent in found.items()
    }


def database_times(url: str, statements: Sequence[Statement], *, writes: bool) -> tuple[float, float]:
    """Return the median and 95th percentile of the bare statements in milliseconds."""
    began = (
        f"BEGIN READ {'WRITE' if writes else 'ONLY'}; SELECT set_config('keepsake.tenant', '{TENANT}', true),"
        " set_config('keepsake.user', 'api:ada', true), set_config('keepsake.space', 'personal:api:ada', true),"
        " set_config('keepsake.channel', 'private', true), set_config('max_parallel_workers_per_gather', '0', true)"
    )
    took = []
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(RAW_ROUNDS):
            fresh = with_new_ids(statements) if writes else statements
            start = time.perf_counter()
            connection.execute(began.encode())
            for statement, parameters in fresh:
                connection.execute(statement.encode(), parameters)
            connection.execute("COMMIT")
            took.append(1000 * (time.perf_counter() - start))
    return percentile(took, 50), percentile(took, 95)


def with_new_ids(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements with the ids of a new event and chunk."""
    id, chunk = timed_id("evt", now := datetime.now(UTC)), timed_id("chk", now)
    made = []
    for statement, parameters in statements:
        given = dict(parameters[0] if isinstance(parameters, list | tuple) else parameters)
        given |= {"ids": [chunk], "sources": [id]} if "ids" in given else {"id": id, "id_m0": id}
        made.append((statement, given))
    return made


@contextmanager
def serve(url: str, folder: Path, profile: str | None) -> Iterator[tuple[str, int]]:
    port = free_port()
    settings = {
        **os.environ,
        "DATABASE_URL": url,
        "KEEPSAKE_TENANT": TENANT,
        "KEEPSAKE_DATA_DIR": str(folder / "data"),
        "KEEPSAKE_PORT": str(port),
        "KEEPSAKE_CALLS_PER_MINUTE": "0",
        "KEEPSAKE_EMBEDDER": "off",
    }
    command = [sys.executable, *(["-c", PROFILED, profile] if profile else ["-m", "bot", "serve"])]
    with (folder / "log").open("wb") as log:
        started = subprocess.Popen(command, env=settings, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        until(lambda: started.poll() is not None or is_well(address), lambda: (folder / "log").read_text())
        yield address, started.pid
    finally:
        started.terminate()
        started.wait(30)


async def measure(url: str, folder: Path, args: argparse.Namespace) -> list[Figure]:
    figures = []
    async with open_runtime(url) as (runtime, key):
        await fill(runtime, key)
        statements = await statements_of(runtime, key)
        bare = {
            name: await asyncio.to_thread(database_times, url, sent, writes=name == EVENTS)
            for name, sent in statements.items()
        }
        admission = await admission_time(runtime, key)
    figures += [
        Figure(f"{name}: bare database, p50", bare[name][0], "ms", f"{len(statements[name])} statements")
        for name in bare
    ]
    with serve(url, folder, args.profile) as (address, pid):
        numbers = count(1000)
        for kind in KINDS:
            await call_times(4, kind, address, key, 0.5, numbers)  # warm-up
            for clients in args.clients:
                busy = sum(psutil.Process(pid).cpu_times()[:2])
                took = await call_times(clients, kind, address, key, args.seconds, numbers)
                busy = sum(psutil.Process(pid).cpu_times()[:2]) - busy
                figures += figures_of(kind.name, clients, took, busy, args.seconds, bare[kind.name][0])
    one_client = next(each.value for each in figures if each.what == f"{EVENTS}, 1 client: p50")
    share = f"{admission / one_client:.0%} of a POST events" if one_client else ""
    return [*figures, Figure("checking the key and the rate limit, p50", admission, "ms", share)]


async def admission_time(runtime: Runtime, key: str) -> float:
    took = []
    for _ in range(RAW_ROUNDS):
        began = time.perf_counter()
        await authenticate_key(runtime.memory, key, UNLIMITED)
        took.append(1000 * (time.perf_counter() - began))
    return median(took)


def figures_of(name: str, clients: int, took: list[float], busy: float, seconds: float, bare: float) -> list[Figure]:
    who = f"{name}, {clients} client{'s' * (clients > 1)}"
    p50, p95 = 1000 * percentile(took, 50), 1000 * percentile(took, 95)
    times = f"{p50 / bare:.1f} × the bare database" if clients == 1 else ""
    return [
        Figure(f"{who}: per second", len(took) / seconds, "/s"),
        Figure(f"{who}: p50", p50, "ms", times),
        Figure(f"{who}: p95", p95, "ms"),
        Figure(f"{who}: processor time a call", 1000 * busy / len(took), "ms"),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="bench.api")
    parser.add_argument("--clients", type=lambda sizes: tuple(map(int, sizes.split(","))), default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="per kind of call and number of clients")
    parser.add_argument("--profile", help="file for a cProfile profile of the daemon")
    args = parser.parse_args(arguments)
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place, migrated_database(Path(place) / "server") as url:
        figures = asyncio.run(measure(url, Path(place), args))
    note = f"{before:.1f} before; clients and PostgreSQL share {os.cpu_count()} cores with the daemon"
    report("api", [*figures, Figure("load of the machine at the end", os.getloadavg()[0], "", note)])


if __name__ == "__main__":
    main()
