"""Long polling: fetches updates from Telegram and passes them to the receiver one at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import TypeVar

from telegram.error import BadRequest, InvalidToken, RetryAfter, TelegramError, TimedOut

from bot.telegram.client import BotClient
from bot.telegram.receiving.receiver import Receiver, update_id_of
from memory.metrics import Metrics

POLL_TIMEOUT = timedelta(seconds=25)
SLACK = 0.5  # seconds added to the pause that Telegram asks for
FIRST_PAUSE, MAX_PAUSE, GROWTH = 1.0, 30.0, 1.5

T = TypeVar("T")

log = logging.getLogger(__name__)


class Poller:
    """Polls until it is cancelled. Errors only delay the next request."""

    def __init__(self, client: BotClient, receiver: Receiver, metrics: Metrics, kinds: Sequence[str]) -> None:
        self._client = client
        self._receiver = receiver
        self._metrics = metrics
        self._kinds = kinds
        self._offset = 0

    async def run(self) -> None:
        pause = 0.0
        while True:
            try:
                await self._poll(POLL_TIMEOUT)
                pause = 0.0
            except asyncio.CancelledError as fault:
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                pause = self._pause_after(fault, pause)  # not our cancellation: something below cancelled itself
            except Exception as fault:
                pause = self._pause_after(fault, pause)
            await asyncio.sleep(pause)

    async def confirm(self) -> None:
        """Confirm the received updates, so that Telegram does not deliver them again."""
        if self._offset:
            with suppress(TelegramError):
                await self._client.raw_updates(self._offset, timedelta(0), self._kinds)

    async def _poll(self, wait: timedelta) -> None:
        answer = await self._client.raw_updates(self._offset, wait, self._kinds)
        if not isinstance(answer, list):
            raise TelegramError("getUpdates returned no list")
        self._metrics.record_telegram_contact()
        for raw in answer:
            await self._receiver.receive(raw)
            if (number := update_id_of(raw)) is not None:
                self._offset = max(self._offset, number + 1)
        if answer and all(update_id_of(raw) is None for raw in answer):
            raise TelegramError("no update has an id")  # cannot be confirmed, and would come again at once

    def _pause_after(self, fault: BaseException, before: float) -> float:
        if not isinstance(fault, TimedOut):
            log.warning("polling Telegram failed: %s", type(fault).__name__)
            self._metrics.count_failure("telegram_polling")
        return pause_after(fault, before)


def pause_after(fault: BaseException, before: float) -> float:
    """Return the pause before the next request: none after a timeout, what Telegram demands at a flood limit, and
    otherwise an exponential backoff."""
    match fault:
        case TimedOut():
            return 0.0
        case RetryAfter():
            after = fault.retry_after
            return SLACK + (after.total_seconds() if isinstance(after, timedelta) else after)
        case _:
            return min(MAX_PAUSE, before * GROWTH) if before else FIRST_PAUSE


async def until_answered(call: Callable[[], Awaitable[T]]) -> T:
    """Repeat the call until Telegram answers. Raises if it refuses."""
    pause = 0.0
    while True:
        try:
            return await call()
        except (InvalidToken, BadRequest):
            raise
        except TelegramError as fault:
            log.warning("Telegram is unreachable: %s", type(fault).__name__)
            pause = pause_after(fault, pause)
        await asyncio.sleep(pause)
