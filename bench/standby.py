"""A standby of the embedded server by streaming replication: its lag, its recall times, and that it refuses writes.

    python -m bench.standby [--size 20000] [--rounds 100]

pg_basebackup copies the running server, and the copy replicates it. Each round writes a message and polls the standby
until it is there. Every other round commits with `synchronous_commit = remote_apply`, which waits for the standby.
"""

import argparse
import asyncio
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

import psycopg
from sqlalchemy import text

from bench.database import create_database, embedded_server
from bench.history import History, Person
from bench.latency import RecallTimer
from bench.rebuild import ADVANCE_SEQUENCE
from bench.report import Figure, percentile, report
from bench.start import folder_size
from db.embedded import EmbeddedServer
from db.embedded.binaries import package, programs_for
from db.embedded.own_database import APPLICATION, DATABASE
from db.engine import Database
from db.vocabulary import ActorType, EventKind
from memory.errors import KeepsakeError
from memory.events.record import EventDraft, prepare, record
from memory.privacy.encryption import Keyring, new_key
from memory.unit import Memory
from tests.pgbouncer import let_in

SIZE, ROUNDS = 20_000, 100
MAX_SECONDS = 10.0
EVENT_COUNT = text("SELECT count(*) FROM events WHERE id = :id")
SET_COMMIT_MODE = text("SELECT set_config('synchronous_commit', :how, true)")
LOCAL, REMOTE_APPLY = "local", "remote_apply"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.standby")
    parser.add_argument("--size", type=int, default=SIZE, help="messages before the copy")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args(arguments)
    asyncio.run(measure(args.size, args.rounds))


async def measure(size: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place, shared_server(Path(place) / "primary") as primary:
        await create_database(primary)
        with psycopg.connect(primary.url("postgres", DATABASE), autocommit=True) as admin:
            history = History(admin)
            people = await asyncio.to_thread(history.grow, size)
            admin.execute("SET session_replication_role = origin")
            admin.execute(ADVANCE_SEQUENCE)
            started = time.perf_counter()
            await asyncio.to_thread(copy, primary, Path(place) / "standby")
            took = time.perf_counter() - started
            weight = folder_size(Path(place) / "standby")
            figures = [Figure("pg_basebackup of a running server", took, "s", f"{weight:.0f} MB")]
            with shared_server(Path(place) / "standby") as standby:
                keyring = Keyring((new_key(),))
                primary_memory = Memory(Database(primary.url(APPLICATION, DATABASE)), keyring)
                standby_memory = Memory(Database(standby.url(APPLICATION, DATABASE)), keyring)
                person = people[max(people)]
                set_synchronous_standbys(admin, "*")
                await asyncio.sleep(1)
                figures += await replication_lag(primary_memory, standby_memory, person, rounds)
                set_synchronous_standbys(admin, "")
                figures += await compare_recall(primary_memory, standby_memory, history, person)
                figures += await check_writes_refused(standby_memory, person)
                await primary_memory.database.close()
                await standby_memory.database.close()
    report("standby", figures)


@contextmanager
def shared_server(folder: Path) -> Iterator[EmbeddedServer]:
    """Start a server whose socket the other one can reach. Both may run as another user than we do."""
    with embedded_server(folder) as server:
        for place in (folder, folder.parent):
            place.chmod(0o711)
        yield server


def copy(primary: EmbeddedServer, folder: Path) -> None:
    """Copy the server into the data folder of another one, as docs/operations.md describes."""
    let_in(primary)
    with (primary.cluster.files / "pg_hba.conf").open("a") as rules:
        rules.write("local replication all peer map=keepsake\n")
    with psycopg.connect(primary.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute("SELECT pg_reload_conf()")
    folder.mkdir(mode=0o711)
    program = programs_for(primary.cluster.user, package()) / "pg_basebackup"
    to = folder / "postgres"
    subprocess.run(
        [
            program,
            "--pgdata",
            to,
            "--write-recovery-conf",
            "--checkpoint=fast",
            "-d",
            primary.url("postgres", "postgres"),
        ],
        check=True,
        capture_output=True,
    )
    if primary.cluster.user is not None:
        for path in (to, *to.rglob("*")):
            os.chown(path, primary.cluster.user.pw_uid, primary.cluster.user.pw_gid)


def set_synchronous_standbys(admin: psycopg.Connection, names: str) -> None:
    """Set the standbys that commits wait for. It must be empty before they stop, or commits would wait for ever."""
    admin.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'".encode())
    admin.execute("SELECT pg_reload_conf()")


async def replication_lag(primary: Memory, standby: Memory, person: Person, rounds: int) -> list[Figure]:
    writes: dict[str, list[float]] = {LOCAL: [], REMOTE_APPLY: []}
    lags: dict[str, list[float]] = {LOCAL: [], REMOTE_APPLY: []}
    missed = {LOCAL: 0, REMOTE_APPLY: 0}
    for number in range(2 * rounds):
        how = (LOCAL, REMOTE_APPLY)[number % 2]
        draft = EventDraft(ActorType.HUMAN, person.viewer.person, EventKind.MESSAGE, {"text": f"message {number}"})
        prepared = prepare(draft, datetime.now(UTC))
        started = time.perf_counter()
        async with primary.unit(person.viewer) as unit:
            await unit.session.execute(SET_COMMIT_MODE, {"how": how})
            await record(unit, person.conversation, [prepared])
        saved = time.perf_counter()
        retries = 0
        while not await is_there(standby, person, prepared.event.id):
            retries += 1
            assert time.perf_counter() - saved < MAX_SECONDS
        writes[how].append((saved - started) * 1000)
        lags[how].append((time.perf_counter() - saved) * 1000)
        missed[how] += retries > 0
    ratio = median(writes[REMOTE_APPLY]) / median(writes[LOCAL])
    return [
        Figure("recording a message, p50", median(writes[LOCAL]), "ms"),
        Figure("the same with remote_apply, p50", median(writes[REMOTE_APPLY]), "ms", f"{ratio:.2f} x"),
        Figure("visible on the standby after, p50", median(lags[LOCAL]), "ms", "including the query"),
        Figure("visible on the standby after, p95", percentile(lags[LOCAL], 95), "ms"),
        Figure("not visible at the first query", missed[LOCAL] / rounds, "", f"{missed[LOCAL]} of {rounds}"),
        Figure("the same with remote_apply", missed[REMOTE_APPLY] / rounds, "", f"{missed[REMOTE_APPLY]} of {rounds}"),
    ]


async def is_there(memory: Memory, person: Person, event_id: str) -> bool:
    async with memory.unit(person.viewer, read_only=True) as unit:
        return bool((await unit.session.execute(EVENT_COUNT, {"id": event_id})).scalar_one())


async def compare_recall(primary: Memory, standby: Memory, history: History, person: Person) -> list[Figure]:
    """Run the same recall on both, in turn."""
    spent: dict[str, list[float]] = {"primary": [], "standby": []}
    for _ in range(12):
        question, vector = history.question(), history.vectors(1)[0].tolist()
        for name, memory in (("primary", primary), ("standby", standby)):
            timer = RecallTimer(memory, history, person.viewer, person.conversation, person.shelf)
            timer.question, timer.vectors.vector = question, vector
            started = time.perf_counter()
            await timer.recall_once()
            spent[name].append((time.perf_counter() - started) * 1000)
    ratio = median(spent["standby"]) / median(spent["primary"])
    return [Figure("recall on the standby", median(spent["standby"]), "ms", f"{ratio:.2f} x on the primary")]


async def check_writes_refused(standby: Memory, person: Person) -> list[Figure]:
    """Check that a transaction that may write fails at its first statement."""
    try:
        async with standby.unit(person.viewer):
            pass
    except KeepsakeError as refusal:
        return [Figure("transactions that write, on the standby", 0, "", f"{type(refusal).__name__}: {refusal}")]
    raise AssertionError("a standby took a write")


if __name__ == "__main__":
    main()
