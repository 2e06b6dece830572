"""Runs work on a long text in a thread, so that the event loop stays free. A short text does not repay a thread."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

SHORT = 1_000  # characters: a few milliseconds at most


async def in_thread(length: int, work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    call = partial(work, *arguments, **named)
    return call() if length <= SHORT else await asyncio.to_thread(call)
