"""What the daemon takes on top of the bare database, and how many calls one process answers.

    python -m bench.api [--clients 1,10,50] [--seconds N] [--profile FILE]

`keepsake serve` is a process of its own; who calls it, and PostgreSQL, share its cores. Nobody thinks between calls: so
many are always under way. The bare database is the same statements with the same values, sent by psycopg in one
transaction of the same viewer, one after the other, in the same run.
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
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
from sqlalchemy import event

from api.call import ApiCall
from api.caller import ApiCaller, Scoping
from api.operations import events, memory
from api.paging import Page
from api.schemas.events import BundleIn, EventIn
from bench.load import database
from bench.report import Figure, report
from bot.language import VOICE
from db.engine import Database
from db.ids import timed_id
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Scope
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.model.offline import OfflineBrain
from memory.people.keys import Pace, admit, make_key
from memory.privacy.encryption import Keyring, new_key
from memory.retrieval.vectors import Vectors
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import Runtime, leave_it
from tests.e2e.daemon import is_well
from tests.ports import free_port
from tests.raw_http import spelled
from tests.waiting import until

CLIENTS, SECONDS = (1, 10, 50), 4.0
TENANT, FACTS, SAID, RAW_ROUNDS = "bench", 50, 400, 300
UNPACED = Pace(burst=1_000_000, a_second=1_000_000.0)
WORDS = "message {number} of somebody who writes about their day, the weather and a garden with roses"
PROFILED = """
import cProfile, sys, time
from bot.cli.main import run
profile = cProfile.Profile(time.thread_time)
profile.runcall(run, ["serve"])
profile.dump_stats(sys.argv[1])
"""
Statement = tuple[str, Any]


def event_of(number: int, user: str = "ada") -> dict[str, Any]:
    actor = {"type": "human", "id": "user"}
    words = {"text": WORDS.format(number=number)}
    return {"session_id": "s1", "user_id": user, "actor": actor, "kind": "message", "content": words}


def bundle_of(words: str) -> dict[str, Any]:
    return {"session_id": "s1", "user_id": "ada", "agent_id": "a", "query_text": words}


FAST, RECALL = bundle_of("Thanks!"), bundle_of("What did I say about the garden with the roses?")


@dataclass(frozen=True, slots=True)
class ApiLoad:
    """One kind of call: as a client sends it, and which bare statements it needs."""

    name: str
    method: str
    path: str
    body: Any = None

    def spelled(self, key: str, number: int) -> bytes:
        """A hundred users write, so that they do not wait for each other's conversation."""
        told = event_of(number, f"u{number % 100}") if self.name == EVENTS else self.body
        data = json.dumps(told).encode() if told is not None else b""
        return spelled(self.method, f"/api/v1/{self.path}", data, key=key, Connection="keep-alive")


EVENTS, MEMORY = "POST events", "GET memory"
ASKED = (
    ApiLoad(EVENTS, "POST", "events"),
    ApiLoad("POST acb/build, nothing recalled", "POST", "acb/build", FAST),
    ApiLoad("POST acb/build with recall", "POST", "acb/build", RECALL),
    ApiLoad(MEMORY, "GET", "memory?user_id=ada"),
)


class BenchClient:
    """A line that is kept open; nothing but what HTTP needs, because it shares our cores."""

    def __init__(self, url: str) -> None:
        self._place = urlsplit(url)
        self.took: list[float] = []

    async def ask(self, asking: ApiLoad, key: str, numbers: Iterator[int], until_: float) -> None:
        reader, writer = await asyncio.open_connection(self._place.hostname, self._place.port)
        while time.perf_counter() < until_:
            sent = asking.spelled(key, next(numbers))
            began = time.perf_counter()
            writer.write(sent)
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
            await reader.readexactly(int(length.partition(b":")[2]))
            self.took.append(time.perf_counter() - began)
            assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head
        writer.close()


async def asked_by(
    clients: int, asking: ApiLoad, url: str, key: str, seconds: float, numbers: Iterator[int]
) -> list[float]:
    crowd = [BenchClient(url) for _ in range(clients)]
    over = time.perf_counter() + seconds
    await asyncio.gather(*(client.ask(asking, key, numbers, over) for client in crowd))
    return sorted(took for client in crowd for took in client.took)


@asynccontextmanager
async def inside(url: str) -> AsyncIterator[tuple[Runtime, str]]:
    """The same house without HTTP, with a key and something to remember."""
    made = Memory(Database(url), Keyring((new_key(),)))
    brain = OfflineBrain(VOICE)
    runtime = Runtime(
        Settings.model_validate({"KEEPSAKE_TENANT": TENANT}), made, Vectors(made, TENANT, None), brain, leave_it
    )
    _, key = await make_key(made, TENANT, scopes=tuple(Scope))
    yield runtime, key
    await brain.close()
    await made.database.close()


async def fill(runtime: Runtime, key: str) -> None:
    bearer = await admit(runtime.memory, key, UNPACED)
    assert bearer
    for number in range(SAID):
        await events.record_event(ApiCall(ApiCaller(runtime, bearer)), EventIn.model_validate(event_of(number)))
    async with runtime.memory.unit(Viewer.in_private(TENANT, "api:ada")) as unit:
        for number in range(FACTS):
            await facts.remember(unit, FactDraft(f"Rose number {number} is red", Category.CONTEXT), Approval.COMMAND)


async def statements_of(runtime: Runtime, key: str) -> dict[str, list[Statement]]:
    """What each kind of call sends to the database, without asking for the key."""
    bearer = await admit(runtime.memory, key, UNPACED)
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
        ASKED[0].name: lambda: events.record_event(call, EventIn.model_validate(event_of(0))),
        ASKED[1].name: lambda: events.build_acb(call, BundleIn.model_validate(FAST)),
        ASKED[2].name: lambda: events.build_acb(call, BundleIn.model_validate(RECALL)),
        ASKED[3].name: lambda: memory.list_memory(call, Scoping(user_id="ada"), Page(50, None)),
    }
    for name, work in works.items():
        sent.clear()
        await work()
        found[name] = list(sent)
    event.remove(engine, "before_cursor_execute", note)
    # Of a write its INSERTs, of anything else what it reads.
    return {
        name: [each for each in sent if ("INSERT INTO" in each[0]) == (name == EVENTS) and "COMMIT" not in each[0]]
        for name, sent in found.items()
    }


def raw(url: str, statements: Sequence[Statement], *, writes: bool) -> tuple[float, float]:
    """The median and the 95th percentile of the bare statements, in milliseconds."""
    began = (
        f"BEGIN READ {'WRITE' if writes else 'ONLY'}; SELECT set_config('keepsake.tenant', '{TENANT}', true),"
        " set_config('keepsake.user', 'api:ada', true), set_config('keepsake.space', 'personal:api:ada', true),"
        " set_config('keepsake.channel', 'private', true), set_config('max_parallel_workers_per_gather', '0', true)"
    )
    took = []
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(RAW_ROUNDS):
            fresh = renewed(statements) if writes else statements
            start = time.perf_counter()
            connection.execute(began.encode())
            for statement, parameters in fresh:
                connection.execute(statement.encode(), parameters)
            connection.execute("COMMIT")
            took.append(1000 * (time.perf_counter() - start))
    return median(took), quantiles(took, n=20)[18]


def renewed(statements: Sequence[Statement]) -> list[Statement]:
    """The same words again, as another event with another chunk."""
    id, chunk = timed_id("evt", now := datetime.now(UTC)), timed_id("chk", now)
    made = []
    for statement, parameters in statements:
        given = dict(parameters[0] if isinstance(parameters, list | tuple) else parameters)
        given |= {"ids": [chunk], "sources": [id]} if "ids" in given else {"id": id, "id_m0": id}
        made.append((statement, given))
    return made


@contextmanager
def serving(url: str, folder: Path, profile: str | None) -> Iterator[tuple[str, int]]:
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


async def measured(url: str, folder: Path, chosen: argparse.Namespace) -> list[Figure]:
    figures = []
    async with inside(url) as (runtime, key):
        await fill(runtime, key)
        statements = await statements_of(runtime, key)
        bare = {
            name: await asyncio.to_thread(raw, url, sent, writes=name == EVENTS) for name, sent in statements.items()
        }
        door = await admitting(runtime, key)
    figures += [
        Figure(f"{name}: bare database, p50", bare[name][0], "ms", f"{len(statements[name])} statements")
        for name in bare
    ]
    with serving(url, folder, chosen.profile) as (address, pid):
        numbers = count(1000)
        for asking in ASKED:
            await asked_by(4, asking, address, key, 0.5, numbers)  # what is prepared and cached is so from here on
            for clients in chosen.clients:
                busy = sum(psutil.Process(pid).cpu_times()[:2])
                took = await asked_by(clients, asking, address, key, chosen.seconds, numbers)
                busy = sum(psutil.Process(pid).cpu_times()[:2]) - busy
                figures += told(asking.name, clients, took, busy, chosen.seconds, bare[asking.name][0])
    alone = next(each.value for each in figures if each.what == f"{EVENTS}, 1 client: p50")
    share = f"{door / alone:.0%} of a POST events" if alone else ""
    return [*figures, Figure("asking for the key and counting the call, p50", door, "ms", share)]


async def admitting(runtime: Runtime, key: str) -> float:
    took = []
    for _ in range(RAW_ROUNDS):
        began = time.perf_counter()
        await admit(runtime.memory, key, UNPACED)
        took.append(1000 * (time.perf_counter() - began))
    return median(took)


def told(name: str, clients: int, took: list[float], busy: float, seconds: float, bare: float) -> list[Figure]:
    who = f"{name}, {clients} client{'s' * (clients > 1)}"
    middle, late = 1000 * median(took), 1000 * quantiles(took, n=20)[18]
    times = f"{middle / bare:.1f} × the bare database" if clients == 1 else ""
    return [
        Figure(f"{who}: per second", len(took) / seconds, "/s"),
        Figure(f"{who}: p50", middle, "ms", times),
        Figure(f"{who}: p95", late, "ms"),
        Figure(f"{who}: processor time a call", 1000 * busy / len(took), "ms"),
    ]


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="bench.api")
    parser.add_argument("--clients", type=lambda told: tuple(map(int, told.split(","))), default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each kind of call and number of clients")
    parser.add_argument("--profile", help="where to write what cProfile says of the daemon")
    chosen = parser.parse_args(given)
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place, database(Path(place) / "server") as url:
        figures = asyncio.run(measured(url, Path(place), chosen))
    note = f"{before:.1f} before; who calls and PostgreSQL share these {os.cpu_count()} cores with the daemon"
    report("api", [*figures, Figure("load of the machine at the end", os.getloadavg()[0], "", note)])


if __name__ == "__main__":
    main()
