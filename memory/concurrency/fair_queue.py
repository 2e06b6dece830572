"""Shares background work fairly: one piece per turn, nudged items first, and failed items again later."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from typing import Generic, TypeVar

LATER = 60.0  # seconds before failed work is tried again
IN_A_ROW = 3  # failures in a row that suggest a common cause, such as the database

W = TypeVar("W", bound=Hashable)
log = logging.getLogger(__name__)


class FairQueue(Generic[W]):
    """Works in rounds. A round ends when no item has work left. The first round covers all items, later ones only the
    nudged items. After a round with a failure, all items are checked again `retry_seconds` later."""

    def __init__(
        self,
        list_all: Callable[[], Awaitable[Iterable[W]]],
        work: Callable[[W], Awaitable[bool]],
        finish: Callable[[], Awaitable[None]],
        *,
        retry_seconds: float = LATER,
    ) -> None:
        """`work` does one piece for an item and returns whether there is more. `finish` runs after every round."""
        self._everybody = list_all
        self._work = work
        self._finish = finish
        self._later = retry_seconds
        self._nudged: dict[W, None] = {}
        self._waiting: dict[W, None] = {}
        self._awake = asyncio.Event()
        self._recheck_now = False
        self._is_round_ok = True

    def nudge(self, item: W) -> None:
        self._nudged[item] = None
        self._awake.set()

    def enqueue(self, more: Iterable[W]) -> None:
        """Add items to this round, after those that wait already."""
        self._waiting |= dict.fromkeys(more)

    def recheck_all(self) -> None:
        """Check all items again: another process may have left work."""
        self._recheck_now = True
        self._awake.set()

    async def run(self) -> None:
        """Run until cancelled."""
        clock = asyncio.get_running_loop().time
        recheck_at: float | None = clock()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(recheck_at):
                    await self._awake.wait()
            self._awake.clear()
            self._is_round_ok = True
            if self._recheck_now or (recheck_at is not None and clock() >= recheck_at):
                recheck_at, self._recheck_now = None, False
                await self._survive(self._enqueue_all())
            await self._round()
            if not self._is_round_ok and recheck_at is None:
                recheck_at = clock() + self._later

    async def _enqueue_all(self) -> None:
        self.enqueue(await self._everybody())

    async def _round(self) -> None:
        failures = 0
        while (item := self._next()) is not None:
            failures = 0 if await self._survive(self._turn(item)) else failures + 1
            if failures == IN_A_ROW:
                await asyncio.sleep(self._later)
                failures = 0
        await self._survive(self._finish())

    def _next(self) -> W | None:
        item = next(iter(self._nudged or self._waiting), None)
        if item is not None:
            self._nudged.pop(item, None)
            self._waiting.pop(item, None)
        return item

    async def _turn(self, item: W) -> None:
        if await self._work(item):
            self._waiting[item] = None

    async def _survive(self, work: Awaitable[None]) -> bool:
        """Run one step of background work and survive any failure. The log has only the type of an error, because its
        text may contain a user's words."""
        try:
            await work
        except Exception as error:
            log.warning("work in the background waits: %s", type(error).__name__)
            self._is_round_ok = False
            return False
        return True
