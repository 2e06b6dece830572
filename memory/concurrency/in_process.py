"""Runs work on a very long text in a separate process: in ours, one search through it would block all users.

Each piece of work gets a new process. Shorter texts run in a thread.
"""

import asyncio
import json
import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from memory.concurrency import pickled_work
from memory.concurrency.child_process import ChildLost, ChildProcess
from memory.concurrency.in_thread import in_thread
from memory.errors import Refused, TooBusy
from memory.refusals import Refusal

T = TypeVar("T")

LONG = 250_000  # characters; shorter texts run in a thread
SECONDS = 300.0  # for the wait and the work together
MAX_PER_USER, MAX_COUNT = 2, 8  # pieces of work, waiting or running
MAX_LENGTH = 1 << 30  # bytes of a result


@dataclass(frozen=True, slots=True)
class ProcessQueue:
    """The slot of the one process, and the pending pieces of work of each user."""

    slot: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    pending: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def enter(self, who: str) -> Iterator[None]:
        """Limit pending work, so that one user can neither block the others nor fill the memory."""
        if self.pending[who] >= MAX_PER_USER or self.pending.total() >= MAX_COUNT:
            raise _too_busy()
        self.pending[who] += 1
        try:
            yield
        finally:
            self.pending[who] -= 1


_lines: WeakKeyDictionary[asyncio.AbstractEventLoop, ProcessQueue] = WeakKeyDictionary()


async def in_process(who: str, length: int, work: Callable[..., T], *arguments: Any) -> T:
    """Return the result of a module-level function, or raise its `Refused`. Raises `TooBusy` if the queue is full."""
    if length <= LONG:
        return await in_thread(length, work, *arguments)
    queue = _lines.setdefault(asyncio.get_running_loop(), ProcessQueue())
    try:
        with queue.enter(who):
            async with asyncio.timeout(SECONDS), queue.slot:
                outcome = await _run_in_child(work, arguments)
    except TimeoutError:
        raise _too_busy() from None
    if isinstance(outcome, Refused):
        raise outcome
    result: T = outcome
    return result


async def _run_in_child(work: Callable[..., T], arguments: tuple[Any, ...]) -> Any:
    request = pickle.dumps((work, arguments))
    child = await ChildProcess.start(pickled_work.__file__, json.dumps(sys.path), longest=MAX_LENGTH)
    try:
        # Unpickling is safe: the data comes from our own child.
        return await child.ask(request, pickle.loads, seconds=None)
    except ChildLost:
        raise Refused(Refusal.CONTENT_UNREADABLE) from None
    finally:
        await child.end()


def _too_busy() -> TooBusy:
    return TooBusy(Refusal.TOO_BUSY)
