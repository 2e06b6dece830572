"""The parent's side of a child process: starts it, asks it within a deadline, kills it when it fails, starts it anew.

What it runs, and the frames on its pipes, are those of `child_main.py`.
"""

import asyncio
import logging
import os
import signal
import sys
from asyncio import timeout
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import TypeVar

from memory.concurrency import child_main
from memory.concurrency.child_main import LENGTH

T = TypeVar("T")

# A child needs no keys of ours, so it gets none to lose.
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

log = logging.getLogger(__name__)


class ChildLost(Exception):
    """It crashed, hung or answered nonsense, and was killed; the next one may do better."""


class ChildProcess:
    """One child, asked one request at a time."""

    def __init__(self, process: Process, longest: int) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._requests = process.stdin
        self._answers = process.stdout
        self._longest = longest

    @classmethod
    async def start(
        cls, handler: str, *arguments: str, longest: int, environment: Mapping[str, str] | None = None
    ) -> "ChildProcess":
        """Runs the file `handler`; no answer may have more than `longest` bytes. A session of its own keeps the
        terminal's Ctrl-C from it; -P keeps the modules beside it from hiding those of Python."""
        inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            child_main.__file__,
            handler,
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={**(environment or {}), **inherited},
            start_new_session=True,
        )
        return cls(process, longest)

    async def ask(self, request: bytes, read: Callable[[bytes], T], *, seconds: float | None) -> T:
        """The answer as `read` understands it, which raises ValueError for nonsense. Whoever stops waiting ends the
        child: an answer that nobody took would pass for the answer to the next request."""
        is_answered = False
        try:
            async with timeout(seconds):
                self._requests.write(LENGTH.pack(len(request)))
                self._requests.write(request)
                await self._requests.drain()
                answer = read(await self._frame())
            is_answered = True
        except (TimeoutError, ConnectionError, EOFError, ValueError) as error:
            raise ChildLost from error
        else:
            return answer
        finally:
            if not is_answered:
                await self.end()

    async def _frame(self) -> bytes:
        [length] = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
        if length > self._longest:
            raise ValueError("far more than an answer")
        return await self._answers.readexactly(length)

    def kill(self) -> None:
        """Not by asyncio's own kill(): it may collect a dead child before asyncio does, which then warns about it."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    async def end(self) -> None:
        self.kill()
        self._requests.close()
        await self._process.wait()


class RestartingChild:
    """A child that stays, asked one request at a time, and started anew when it was lost."""

    def __init__(self, name: str, start: Callable[[], Awaitable[ChildProcess]], *, seconds: float) -> None:
        """`start` gives a child that is ready, or raises what whoever asks is told; `seconds` is for each answer."""
        self._name = name
        self._start = start
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._child: ChildProcess | None = None
        self.is_closed = False

    async def ask(self, request: bytes, read: Callable[[bytes], T]) -> T:
        return await self._in_turn(lambda child: child.ask(request, read, seconds=self._seconds))

    async def warm(self) -> None:
        """Only starts the child, where there is none."""

        async def nothing(child: ChildProcess) -> None: ...

        await self._in_turn(nothing)

    async def _in_turn(self, work: Callable[[ChildProcess], Awaitable[T]]) -> T:
        """One exchange. It ends in its own time even when whoever asked is gone, so that the child can stay."""
        await self._turn.acquire()
        exchange = asyncio.create_task(self._exchange(work))
        exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # nobody may be left to hear it
        return await asyncio.shield(exchange)

    async def _exchange(self, work: Callable[[ChildProcess], Awaitable[T]]) -> T:
        try:
            if self._child is None:
                self._child = await self._start()
            return await work(self._child)
        except ChildLost:
            self._child = None
            if not self.is_closed:
                log.warning("%s crashed or hung; it will be started anew.", self._name)
            raise
        finally:
            self._turn.release()

    async def close(self) -> None:
        self.is_closed = True
        if self._child is not None:
            self._child.kill()
        async with self._turn:
            if self._child is not None:
                await self._child.end()
                self._child = None
