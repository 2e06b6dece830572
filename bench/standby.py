"""A standby of the embedded server by streaming replication: how far it lags, what it can answer, what it refuses.

    python -m bench.standby [--size 20000] [--rounds 100]

pg_basebackup copies the server while it runs; the copy follows it. Each round writes a message and asks the standby for
it: at once, and then until it is there. Every other round commits with `synchronous_commit = remote_apply`, which waits
until the standby shows it.
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

from bench.history import History, Person, word
from bench.latency import LatencyQuestion, cut
from bench.rebuild import NUMBERED_ON
from bench.report import Figure, report
from bench.start import size as folder_size
from db.embedded import EmbeddedServer, join_server
from db.embedded.binaries import package, programs_for
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database
from db.migrate import migrate
from db.vocabulary import ActorType, EventKind
from memory.errors import KeepsakeError
from memory.events.record import EventDraft, prepare, record
from memory.privacy.encryption import Keyring, new_key
from memory.unit import Memory
from tests.pgbouncer import let_in

SIZE, ROUNDS = 20_000, 100
MOST_SECONDS = 10.0
IS_THERE = text("SELECT count(*) FROM events WHERE id = :id")
WAITING = text("SELECT set_config('synchronous_commit', :how, true)")
AT_ONCE, APPLIED = "local", "remote_apply"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.standby")
    parser.add_argument("--size", type=int, default=SIZE, help="messages that are there before")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(arguments)
    asyncio.run(measure(chosen.size, chosen.rounds))


async def measure(size: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place, joined(Path(place) / "primary") as primary:
        make_database(primary)
        await migrate(primary.url(OWNER, DATABASE), primary.url(APPLICATION, DATABASE), progress=lambda _: None)
        with psycopg.connect(primary.url("postgres", DATABASE), autocommit=True) as admin:
            history = History(admin)
            people = await asyncio.to_thread(history.grow, size)
            admin.execute("SET session_replication_role = origin")
            admin.execute(NUMBERED_ON)
            began = time.perf_counter()
            await asyncio.to_thread(copy, primary, Path(place) / "standby")
            took = time.perf_counter() - began
            weight = folder_size(Path(place) / "standby")
            figures = [Figure("pg_basebackup of a running server", took, "s", f"{weight:.0f} MB")]
            with joined(Path(place) / "standby") as standby:
                keyring = Keyring((new_key(),))
                here = Memory(Database(primary.url(APPLICATION, DATABASE)), keyring)
                there = Memory(Database(standby.url(APPLICATION, DATABASE)), keyring)
                person = people[max(people)]
                names_standbys(admin, "*")
                await asyncio.sleep(1)
                figures += await followed(here, there, person, rounds)
                names_standbys(admin, "")
                figures += await asked(here, there, history, person)
                figures += await refused(there, person)
                await here.database.close()
                await there.database.close()
    report("standby", figures)


@contextmanager
def joined(folder: Path) -> Iterator[EmbeddedServer]:
    """Each may run as another user than we do, and must reach the other's socket."""
    server = join_server(folder, progress=lambda _: None)
    for place in (folder, folder.parent):
        place.chmod(0o711)
    try:
        yield server
    finally:
        server.leave()


def copy(primary: EmbeddedServer, folder: Path) -> None:
    """As docs/operations.md says, into the data folder of another server."""
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


def names_standbys(admin: psycopg.Connection, names: str) -> None:
    """Whom a commit may wait for; with nobody left it would wait for ever."""
    admin.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'".encode())
    admin.execute("SELECT pg_reload_conf()")


async def followed(here: Memory, there: Memory, person: Person, rounds: int) -> list[Figure]:
    wrote: dict[str, list[float]] = {AT_ONCE: [], APPLIED: []}
    lags: dict[str, list[float]] = {AT_ONCE: [], APPLIED: []}
    missed = {AT_ONCE: 0, APPLIED: 0}
    for number in range(2 * rounds):
        how = (AT_ONCE, APPLIED)[number % 2]
        draft = EventDraft(ActorType.HUMAN, person.viewer.person, EventKind.MESSAGE, {"text": f"message {number}"})
        prepared = prepare(draft, datetime.now(UTC))
        began = time.perf_counter()
        async with here.unit(person.viewer) as unit:
            await unit.session.execute(WAITING, {"how": how})
            await record(unit, person.conversation, [prepared])
        saved = time.perf_counter()
        looks = 0
        while not await is_there(there, person, prepared.event.id):
            looks += 1
            assert time.perf_counter() - saved < MOST_SECONDS
        wrote[how].append((saved - began) * 1000)
        lags[how].append((time.perf_counter() - saved) * 1000)
        missed[how] += looks > 0
    ratio = median(wrote[APPLIED]) / median(wrote[AT_ONCE])
    return [
        Figure("a message written down, p50", median(wrote[AT_ONCE]), "ms"),
        Figure("the same with remote_apply, p50", median(wrote[APPLIED]), "ms", f"{ratio:.2f} x"),
        Figure("seen on the standby after, p50", median(lags[AT_ONCE]), "ms", "with the look itself"),
        Figure("seen on the standby after, p95", cut(lags[AT_ONCE])[94], "ms"),
        Figure(
            "saved, and not there at the first look", missed[AT_ONCE] / rounds, "", f"{missed[AT_ONCE]} of {rounds}"
        ),
        Figure("the same with remote_apply", missed[APPLIED] / rounds, "", f"{missed[APPLIED]} of {rounds}"),
    ]


async def is_there(memory: Memory, person: Person, event_id: str) -> bool:
    async with memory.unit(person.viewer, read_only=True) as unit:
        return bool((await unit.session.execute(IS_THERE, {"id": event_id})).scalar_one())


async def asked(here: Memory, there: Memory, history: History, person: Person) -> list[Figure]:
    """The same question to both, in turn: recall needs nothing that a standby does not have."""
    spent: dict[str, list[float]] = {"here": [], "there": []}
    for _ in range(12):
        question, vector = " ".join(word(each) for each in history.words(8).tolist()), history.vectors(1)[0].tolist()
        for name, memory in (("here", here), ("there", there)):
            asking = LatencyQuestion(memory, history, person.viewer, person.conversation, person.shelf)
            asking.question, asking.vectors.ready = question, vector
            began = time.perf_counter()
            await asking.recall_once()
            spent[name].append((time.perf_counter() - began) * 1000)
    ratio = median(spent["there"]) / median(spent["here"])
    return [Figure("recall on the standby", median(spent["there"]), "ms", f"{ratio:.2f} x on the primary")]


async def refused(there: Memory, person: Person) -> list[Figure]:
    """What numbers or claims cannot run there; it says so at its first word."""
    try:
        async with there.unit(person.viewer):
            pass
    except KeepsakeError as refusal:
        return [Figure("transactions that write, on the standby", 0, "", f"{type(refusal).__name__}: {refusal}")]
    raise AssertionError("a standby took a write")


if __name__ == "__main__":
    main()
