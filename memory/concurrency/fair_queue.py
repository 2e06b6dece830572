"""Whose turn it is in the background: whoever just spoke, then everybody, a piece of work each; whoever fails waits."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from typing import Generic, TypeVar

LATER = 60.0  # seconds until what failed is tried again
IN_A_ROW = 3  # people who fail one after the other: then it is not their fault

W = TypeVar("W", bound=Hashable)
log = logging.getLogger(__name__)


class FairQueue(Generic[W]):
    """A round ends when nobody has work left. The first is for everybody, the next for those who are nudged; after one
    in which something failed everybody is looked at again, a while later."""

    def __init__(
        self,
        everybody: Callable[[], Awaitable[Iterable[W]]],
        work: Callable[[W], Awaitable[bool]],
        finish: Callable[[], Awaitable[None]],
        *,
        later: float = LATER,
    ) -> None:
        """`work` does a piece for one of them and tells whether there is more; `finish` follows every round."""
        self._everybody = everybody
        self._work = work
        self._finish = finish
        self._later = later
        self._nudged: dict[W, None] = {}
        self._line: dict[W, None] = {}
        self._awake = asyncio.Event()
        self._look_now = False
        self._well = True

    def nudge(self, whose: W) -> None:
        self._nudged[whose] = None
        self._awake.set()

    def line_up(self, more: Iterable[W]) -> None:
        """They have their turns in this round too, after those who wait already."""
        self._line |= dict.fromkeys(more)

    def look(self) -> None:
        """Everybody is looked at again: another process may have left something."""
        self._look_now = True
        self._awake.set()

    async def run(self) -> None:
        """Ends when it is cancelled, and by nothing else."""
        clock = asyncio.get_running_loop().time
        look: float | None = clock()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(look):
                    await self._awake.wait()
            self._awake.clear()
            self._well = True
            if self._look_now or (look is not None and clock() >= look):
                look, self._look_now = None, False
                await self._tried(self._line_up_everybody())
            await self._round()
            if not self._well and look is None:
                look = clock() + self._later

    async def _line_up_everybody(self) -> None:
        self.line_up(await self._everybody())

    async def _round(self) -> None:
        failed = 0
        while (whose := self._next()) is not None:
            failed = 0 if await self._tried(self._turn(whose)) else failed + 1
            if failed == IN_A_ROW:
                await asyncio.sleep(self._later)
                failed = 0
        await self._tried(self._finish())

    def _next(self) -> W | None:
        whose = next(iter(self._nudged or self._line), None)
        if whose is not None:
            self._nudged.pop(whose, None)
            self._line.pop(whose, None)
        return whose

    async def _turn(self, whose: W) -> None:
        if await self._work(whose):
            self._line[whose] = None

    async def _tried(self, work: Awaitable[None]) -> bool:
        """The edge of what happens in the background: it goes on whatever fails. An error's own words may be a user's,
        so the log has only its kind."""
        try:
            await work
        except Exception as trouble:
            log.warning("work in the background waits: %s", type(trouble).__name__)
            self._well = False
            return False
        return True
