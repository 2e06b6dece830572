"""Waiting in tests: for a condition, never for a time. The deadline only ends what is stuck."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

STUCK = 300.0  # seconds
LOOK_EVERY = 0.01
# For settings: a search that takes longer is left out of an answer, and on a busy machine any may. No user can set it.
UNHURRIED = {"recall_ms": 300_000}

T = TypeVar("T")


def _nothing() -> str:
    return "what was waited for did not happen"


def until(condition: Callable[[], T], tell: Callable[[], str] = _nothing) -> T:
    """Waits until the condition gives something true, and gives that. `tell` says what is known when it never does."""
    deadline = time.monotonic() + STUCK
    while not (found := condition()):
        assert time.monotonic() < deadline, tell()
        time.sleep(LOOK_EVERY)
    return found


async def eventually(condition: Callable[[], T], tell: Callable[[], str] = _nothing) -> T:
    """The same beside a running event loop."""
    deadline = time.monotonic() + STUCK
    while not (found := condition()):
        assert time.monotonic() < deadline, tell()
        await asyncio.sleep(LOOK_EVERY)
    return found


async def eventually_async(condition: Callable[[], Awaitable[T]], tell: Callable[[], str] = _nothing) -> T:
    """The same for a condition that must be awaited, such as a query."""
    deadline = time.monotonic() + STUCK
    while not (found := await condition()):
        assert time.monotonic() < deadline, tell()
        await asyncio.sleep(LOOK_EVERY)
    return found
