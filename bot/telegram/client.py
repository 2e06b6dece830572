"""The Bot API client: python-telegram-bot's own, extended to return updates as raw JSON."""

import logging
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from telegram import User
from telegram.error import InvalidToken, NetworkError, TelegramError
from telegram.ext import AIORateLimiter, ExtBot
from telegram.request import HTTPXRequest

from bot.language import texts
from memory.errors import SettingsError
from memory.settings import Settings

TELEGRAM = "https://api.telegram.org"
READ_SECONDS, CONNECT_SECONDS = 15, 5
MAX_RETRIES = 5

log = logging.getLogger(__name__)


class BotClient(ExtBot[int]):
    """Checks the token once, with `getMe`. A later "Not Found" means that the server lacks a method."""

    async def get_me(self, *arguments: Any, **options: Any) -> User:
        try:
            me = await super().get_me(*arguments, **options)
        except TelegramError:
            raise
        except (TypeError, AttributeError, KeyError, ValueError) as fault:  # the response is not a User
            raise SettingsError(texts.TELEGRAM_NOT_A_BOT) from fault
        if not me.is_bot:
            raise SettingsError(texts.TELEGRAM_NOT_A_BOT)
        return me

    async def delete_webhook(self, *arguments: Any, **options: Any) -> bool:
        try:
            return await super().delete_webhook(*arguments, **options)
        except InvalidToken:
            log.info("this server does not support webhooks")
            return True

    async def pending_updates(self) -> int:
        """Return how many updates are waiting at Telegram, or 0 if it does not say."""
        try:
            answer = await self._post("getWebhookInfo")
        except TelegramError:
            return 0
        count = answer.get("pending_update_count") if isinstance(answer, dict) else None
        return count if isinstance(count, int) else 0

    async def raw_updates(self, offset: int, wait: timedelta, kinds: Sequence[str]) -> object:
        """Call `getUpdates` and return JSON. The library's method parses all updates at once, so a bad one would cost
        the others, and it logs its content."""
        seconds = int(wait.total_seconds())
        parameters = {"offset": offset, "timeout": seconds, "allowed_updates": list(kinds)}
        return await self._post("getUpdates", parameters, read_timeout=READ_SECONDS + seconds)


@asynccontextmanager
async def connect_bot(settings: Settings) -> AsyncIterator[BotClient]:
    """Open a client and check its token."""
    bot = make_client(settings)
    try:
        await _check_token(bot)
        yield bot
    finally:
        await bot.shutdown()


async def _check_token(bot: BotClient) -> None:
    try:
        await bot.initialize()
    except InvalidToken as error:
        raise SettingsError(texts.TOKEN_REFUSED) from error
    except NetworkError as error:
        raise SettingsError(texts.TELEGRAM_AWAY.format(why=type(error).__name__)) from error


def make_client(settings: Settings) -> BotClient:
    assert settings.telegram_bot_token
    os.environ.setdefault("PTB_TIMEDELTA", "1")  # else the library warns about int timeouts
    rate = settings.messages_per_second
    base = settings.telegram_base_url or TELEGRAM
    return BotClient(
        settings.telegram_bot_token.get_secret_value(),
        base_url=f"{base}/bot",
        base_file_url=f"{base}/file/bot",
        request=HTTPXRequest(
            connection_pool_size=64,
            pool_timeout=30,
            read_timeout=READ_SECONDS,
            connect_timeout=CONNECT_SECONDS,
            write_timeout=CONNECT_SECONDS,
        ),
        rate_limiter=AIORateLimiter(overall_max_rate=rate, group_max_rate=20 if rate else 0, max_retries=MAX_RETRIES),
    )
