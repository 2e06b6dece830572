"""Long polling: asks Telegram for updates and hands each one over by itself, for as long as the bot runs."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from telegram.error import BadRequest, InvalidToken, RetryAfter, TelegramError, TimedOut

from bot.telegram.client import BotClient
from bot.telegram.receiving.receiver import Receiver, number_of
from memory.metrics import Metrics

POLL = timedelta(seconds=25)
SLACK = 0.5  # seconds on top of what Telegram asks for
FIRST_PAUSE, LONGEST_PAUSE, GROWTH = 1.0, 30.0, 1.5

T = TypeVar("T")

log = logging.getLogger(__name__)


class Poller:
    """Never ends by itself: whatever goes wrong with one request, another one follows."""

    def __init__(self, client: BotClient, receiver: Receiver, metrics: Metrics, kinds: Sequence[str]) -> None:
        self._client = client
        self._receiver = receiver
        self._metrics = metrics
        self._kinds = kinds
        self._offset = 0

    async def run(self) -> None:
        """Until it is cancelled."""
        pause = 0.0
        while True:
            try:
                await self._poll(POLL)
                pause = 0.0
            except asyncio.CancelledError as fault:
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                pause = self._pause_after(fault, pause)  # not for us: something below ended itself
            except Exception as fault:
                pause = self._pause_after(fault, pause)
            await asyncio.sleep(pause)

    async def confirm(self) -> None:
        """Tells Telegram what was taken, so that it does not offer that again."""
        if self._offset:
            with suppress(TelegramError):
                await self._client.raw_updates(self._offset, timedelta(0), self._kinds)

    async def _poll(self, wait: timedelta) -> None:
        answer = await self._client.raw_updates(self._offset, wait, self._kinds)
        if not isinstance(answer, list):
            raise TelegramError("getUpdates gave no list")
        self._metrics.heard_telegram()
        for raw in answer:
            await self._receiver.receive(raw)
            if (number := number_of(raw)) is not None:
                self._offset = max(self._offset, number + 1)
        if answer and all(number_of(raw) is None for raw in answer):
            raise TelegramError("no update has a number")  # they cannot be confirmed, and come again at once

    def _pause_after(self, fault: BaseException, before: float) -> float:
        if not isinstance(fault, TimedOut):
            log.warning("Telegram could not be asked for updates: %s", type(fault).__name__)
            self._metrics.failed("telegram_polling")
        return pause_after(fault, before)


def pause_after(fault: BaseException, before: float) -> float:
    """Seconds until Telegram is asked again: none after a timeout, what it says when we ask too often, and otherwise
    longer each time."""
    match fault:
        case TimedOut():
            return 0.0
        case RetryAfter():
            wished = fault.retry_after
            return SLACK + (wished.total_seconds() if isinstance(wished, timedelta) else wished)
        case _:
            return min(LONGEST_PAUSE, before * GROWTH) if before else FIRST_PAUSE


async def until_answered(call: Callable[[], Awaitable[T]]) -> T:
    """Asks Telegram until it answers. What it refuses is not asked again."""
    pause = 0.0
    while True:
        try:
            return await call()
        except (InvalidToken, BadRequest):
            raise
        except TelegramError as fault:
            log.warning("Telegram does not answer: %s", type(fault).__name__)
            pause = pause_after(fault, pause)
        await asyncio.sleep(pause)
