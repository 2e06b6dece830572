"""Work on a long text goes into a thread, so that nobody has to wait for it; with a short one that would only cost."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

SHORT = 1_000  # characters: a few milliseconds at most


async def in_thread(length: int, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    call = partial(work, *arguments, **named)
    return call() if length <= SHORT else await asyncio.to_thread(call)
