"""When passes run: at once, in their time, when nudged, never twice at the same time; and how they end."""

import asyncio
import logging
from collections import Counter
from datetime import datetime
from typing import cast

import pytest

from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import EVERY, SECONDS_BETWEEN_NUDGED_RUNS, Scheduler
from memory.errors import DatabaseAway
from memory.metrics import Metrics
from tests.waiting import eventually

# A loop of its own, in which nothing else is under way.
pytestmark = pytest.mark.asyncio(loop_scope="function")

SOON, NEVER = 0.02, 3600.0
MANY = 100


class Work:
    """Passes that count how often they ran, and how many of one ran at once. While the gate is closed none ends."""

    def __init__(self) -> None:
        self.ran = Counter[str]()
        self.at_once = Counter[str]()
        self.most = Counter[str]()
        self.gate = asyncio.Event()
        self.gate.set()
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
            await self.gate.wait()
        finally:
            self.at_once[name] -= 1
            self.ended += 1


def scheduler(work: Work, **every: float) -> Scheduler:
    return Scheduler(cast(Passes, work), Metrics(), every=every)


def breathe(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr("memory.consolidation.scheduler.SECONDS_BETWEEN_NUDGED_RUNS", seconds)


def nothing_is_under_way() -> bool:
    return asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_pass_runs_at_once_and_then_in_its_time() -> None:
    work, witness = Work(), Work()
    made, other = scheduler(work, summaries=SOON, extractions=NEVER), scheduler(witness, summaries=SOON)
    made.start()
    await eventually(lambda: work.ran["summaries"] >= 3)
    await made.stop()
    after = work.ran["summaries"]
    other.start()
    await eventually(lambda: witness.ran["summaries"] >= 3)
    await other.stop()

    assert work.ran["extractions"] == 1
    assert work.ran["summaries"] == after


async def test_a_nudge_has_a_pass_run_at_once_for_that_tenant_alone() -> None:
    work = Work()
    made = scheduler(work, summaries=NEVER)
    made.start()
    await eventually(lambda: work.ran["summaries"] == 1)
    made.nudge("summaries", "home")
    await eventually(lambda: work.ran["summaries of home"] == 1)
    await made.stop()

    assert work.ran == {"summaries": 1, "summaries of home": 1}


async def test_a_pass_for_everybody_comes_in_its_time_however_often_one_tenant_is_nudged() -> None:
    work = Work()
    made = scheduler(work, summaries=SOON)
    made.start()

    def nudged_and_done() -> bool:
        made.nudge("summaries", "home")
        return work.ran["summaries"] >= 3

    await eventually(nudged_and_done)
    await made.stop()


async def test_one_tenant_does_not_wait_for_what_another_has_under_way() -> None:
    work = Work()
    work.gate.clear()
    made = scheduler(work, summaries=NEVER)
    made.start()
    await eventually(lambda: work.at_once["summaries"] == 1)
    for tenant in ("home", "acme"):
        made.nudge("summaries", tenant)
    await eventually(lambda: work.at_once["summaries of home"] == work.at_once["summaries of acme"] == 1)
    await made.stop()

    assert sum(work.at_once.values()) == 0


async def test_nudges_while_a_pass_runs_have_it_run_once_more_and_not_twice_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    breathe(monkeypatch, 0)
    work = Work()
    work.gate.clear()
    made = scheduler(work, summaries=NEVER)
    made.start()
    made.nudge("summaries", "home")
    await eventually(lambda: work.at_once["summaries of home"] == work.at_once["summaries"] == 1)
    for _ in range(MANY):
        made.nudge("summaries", "home")
        await asyncio.sleep(0)
    work.gate.set()
    await eventually(nothing_is_under_way)
    await made.stop()

    assert work.ran == {"summaries": 1, "summaries of home": 2}
    assert work.most["summaries of home"] == 1


async def test_a_tenant_who_is_nudged_without_a_pause_is_not_looked_at_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert SECONDS_BETWEEN_NUDGED_RUNS >= 1
    breathe(monkeypatch, NEVER)
    work = Work()
    made = scheduler(work, summaries=NEVER)
    made.start()
    for _ in range(MANY):
        made.nudge("summaries", "home")
        await asyncio.sleep(0)
    breathe(monkeypatch, SOON)
    for _ in range(MANY):
        made.nudge("summaries", "acme")
        await asyncio.sleep(0)
    await eventually(lambda: work.ran["summaries of acme"] >= 2)
    await made.stop()

    assert work.ran["summaries of home"] == 1


async def test_a_pass_that_breaks_stops_nobody_and_its_words_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    work = Work()
    made = scheduler(work, clearing=SOON, measuring=SOON, summaries=SOON)
    with caplog.at_level(logging.DEBUG, logger="memory"):
        made.start()
        await eventually(lambda: min(work.ran["clearing"], work.ran["measuring"], work.ran["summaries"]) >= 2)
        await made.stop()

    assert "the pass measuring broke off: ZeroDivisionError" in caplog.messages
    assert "the pass clearing waits: the database is away" in caplog.messages
    assert "words" not in caplog.text


async def test_what_is_under_way_is_ended_when_all_shall_stop() -> None:
    work = Work()
    work.gate.clear()
    made = scheduler(work, summaries=NEVER)
    made.start()
    await eventually(lambda: work.at_once["summaries"] == 1)
    await made.stop()

    assert (work.at_once["summaries"], work.ended) == (0, 1)
    made.nudge("summaries", "home")  # nothing happens any more
    assert nothing_is_under_way()
    assert work.ran == {"summaries": 1}


async def test_every_pass_has_its_time() -> None:
    assert {name for name in vars(Passes) if not name.startswith("_") and callable(getattr(Passes, name))} == set(EVERY)
