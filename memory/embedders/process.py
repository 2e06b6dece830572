"""The parent's end of the bundled model's process: starts it, asks it within a deadline, kills it when it fails."""

import asyncio
import json
import os
import signal
import sys
from asyncio import timeout
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

from memory.embedders.base import Vector, unit
from memory.errors import EmbedderAway

Kind = Literal["query", "passage"]

# Four vectors are 34 KB as JSON.
LONGEST_LINE = 1_000_000
# The engine needs no keys of ours, so it gets none to lose.
INHERITED = (
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "OMP_NUM_THREADS",
    "PATH",
    "PYTHONHOME",
    "PYTHONPATH",
    "TMPDIR",
)


class ChildLost(EmbedderAway):
    """It crashed, hung or answered nonsense over these texts, and was killed; the next one may do better."""


class ChildProcess:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._requests = process.stdin
        self._answers = process.stdout

    @classmethod
    async def start(cls, program: str, kind: Kind, *, seconds: float) -> "ChildProcess":
        """A child that has embedded its first word. A session of its own keeps the terminal's Ctrl-C from it; -P keeps
        our modules, of which one is called http, from hiding those of Python."""
        environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
        if kind == "passage":
            # The other half is for whoever asks meanwhile.
            environment.setdefault("OMP_NUM_THREADS", str(max(1, (os.cpu_count() or 1) // 2)))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            program,
            kind,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=LONGEST_LINE,
            env=environment | {"OMP_WAIT_POLICY": "passive"},
            start_new_session=True,
        )
        started = cls(process)
        await started._answer(1, seconds)
        return started

    async def ask(self, texts: Sequence[str], *, seconds: float) -> list[Vector]:
        self._requests.write(json.dumps(texts).encode() + b"\n")
        return await self._answer(len(texts), seconds)

    async def _answer(self, count: int, seconds: float) -> list[Vector]:
        vectors = None
        try:
            async with timeout(seconds):
                await self._requests.drain()
                vectors = read_vectors(await self._answers.readline(), count)
        except (TimeoutError, ConnectionError, ValueError) as error:
            raise ChildLost("The bundled embedder broke down over a text.") from error
        finally:
            if vectors is None:
                await self.end()
        return vectors

    def kill(self) -> None:
        """Not by asyncio's own kill(): it may collect a dead child before asyncio does, which then warns about it."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    async def end(self) -> None:
        self.kill()
        self._requests.close()
        await self._process.wait()


def read_vectors(line: bytes, count: int) -> list[Vector]:
    vectors = [unit(numbers) for numbers in json.loads(line)]
    whole = [vector for vector in vectors if vector is not None]
    if len(whole) != count:
        raise ValueError("not as many vectors as texts")
    return whole
