"""Runs the program as a person does: as a process of its own, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pytest

from bot.texts import OFFLINE_START
from db.embedded import EmbeddedServer
from db.embedded.house import APPLICATION
from tests.integration.api.conftest import daemon, served

__all__ = ["daemon", "served"]

Keepsake = Callable[..., "subprocess.CompletedProcess[bytes]"]
Chatting = Callable[..., AbstractContextManager["Chat"]]
# For runs whose lines are counted by other tests: the tracer doubles the time of a start.
UNTRACED = {"COVERAGE_PROCESS_START": "", "COVERAGE_PROCESS_CONFIG": ""}
PROGRAM = (sys.executable, "-m", "bot")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Nothing of the machine's own settings, and an empty data folder. Where meaning is not the subject, nobody waits
    for an embedder to start."""
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("COVERAGE")}
    own = {"HOME": str(tmp_path), "KEEPSAKE_DATA_DIR": str(tmp_path / "data"), "KEEPSAKE_EMBEDDER": "off"}
    return {**kept, **own}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def keepsake(environment: dict[str, str], folder: Path) -> Keepsake:
    def run(
        *arguments: str, typed: bytes = b"", timeout: float = 60, **variables: str
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [*PROGRAM, *arguments],
            input=typed,
            capture_output=True,
            env={**environment, **variables},
            cwd=folder,
            timeout=timeout,
        )

    return run


@dataclass
class Chat:
    """A chat that goes on: one says something, and reads what comes."""

    process: "subprocess.Popen[bytes]"
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
    def start(**variables: str) -> Iterator[Chat]:
        with subprocess.Popen(
            PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment, **variables},
            cwd=folder,
        ) as process:
            assert process.stdin
            assert process.stdout
            assert process.stderr
            chat = Chat(process, process.stdin, process.stdout, process.stderr)
            assert chat.read() == OFFLINE_START
            yield chat
            process.kill()

    return start


@pytest.fixture
def own_database(server: EmbeddedServer, worker_database: str, tenant: str) -> dict[str, str]:
    """An own PostgreSQL instead of the embedded one: quicker, and a way that people use."""
    return {"DATABASE_URL": server.url(APPLICATION, worker_database), "KEEPSAKE_TENANT": tenant}


@pytest.fixture
def key(keepsake: Keepsake, own_database: dict[str, str]) -> str:
    """Of the tenant's own backend, for any user of the API."""
    ran = keepsake("keys", "new", **own_database, **UNTRACED)
    return ran.stdout.decode().strip()
