"""The drills of docs/operations.md, as they stand there: the commands are read from the page and run."""

import asyncio
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from db.embedded import EmbeddedServer, join_server
from db.embedded.binaries import package, programs_for
from db.embedded.own_database import APPLICATION, OWNER
from db.migrate import migrate
from db.table_registry import TABLE_OWNERSHIP
from tests.conftest import FAST, wait_until_stopped
from tests.e2e.child import UNTRACED, Completed
from tests.e2e.conftest import Keepsake
from tests.prepared import bare_folder, copied

pytestmark = pytest.mark.slow

HOUSE = Path(__file__).resolve().parents[2]
PAGE = HOUSE / "docs" / "operations.md"
DATABASE = "keepsake"
TOLD = b"remember that Alec is my boss\nremember that I take insulin every morning\n"


def commands(drill: str) -> str:
    """The block of the page that carries this mark."""
    found = re.search(rf"<!-- drill: {drill} -->\n+```sh\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found, drill
    return found[1].replace(".venv/bin/keepsake", "$PROGRAM")


Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(environment: dict[str, str], folder: Path, command: dict[str, str]) -> Run:
    """Types the commands of a drill into a shell, with the programs of PostgreSQL at hand."""

    def typed(drill: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        path = f"{programs_for(None, package())}:{environment['PATH']}"
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", commands(drill)],
            env={**environment, **UNTRACED, **variables, **command, "PATH": path},
            cwd=folder,
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran

    return typed


def facts(ran: Completed) -> list[str]:
    return sorted(re.findall(r"\[\w{8}\] (.*)", ran.stdout.decode()))


def test_a_stopped_data_folder_is_copied_and_lives_on_elsewhere(
    keepsake: Keepsake, run: Run, tmp_path: Path, data: Path
) -> None:
    keepsake(typed=TOLD)
    wait_until_stopped(data)
    run("copy", data=str(data))
    (tmp_path / "elsewhere").mkdir()
    run("put back", where=str(tmp_path / "elsewhere"))
    moved = {"KEEPSAKE_DATA_DIR": str(tmp_path / "elsewhere" / "data")}
    there = facts(keepsake(typed=b"/memory list\n", **moved))
    wait_until_stopped(tmp_path / "elsewhere" / "data")
    (tmp_path / "elsewhere" / "data" / "encryption.key").unlink()
    without_key = keepsake(typed=b"/memory list\n", **moved)
    wait_until_stopped(tmp_path / "elsewhere" / "data")

    assert there == ["Alec is my boss", "I take insulin every morning"]
    assert "insulin" not in without_key.stdout.decode()
    assert "Alec is my boss" in without_key.stdout.decode()


@pytest.fixture
def new_server(run_folder: Path, tmp_path: Path) -> Iterator[EmbeddedServer]:
    data = copied(bare_folder(run_folder), tmp_path / "new")
    joined = join_server(data, progress=lambda _: None, settings=FAST)
    yield joined
    joined.leave()
    wait_until_stopped(data)


@pytest.fixture(scope="module")
def old_server(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """One's own PostgreSQL, as far as the program knows: made by deploy/postgres-init.sh and migrated."""
    data = copied(bare_folder(run_folder), tmp_path_factory.mktemp("old") / "data")
    joined = join_server(data, progress=lambda _: None, settings=FAST)
    path = f"{programs_for(None, package())}:{os.environ['PATH']}"
    made = subprocess.run(
        [HOUSE / "deploy" / "postgres-init.sh"],
        env={"PATH": path, "OWNER_PASSWORD": "it's one", "PGHOST": str(joined.socket)},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    asyncio.run(migrate(joined.url(OWNER, DATABASE), joined.url(APPLICATION, DATABASE), progress=lambda _: None))
    yield joined
    joined.leave()
    wait_until_stopped(data)


def counts(server: EmbeddedServer) -> dict[str, Any]:
    with psycopg.connect(server.url("postgres", DATABASE)) as admin:
        found = {table: admin.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in TABLE_OWNERSHIP}
    return {table: row[0] for table, row in found.items() if row and row[0]}


def asking(server: EmbeddedServer) -> dict[str, str]:
    """As an administrator who may see everything."""
    return {"PGHOST": str(server.socket), "PGPORT": "5432", "PGUSER": "postgres"}


def test_a_dump_is_restored_on_an_empty_server_and_those_who_were_erased_since_are_erased_again(
    keepsake: Keepsake, run: Run, old_server: EmbeddedServer, new_server: EmbeddedServer, folder: Path
) -> None:
    before = {"DATABASE_URL": old_server.url(APPLICATION, DATABASE)}
    after = {
        "DATABASE_URL": new_server.url(APPLICATION, DATABASE),
        "KEEPSAKE_OWNER_URL": new_server.url(OWNER, DATABASE),
    }
    keepsake(typed=TOLD, **before)
    run("dump", **asking(old_server))
    dumped = counts(old_server)
    run("restore", **asking(new_server), **after)
    restored = counts(new_server)
    there = facts(keepsake(typed=b"/memory list\n", DATABASE_URL=after["DATABASE_URL"]))
    person = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
    run("erase again", DATABASE_URL=after["DATABASE_URL"], user=f"terminal:{person}")

    assert dumped
    assert restored == dumped
    assert there == ["Alec is my boss", "I take insulin every morning"]
    assert not {"users", "events", "facts", "chunks", "postings", "audit_log"} & counts(new_server).keys()
    doctor = keepsake("doctor", DATABASE_URL=after["DATABASE_URL"])
    assert "which can't bypass row-level security" in doctor.stdout.decode()


def test_the_owner_dumps_nothing_and_is_told_so_unless_it_asks_to_be_deceived(
    keepsake: Keepsake, old_server: EmbeddedServer, environment: dict[str, str], folder: Path
) -> None:
    keepsake(typed=TOLD, DATABASE_URL=old_server.url(APPLICATION, DATABASE), KEEPSAKE_TENANT="elsewhere")
    program = str(programs_for(None, package()) / "pg_dump")

    def dump(*options: str) -> "subprocess.CompletedProcess[str]":
        command = [program, "--data-only", "--table=facts", *options, old_server.url(OWNER, DATABASE)]
        return subprocess.run(command, capture_output=True, text=True, cwd=folder)

    refused, deceived = dump(), dump("--enable-row-security")

    assert refused.returncode != 0
    assert "row-level security" in refused.stderr
    assert deceived.returncode == 0
    assert re.search(r"COPY public\.facts .* FROM stdin;\n\\\.\n", deceived.stdout)
