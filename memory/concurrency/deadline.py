"""Waits for work until a deadline. After it, the caller goes on and the work runs to its end.

The work is not cancelled: a cancelled statement may break its connection, and the database limits the time of every
statement anyway.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

GRACE = 2.0  # seconds; longer than any statement of a recall may take
LATE: set[asyncio.Task[Any]] = set()  # keeps the tasks alive; asyncio does not


async def wait_with_deadline(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """Return the result of the work. Raises TimeoutError after `seconds`."""
    task = asyncio.create_task(work)
    LATE.add(task)
    task.add_done_callback(_ended)
    done, _ = await asyncio.wait({task}, timeout=max(seconds, 0.0))
    if not done:
        raise TimeoutError
    return task.result()


async def finish_late_work() -> None:
    """Wait for the late work of this loop, then cancel the rest. Call it before the database is closed."""
    loop = asyncio.get_running_loop()
    late = [task for task in LATE.copy() if task.get_loop() is loop]
    if late:
        await asyncio.wait(late, timeout=GRACE)
    for task in late:
        task.cancel()
    await asyncio.gather(*late, return_exceptions=True)


def _ended(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception, so that asyncio does not warn about it."""
    LATE.discard(task)
    if not task.cancelled():
        task.exception()
