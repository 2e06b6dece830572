"""Deadlines that strike when a test says so, however slow the machine: put in the place of `asyncio.timeout`."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from tests.waiting import eventually

T = TypeVar("T")


class Deadlines:
    def __init__(self) -> None:
        self.running: list[asyncio.Timeout] = []

    def __call__(self, when: float) -> asyncio.Timeout:
        self.running.append(asyncio.timeout(None))
        return self.running[-1]

    async def next(self, work: Coroutine[Any, Any, T], times: int = 1) -> asyncio.Task[T]:
        """Begins something, and waits until it has come under its next deadline, or its so-manieth."""
        task = asyncio.create_task(work)
        await self.another(times)
        return task

    async def another(self, times: int = 1) -> None:
        so_far = len(self.running)
        await eventually(lambda: len(self.running) >= so_far + times)

    def strike(self) -> None:
        self.running[-1].reschedule(asyncio.get_running_loop().time())
