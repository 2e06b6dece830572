"""Work that is worth waiting for only so long: who asked goes on without it, and it ends in its own time.

It is not cancelled. A statement that is cut off in the middle may take its connection along, and every statement has a
time limit of its own in the database.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 2.0  # seconds; longer than any statement of a recall may take
LATE: set[asyncio.Task[Any]] = set()  # asyncio itself keeps no task alive


async def in_time(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """What came of it, or TimeoutError."""
    task = asyncio.create_task(work)
    LATE.add(task)
    task.add_done_callback(_ended)
    done, _ = await asyncio.wait({task}, timeout=max(seconds, 0.0))
    if not done:
        raise TimeoutError
    return task.result()


async def settled() -> None:
    """When all that came too late in this loop has ended, or is ended: before the database is closed under it."""
    loop = asyncio.get_running_loop()
    late = [task for task in LATE.copy() if task.get_loop() is loop]
    if late:
        await asyncio.wait(late, timeout=GRACE)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _ended(task: asyncio.Task[Any]) -> None:
    """Nobody may be left to hear of its failure."""
    LATE.discard(task)
    if not task.cancelled():
        task.exception()
