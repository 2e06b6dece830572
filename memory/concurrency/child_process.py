"""The parent's side of a child process: starts it, sends requests with a deadline, and restarts it after a failure.

The child runs `child_main.py`, which describes the frames on its pipes.
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

# A child needs none of our keys, so it cannot leak them.
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
    """The child crashed, hung or sent an invalid answer, and was killed. A new one may succeed."""


class ChildProcess:
    """One child process, which handles one request at a time."""

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
        """Run the file `handler`. An answer has at most `longest` bytes. The separate session shields the child from
        Ctrl-C in the terminal. -P keeps modules in its folder from shadowing the standard library."""
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
        """Return the answer, parsed by `read`, which raises ValueError if it is invalid. Cancelling the wait kills the
        child: an unread answer would pass for the answer to the next request."""
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
            raise ValueError("the answer is too long")
        return await self._answers.readexactly(length)

    def kill(self) -> None:
        """Bypass asyncio's own kill(): it may reap a dead child before asyncio does, which then logs a warning."""
        if self._process.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGKILL)

    async def end(self) -> None:
        self.kill()
        self._requests.close()
        await self._process.wait()


class RestartingChild:
    """A long-lived child that handles one request at a time and is restarted after a failure."""

    def __init__(self, name: str, start: Callable[[], Awaitable[ChildProcess]], *, seconds: float) -> None:
        """`start` returns a child that is ready, or raises the error for the caller. `seconds` limits each answer."""
        self._name = name
        self._start = start
        self._seconds = seconds
        self._turn = asyncio.Lock()
        self._child: ChildProcess | None = None
        self.is_closed = False

    async def ask(self, request: bytes, read: Callable[[bytes], T]) -> T:
        return await self._in_turn(lambda child: child.ask(request, read, seconds=self._seconds))

    async def warm(self) -> None:
        """Start the child if it is not running."""

        async def nothing(child: ChildProcess) -> None: ...

        await self._in_turn(nothing)

    async def _in_turn(self, work: Callable[[ChildProcess], Awaitable[T]]) -> T:
        """Run one exchange. It runs to its end even if the caller is cancelled, so that the child survives."""
        await self._turn.acquire()
        exchange = asyncio.create_task(self._exchange(work))
        exchange.add_done_callback(lambda task: task.cancelled() or task.exception())  # the caller may be gone
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
