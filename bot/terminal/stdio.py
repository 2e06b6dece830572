"""Standard input and output reserved for a protocol; everything else that is printed goes to standard error."""

import asyncio
import io
import os
import queue
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass

from bot.language import texts
from bot.terminal.lines import StreamLines
from memory.errors import SettingsError


@dataclass(frozen=True, slots=True)
class StdioPipe:
    lines: StreamLines
    sink: "StdoutWriter"


class StdoutWriter:
    """Writes from a daemon thread, so that a blocked write does not keep the program from exiting."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._jobs: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    async def write(self, data: bytes) -> None:
        """Write everything. Raises `OSError` if the reader is gone."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._jobs.put((data, done))
        await done

    def _work(self) -> None:
        while True:
            data, done = self._jobs.get()
            error = self._write_all(data)
            with suppress(RuntimeError):  # the loop has ended meanwhile
                done.get_loop().call_soon_threadsafe(_complete, done, error)

    def _write_all(self, data: bytes) -> OSError | None:
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            return error
        return None


def _complete(done: "asyncio.Future[None]", error: OSError | None) -> None:
    if done.done():  # the writer was cancelled
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def open_stdio(max_line: int) -> StdioPipe:
    """Take over standard input and output, and redirect later prints to standard error."""
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    output = sys.stdout.fileno()
    sink = StdoutWriter(os.dup(output))
    errors = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else sys.stderr.fileno()
    os.dup2(errors, output)
    # Opened anew: Python cannot exit while a thread blocks in a read of sys.stdin.
    source = io.BytesIO() if sys.stdin is None else open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    return StdioPipe(StreamLines(source, max_line), sink)
