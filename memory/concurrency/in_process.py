"""Work on a very long text goes into a process of its own: in ours one search through it would hold up everybody.

The process is started for one piece of work and ends with it. Shorter texts go into a thread.
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

T = TypeVar("T")

LONG = 250_000  # characters: until then a thread does
SECONDS = 300.0  # to wait for one's turn, and for the work
MOST_OF_ONE, MOST = 2, 8  # that are read or wait, of one asker and of all
LONGEST = 1 << 30  # bytes of what comes back


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """Who waits for the one process, or is served by it."""

    turn: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    standing: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def stand(self, who: str) -> Iterator[None]:
        """Whoever sends many at once does not keep others waiting, nor fill our memory with them."""
        if self.standing[who] >= MOST_OF_ONE or self.standing.total() >= MOST:
            raise _too_busy()
        self.standing[who] += 1
        try:
            yield
        finally:
            self.standing[who] -= 1


_lines: WeakKeyDictionary[asyncio.AbstractEventLoop, WaitingLine] = WeakKeyDictionary()


async def in_process(who: str, length: int, work: Callable[..., T], *arguments: Any) -> T:
    """What a function of a module gives, or the `Refused` that it raises; `TooBusy` where too many wait already."""
    if length <= LONG:
        return await in_thread(length, work, *arguments)
    line = _lines.setdefault(asyncio.get_running_loop(), WaitingLine())
    try:
        with line.stand(who):
            async with asyncio.timeout(SECONDS), line.turn:
                outcome = await _done(work, arguments)
    except TimeoutError:
        raise _too_busy() from None
    if isinstance(outcome, Refused):
        raise outcome
    given: T = outcome
    return given


async def _done(work: Callable[..., T], arguments: tuple[Any, ...]) -> Any:
    request = pickle.dumps((work, arguments))
    child = await ChildProcess.start(pickled_work.__file__, json.dumps(sys.path), longest=LONGEST)
    try:
        # Our own child sends it.
        return await child.ask(request, pickle.loads, seconds=None)
    except ChildLost:
        raise Refused("Not kept: that could not be read to its end.") from None
    finally:
        await child.end()


def _too_busy() -> TooBusy:
    return TooBusy("Too many long texts are waiting. Try again later, or send less at once.")
