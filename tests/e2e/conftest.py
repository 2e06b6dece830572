"""Runs the program as a person does: as a process of its own, in a folder of its own."""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from bot.texts import START_OFFLINE
from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import Database
from memory.people.keys import make_key
from memory.unit import Memory
from tests.daemon import ALL, KEYRING
from tests.e2e import points
from tests.e2e.child import HOUSE, PIPE, UNTRACED, Child, Completed, close_nurseries, nursery_for, run
from tests.e2e.points import Arming
from tests.integration.api.conftest import daemon, served
from tests.prepared import copied, prepared_folder

__all__ = ["UNTRACED", "daemon", "served"]

Keepsake = Callable[..., Completed]
Chatting = Callable[..., AbstractContextManager["Chat"]]
# A fresh interpreter, for tests of what the interpreter itself does.
PROGRAM = (sys.executable, "-m", "bot")
# What such an interpreter needs to be patient: see `sitecustomize.py` there.
PATIENT = {"PYTHONPATH": f"{Path(__file__).with_name('patience')}:{HOUSE}"}


@pytest.fixture(scope="session", autouse=True)
def nurseries() -> Iterator[None]:
    """Started when they are needed."""
    yield
    close_nurseries()


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Nothing of the machine's own settings, and an empty data folder. Where meaning is not the subject, nobody waits
    for an embedder to start, and recall may take as long as it needs."""
    names = {"PATH", "SSL_CERT_FILE"}
    kept = {name: value for name, value in os.environ.items() if name in names or name.startswith("COVERAGE")}
    own = {"HOME": str(tmp_path), "KEEPSAKE_DATA_DIR": str(tmp_path / "data")}
    return {**kept, **own, "KEEPSAKE_EMBEDDER": "off", "KEEPSAKE_RECALL_MS": "10000"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def arming(tmp_path: Path) -> Arming:
    return Arming(tmp_path / "armed")


@pytest.fixture
def keepsake(environment: dict[str, str], folder: Path) -> Keepsake:
    def start(
        *arguments: str, typed: bytes = b"", changes: dict[str, float] | None = None, **variables: str
    ) -> Completed:
        return run(*arguments, typed=typed, env={**environment, **variables}, cwd=folder, changes=changes)

    return start


@pytest.fixture
def command(environment: dict[str, str]) -> dict[str, str]:
    """What a shell needs besides to start the program as `$PROGRAM`, again without a new interpreter for it."""
    stands_for = Path(__file__).with_name("command.py")
    return {
        "PROGRAM": f"{sys.executable} -I -S {stands_for}",
        "NURSERY": str(nursery_for({**environment, **UNTRACED}).path),
        "NURSERY_CHANGES": json.dumps(dict(points.PATIENT)),
    }


@dataclass
class Chat:
    """A chat that goes on: one says something, and reads what comes."""

    process: Child
    typed: IO[bytes]
    printed: IO[bytes]
    errors: IO[bytes]

    def type(self, *lines: str) -> None:
        self.typed.write("".join(f"{line}\n" for line in lines).encode())
        self.typed.flush()

    def read(self) -> str:
        return self.printed.readline().decode().rstrip("\n")

    def say(self, line: str) -> str:
        self.type(line)
        return self.read()


@pytest.fixture
def chatting(environment: dict[str, str], folder: Path) -> Chatting:
    @contextmanager
    def start(
        *, changes: dict[str, float] | None = None, armed: Arming | None = None, **variables: str
    ) -> Iterator[Chat]:
        with Child(
            env={**environment, **variables},
            cwd=folder,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            changes=changes,
            armed=armed,
        ) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            chat = Chat(process, process.stdin, process.stdout, process.stderr)
            assert chat.read() == START_OFFLINE
            yield chat

    return start


@pytest.fixture
def own_database(server: EmbeddedServer, worker_database: str, tenant: str) -> dict[str, str]:
    """An own PostgreSQL instead of the embedded one: quicker, and a way that people use."""
    return {"DATABASE_URL": server.url(APPLICATION, worker_database), "KEEPSAKE_TENANT": tenant}


@pytest.fixture
def key(app_url: str, tenant: str) -> str:
    """Of the tenant's own backend, for any user of the API."""
    return asyncio.run(made_key(app_url, tenant))


async def made_key(url: str, tenant: str, **whose: str) -> str:
    database = Database(url)
    try:
        _, secret = await make_key(Memory(database, KEYRING), tenant, scopes=ALL, **whose)
    finally:
        await database.close()
    return secret


@pytest.fixture
def data(run_folder: Path, tmp_path: Path) -> Path:
    """The data folder of this test, as it is after a first start."""
    return copied(prepared_folder(run_folder), tmp_path / "data")


def told(finished: Completed) -> str:
    """What a person reads on the error stream; never a traceback."""
    errors = finished.stderr.decode()
    assert "Traceback" not in errors
    return errors
