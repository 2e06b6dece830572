"""Standard input and output as a wire for one protocol: nothing else that the program prints gets into it."""

import asyncio
import io
import os
import queue
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass

from bot.language import texts
from bot.terminal.lines import Stream
from memory.errors import SettingsError


@dataclass(frozen=True, slots=True)
class Wire:
    lines: Stream
    sink: "Sink"


class Sink:
    """Writes from a thread of its own, which may sit in a blocking write when the program has long ended."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._jobs: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    async def write(self, data: bytes) -> None:
        """Raises what the system says where nobody reads any more."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((data, done))
        await done

    def _work(self) -> None:
        while True:
            data, done = self._jobs.get()
            trouble = self._write_all(data)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                done.get_loop().call_soon_threadsafe(_settle, done, trouble)

    def _write_all(self, data: bytes) -> OSError | None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as trouble:
            return trouble
        return None


def _settle(done: "asyncio.Future[None]", trouble: OSError | None) -> None:
    if done.done():  # whoever waited was cancelled
        return
    if trouble is None:
        done.set_result(None)
    else:
        done.set_exception(trouble)


def open_wire(longest: int) -> Wire:
    """What is printed from now on goes where errors go."""
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    output = sys.stdout.fileno()
    sink = Sink(os.dup(output))
    errors = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
    os.dup2(errors, output)
    # A reader of our own: Python cannot end while a thread sits in a read of its sys.stdin.
    source = io.BytesIO() if sys.stdin is None else open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    return Wire(Stream(source, longest), sink)
