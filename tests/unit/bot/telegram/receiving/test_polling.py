"""Polling never ends by itself, confirms what was taken, and waits longer each time Telegram is in trouble."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast

import pytest
from telegram.error import InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut

from bot.telegram.client import BotClient
from bot.telegram.receiving.polling import FIRST_PAUSE, MAX_PAUSE, SLACK, Poller, pause_after, until_answered
from bot.telegram.receiving.receiver import NotStored, Receiver, update_id_of
from memory.metrics import Metrics

Answer = BaseException | object


class Telegram:
    """Answers by a script, and then never."""

    def __init__(self, *script: Answer) -> None:
        self.script = list(script)
        self.offsets: list[int] = []
        self.is_over = asyncio.Event()

    async def raw_updates(self, offset: int, wait: timedelta, kinds: Sequence[str]) -> object:
        self.offsets.append(offset)
        if not self.script:
            self.is_over.set()
            await asyncio.Event().wait()
        answer = self.script.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class Taken(list[object]):
    """Takes every update, but for those that it refuses once."""

    def __init__(self, *refused: object) -> None:
        self.refused = list(refused)

    async def receive(self, raw: object) -> None:
        if raw in self.refused:
            self.refused.remove(raw)
            raise NotStored
        self.append(raw)


def update(number: int) -> dict[str, Any]:
    return {"update_id": number}


async def poll(telegram: Telegram, door: Taken, metrics: Metrics | None = None) -> None:
    """Until the script is over."""
    poller = Poller(cast("BotClient", telegram), cast("Receiver", door), metrics or Metrics(), ["message"])
    polling = asyncio.create_task(poller.run())
    over = asyncio.create_task(telegram.is_over.wait())
    await asyncio.wait({polling, over}, return_when=asyncio.FIRST_COMPLETED)
    assert not polling.done(), "polling ended"
    polling.cancel()
    await asyncio.gather(polling, return_exceptions=True)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.telegram.receiving.polling.FIRST_PAUSE", 0.0)


async def test_each_update_is_taken_in_order_and_the_last_one_confirmed() -> None:
    telegram, door = Telegram([update(7), update(8)], [], [update(9)]), Taken()
    await poll(telegram, door)

    assert door == [update(7), update(8), update(9)]
    assert telegram.offsets == [0, 9, 9, 10]


async def test_whatever_ends_a_request_the_next_one_follows() -> None:
    faults = (
        InvalidToken("revoked"),
        NetworkError("away"),
        TimedOut(),
        TelegramError("?"),
        RuntimeError("a fault of ours"),
        asyncio.CancelledError(),
        {"not": "a list"},
        None,
    )
    metrics, door = Metrics(), Taken()
    await poll(Telegram(*faults, [update(1)]), door, metrics)

    assert door == [update(1)]
    failed = metrics.registry.get_sample_value("keepsake_failures_total", {"what": "telegram_polling"})
    assert failed == len(faults) - 1  # a timeout is how an idle line ends


async def test_what_was_not_written_down_is_asked_for_again_and_what_was_is_not() -> None:
    telegram, door = Telegram([update(1), update(2), update(3)], [update(2), update(3)]), Taken(update(2))
    await poll(telegram, door)

    assert door == [update(1), update(2), update(3)]
    assert telegram.offsets == [0, 2, 4]


async def test_an_update_without_a_number_is_handed_over_and_not_counted() -> None:
    telegram, door = Telegram([{"no": "number"}, update(5)], [None], [update(6)]), Taken()
    await poll(telegram, door)

    assert telegram.offsets == [0, 6, 6, 7]
    assert door == [{"no": "number"}, update(5), None, update(6)]


async def test_when_telegram_was_last_heard_is_told() -> None:
    metrics = Metrics()
    name = "keepsake_telegram_heard_timestamp_seconds"
    never = metrics.registry.get_sample_value(name)
    await poll(Telegram([]), Taken(), metrics)

    assert never != never  # not a number: nobody has heard of it yet
    assert (metrics.registry.get_sample_value(name) or 0) > 0


def test_the_number_of_what_may_be_no_update() -> None:
    cases: list[tuple[object, int | None]] = [
        (update(0), 0),
        (update(12), 12),
        (update(-1), None),
        (update(2**63), None),
        ({"update_id": "12"}, None),
        ({"update_id": True}, None),
        ({"update_id": 1.5}, None),
        ({}, None),
        ([], None),
        (None, None),
    ]
    assert [(raw, update_id_of(raw)) for raw, _ in cases] == cases


def test_pauses_grow_up_to_a_limit_and_obey_telegram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")  # as `bot.telegram.client` sets it
    assert pause_after(TimedOut(), 5.0) == 0
    assert pause_after(RetryAfter(timedelta(seconds=7)), 0) == SLACK + 7
    pauses = [0.0]
    for _ in range(20):
        pauses.append(pause_after(NetworkError("away"), pauses[-1] or FIRST_PAUSE))
    assert pauses == sorted(pauses)
    assert pauses[-1] == MAX_PAUSE


async def test_a_call_is_repeated_until_telegram_answers_and_not_when_it_refuses() -> None:
    script: list[BaseException | None] = [NetworkError("away"), TimedOut(), None, InvalidToken("no")]

    async def call() -> str:
        if (trouble := script.pop(0)) is not None:
            raise trouble
        return "done"

    assert await until_answered(call) == "done"
    with pytest.raises(InvalidToken):
        await until_answered(call)
