"""Very long texts are read in a process of its own: in ours one search through all of them would hold up everybody.

The process (api/alone.py) is started for one piece of work, and ends with it.
"""

import asyncio
import json
import os
import pickle
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from api.problems import BUSY_SECONDS, Problem
from memory.aside import aside
from memory.errors import Refused

T = TypeVar("T")

LONG = 250_000  # characters: until then a thread does
SECONDS = 300.0  # to wait for one's turn, and for the work
MOST_OF_ONE, MOST = 2, 8  # that are read or wait, of one key and of all
# It needs no keys of ours, so it gets none to lose.
INHERITED = ("HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PATH", "TMPDIR")
PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from api.alone import main; main()"


@dataclass(frozen=True, slots=True)
class Line:
    """Who waits for the one process, or is served by it."""

    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    standing: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def stand(self, who: str) -> Iterator[None]:
        """Whoever sends many at once does not keep others waiting, nor fill our memory with them."""
        if self.standing[who] >= MOST_OF_ONE or self.standing.total() >= MOST:
            raise _busy()
        self.standing[who] += 1
        try:
            yield
        finally:
            self.standing[who] -= 1


_lines: WeakKeyDictionary[asyncio.AbstractEventLoop, Line] = WeakKeyDictionary()


async def apart(who: str, length: int, work: Callable[..., T], *arguments: Any) -> T:
    """What a function of a module gives, or the `Refused` that it raises."""
    if length <= LONG:
        return await aside(length, work, *arguments)
    line = _lines.setdefault(asyncio.get_running_loop(), Line())
    try:
        with line.stand(who):
            async with asyncio.timeout(SECONDS), line.turn:
                outcome = await _asked((work, arguments))
    except TimeoutError:
        raise _busy() from None
    if isinstance(outcome, Refused):
        raise outcome
    given: T = outcome
    return given


def _busy() -> Problem:
    problem = "Too many long texts are waiting. Try again later, or send less at once."
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, problem, headers={"Retry-After": str(BUSY_SECONDS)})


async def _asked(wish: Any) -> Any:
    environment = {name: os.environ[name] for name in INHERITED if name in os.environ}
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        PROGRAM,
        json.dumps(sys.path),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        env=environment,
        start_new_session=True,
    )
    try:
        told, _ = await child.communicate(pickle.dumps(wish))
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
            await child.wait()
    if not told:
        raise Refused("Not kept: that could not be read to its end.")
    return pickle.loads(told)  # noqa: S301 — by our own child
