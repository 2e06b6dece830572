"""Whose turn it is in the background, and what happens to the others when somebody's work fails."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from memory.concurrency.fair_queue import FairQueue
from tests.tables import table
from tests.virtual_time import in_virtual_time

FOREVER = 3600.0
A_MOMENT = 60.0  # virtual, as all time here


@dataclass
class Office:
    """People with so many pieces of work each; `before` may fail or call for somebody."""

    pieces: dict[str, int]
    later: float = FOREVER
    before: Callable[[str], None] = lambda user: None
    done: list[str] = field(default_factory=list)
    looks: int = 0
    ends: int = 0

    def __post_init__(self) -> None:
        self.queue = FairQueue(self.everybody, self.work, self.finish, retry_seconds=self.later)

    async def everybody(self) -> Sequence[str]:
        self.looks += 1
        return [user for user, pieces in self.pieces.items() if pieces]

    async def work(self, user: str) -> bool:
        self.before(user)
        self.done.append(user)
        self.pieces[user] -= 1
        return self.pieces[user] > 0

    async def finish(self) -> None:
        self.ends += 1

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        running = asyncio.create_task(self.queue.run())
        try:
            async with asyncio.timeout(10 * FOREVER):
                yield
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(A_MOMENT)


@in_virtual_time
async def test_everybody_has_a_piece_of_their_work_done_in_turn() -> None:
    office = Office({"ada": 3, "ben": 1, "eve": 2})
    async with office.open():
        await office.until(lambda: office.ends >= 1)

    assert office.done == ["ada", "ben", "eve", "ada", "eve", "ada"]
    assert office.looks == 1


@in_virtual_time
async def test_whoever_is_nudged_goes_first_and_then_waits_in_line() -> None:
    office = Office({"ada": 2, "ben": 2, "eve": 2})
    office.before = lambda user: office.queue.nudge("eve") if not office.done else None
    async with office.open():
        await office.until(lambda: office.ends >= 1)

    assert office.done == ["ada", "eve", "ben", "ada", "eve", "ben"]


@in_virtual_time
async def test_a_nudge_starts_another_round_for_that_person_alone() -> None:
    office = Office({"ada": 1})
    async with office.open():
        await office.until(lambda: office.ends >= 1)
        office.pieces |= {"ada": 1, "ben": 1}
        office.queue.nudge("ben")
        await office.until(lambda: office.ends >= 2)

    assert office.done == ["ada", "ben"]
    assert office.looks == 1


@in_virtual_time
async def test_whoever_fails_waits_while_the_others_go_on_and_is_tried_again_later(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    office = Office({"ada": 2, "ben": 2})

    def fails_once(user: str) -> None:
        if user == "ada" and office.looks == 1:
            raise RuntimeError("my secret")

    office.before = fails_once
    async with office.open():
        await office.until(lambda: office.ends >= 2)

    assert office.done == ["ben", "ben", "ada", "ada"]
    assert [record.getMessage() for record in caplog.records] == ["work in the background waits: RuntimeError"]


@in_virtual_time
async def test_when_three_fail_in_a_row_nobody_else_is_tried_for_a_while() -> None:
    tried = []

    def fails(user: str) -> None:
        tried.append(user)
        raise RuntimeError

    office = Office(dict.fromkeys(("ada", "ben", "eve", "joe"), 1), before=fails)
    async with office.open():
        await office.until(lambda: len(tried) == 3)
        office.queue.nudge("sue")
        await asyncio.sleep(office.later - 2 * A_MOMENT)
        assert tried == ["ada", "ben", "eve"]
        assert office.ends == 0
        await asyncio.sleep(2 * A_MOMENT)

    assert tried == ["ada", "ben", "eve", "sue", "joe"]


@table("broken", ["everybody", "finish"])
@in_virtual_time
async def test_looking_around_and_finishing_may_fail_too(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    office = Office({"ada": 1})
    failures = 0

    async def fails() -> None:
        nonlocal failures
        failures += 1
        raise OSError

    monkeypatch.setattr(office.queue, f"_{broken}", fails)
    async with office.open():
        await office.until(lambda: failures == 3)
        office.queue.nudge("ada")
        await office.until(lambda: office.done == ["ada"])
