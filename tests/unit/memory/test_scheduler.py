"""When passes run: at once, in their time, when nudged, never twice at the same time; and how they end."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from typing import cast

import pytest

from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import EVERY, Scheduler
from memory.errors import DatabaseAway
from memory.metrics import Metrics


class Work:
    """Passes that count how often they ran, and how many of one ran at once."""

    def __init__(self) -> None:
        self.ran = Counter[str]()
        self.at_once = Counter[str]()
        self.most = Counter[str]()
        self.takes = 0.0
        self.ended = 0

    async def summaries(self, now: datetime, *, tenant: str = "") -> None:
        await self._run("summaries", tenant)

    async def extractions(self, now: datetime) -> None:
        await self._run("extractions", "")

    async def clearing(self, now: datetime) -> None:
        self.ran["clearing"] += 1
        raise DatabaseAway("gone")

    async def measuring(self, now: datetime) -> None:
        self.ran["measuring"] += 1
        raise ZeroDivisionError("a user's words")

    async def _run(self, name: str, tenant: str) -> None:
        name += f" of {tenant}" if tenant else ""
        self.ran[name] += 1
        self.at_once[name] += 1
        self.most[name] = max(self.most[name], self.at_once[name])
        try:
            await asyncio.sleep(self.takes)
        finally:
            self.at_once[name] -= 1
            self.ended += 1


def scheduler(work: Work, **every: float) -> Scheduler:
    return Scheduler(cast(Passes, work), Metrics(), every=every)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_pass_runs_at_once_and_then_in_its_time() -> None:
    work = Work()
    made = scheduler(work, summaries=0.05, extractions=3600)
    made.start()
    await until(lambda: work.ran["summaries"] >= 3)
    await made.stop()

    assert work.ran["extractions"] == 1
    after = work.ran["summaries"]
    await asyncio.sleep(0.2)
    assert work.ran["summaries"] == after


async def test_a_nudge_has_a_pass_run_at_once_for_that_tenant_alone() -> None:
    work = Work()
    made = scheduler(work, summaries=3600)
    made.start()
    await until(lambda: work.ran["summaries"] == 1)
    made.nudge("summaries", "home")
    await until(lambda: work.ran["summaries of home"] == 1)
    await made.stop()

    assert work.ran == {"summaries": 1, "summaries of home": 1}


async def test_a_pass_for_everybody_comes_in_its_time_however_often_one_tenant_is_nudged() -> None:
    work = Work()
    made = scheduler(work, summaries=0.3)
    made.start()
    async with asyncio.timeout(10):
        while work.ran["summaries"] < 3:
            made.nudge("summaries", "home")
            await asyncio.sleep(0.01)
    await made.stop()


async def test_one_tenant_does_not_wait_for_what_another_has_under_way() -> None:
    work = Work()
    work.takes = 60
    made = scheduler(work, summaries=3600)
    made.start()
    await until(lambda: work.at_once["summaries"] == 1)
    for tenant in ("home", "acme"):
        made.nudge("summaries", tenant)
    await until(lambda: work.at_once["summaries of home"] == work.at_once["summaries of acme"] == 1)
    await made.stop()

    assert sum(work.at_once.values()) == 0


async def test_nudges_while_a_pass_runs_have_it_run_once_more_and_not_twice_at_the_same_time() -> None:
    work = Work()
    work.takes = 0.2
    made = scheduler(work, summaries=3600)
    made.start()
    for _ in range(6):
        made.nudge("summaries", "home")
        await asyncio.sleep(0.02)
    await until(lambda: work.ended == 3)
    await asyncio.sleep(0.3)
    await made.stop()

    assert work.ran == {"summaries": 1, "summaries of home": 2}
    assert work.most["summaries of home"] == 1


async def test_a_tenant_who_is_nudged_without_a_pause_is_not_looked_at_without_one() -> None:
    work = Work()
    made = scheduler(work, summaries=3600)
    made.start()
    ends = time.monotonic() + 1.5
    while time.monotonic() < ends:
        made.nudge("summaries", "home")
        await asyncio.sleep(0.005)
    await made.stop()

    assert work.ran["summaries of home"] == 2


async def test_a_pass_that_breaks_stops_nobody_and_its_words_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    work = Work()
    made = scheduler(work, clearing=0.05, measuring=0.05, summaries=0.05)
    with caplog.at_level(logging.DEBUG, logger="memory"):
        made.start()
        await until(lambda: min(work.ran["clearing"], work.ran["measuring"], work.ran["summaries"]) >= 2)
        await made.stop()

    assert "the pass measuring broke off: ZeroDivisionError" in caplog.messages
    assert "the pass clearing waits: the database is away" in caplog.messages
    assert "words" not in caplog.text


async def test_what_is_under_way_is_ended_when_all_shall_stop() -> None:
    work = Work()
    work.takes = 60
    made = scheduler(work, summaries=3600)
    made.start()
    await until(lambda: work.at_once["summaries"] == 1)
    began = time.monotonic()
    await made.stop()

    assert time.monotonic() - began < 5
    assert (work.at_once["summaries"], work.ended) == (0, 1)
    made.nudge("summaries", "home")  # nothing happens any more
    await asyncio.sleep(0.05)
    assert work.ran == {"summaries": 1}


async def test_every_pass_has_its_time() -> None:
    assert {name for name in vars(Passes) if not name.startswith("_") and callable(getattr(Passes, name))} == set(EVERY)
