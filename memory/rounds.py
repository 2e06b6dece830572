"""Whose turn it is in the background: whoever just spoke, then everybody, a piece of work each; whoever fails waits."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

LATER = 60.0  # seconds until what failed is tried again
IN_A_ROW = 3  # people who fail one after the other: then it is not their fault

log = logging.getLogger(__name__)


class Rounds:
    """A round ends when nobody has work left. The first is for everybody, the next for those who are nudged; after one
    in which something failed everybody is looked at again, a while later."""

    def __init__(
        self,
        everybody: Callable[[], Awaitable[Iterable[str]]],
        work: Callable[[str], Awaitable[bool]],
        finish: Callable[[], Awaitable[None]],
        *,
        later: float = LATER,
    ) -> None:
        """`work` does a piece for one person and tells whether there is more; `finish` follows every round."""
        self._everybody = everybody
        self._work = work
        self._finish = finish
        self._later = later
        self._nudged: dict[str, None] = {}
        self._line: dict[str, None] = {}
        self._awake = asyncio.Event()
        self._look_now = False
        self._well = True

    def nudge(self, user: str) -> None:
        self._nudged[user] = None
        self._awake.set()

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
                await self._tried(self._line_up())
            await self._round()
            if not self._well and look is None:
                look = clock() + self._later

    async def _line_up(self) -> None:
        self._line |= dict.fromkeys(await self._everybody())

    async def _round(self) -> None:
        failed = 0
        while user := self._next():
            failed = 0 if await self._tried(self._turn(user)) else failed + 1
            if failed == IN_A_ROW:
                await asyncio.sleep(self._later)
                failed = 0
        await self._tried(self._finish())

    def _next(self) -> str | None:
        user = next(iter(self._nudged or self._line), None)
        if user is not None:
            self._nudged.pop(user, None)
            self._line.pop(user, None)
        return user

    async def _turn(self, user: str) -> None:
        if await self._work(user):
            self._line[user] = None

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
