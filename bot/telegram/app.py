"""Assembles the Telegram bot (client, receiver, inbox worker and dispatcher), and starts and stops it."""

import asyncio
import gc
import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256

from telegram import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    MenuButtonDefault,
    MenuButtonWebApp,
    Update,
    WebAppInfo,
)
from telegram.error import TelegramError

from bot.commands.registry import Where, menu
from bot.commands.web import APP, app_address
from bot.delivery.worker import InboxWorker
from bot.language import available_languages, texts, use_language
from bot.telegram.chat_cache import ChatCache
from bot.telegram.client import BotClient, connect_bot
from bot.telegram.dispatcher import Dispatcher
from bot.telegram.receiving.polling import Poller, until_answered
from bot.telegram.receiving.receiver import Receiver
from bot.telegram.receiving.webhook import listening
from bot.telegram.reminders import send_reminders
from bot.telegram.sending.sender import TelegramSender
from memory import Progress
from memory.errors import SettingsError
from memory.settings import Settings
from memory.turn.open_chat import unsaved_places
from memory.wiring import Runtime

UPDATE_TYPES = [Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.CHAT_MEMBER]
SECONDS_TO_STOP = 4.0
REMINDER_JOB, REMINDER_SECONDS = "telegram_reminders", 30.0

log = logging.getLogger(__name__)


async def run_bot(runtime: Runtime, timezone: str, progress: Progress) -> None:
    async with open_bot(runtime, timezone) as (bot, inbox, how):
        if not runtime.settings.allowed_users:
            progress(texts.BOT_OPEN_TO_ALL)
        if runtime.settings.group_answers == "all" and not bot.can_read_all_group_messages:
            progress(texts.BOT_PRIVACY_MODE)
        progress(texts.BOT_STARTED.format(name=bot.username, how=how))
        menus = asyncio.create_task(set_menus(bot, runtime))
        gc.collect()
        gc.freeze()  # these objects stay; scanning them again in every collection would delay replies
        try:
            await inbox.run()
        finally:
            menus.cancel()
            await asyncio.gather(menus, return_exceptions=True)


@asynccontextmanager
async def open_bot(runtime: Runtime, timezone: str) -> AsyncIterator[tuple[BotClient, InboxWorker, str]]:
    """Receive updates while the context is open. On exit, finish the ones that are being answered."""
    async with connect_bot(runtime.settings) as bot:
        sender = TelegramSender(bot)
        chat_cache = ChatCache(await unsaved_places(runtime.memory, runtime.settings.tenant))
        dispatcher = Dispatcher(runtime, bot.bot, sender, chat_cache, timezone)
        inbox = InboxWorker(runtime, sender, dispatcher.handle, dispatcher.give_up)
        receiver = Receiver(dispatcher, inbox)
        if runtime.scheduler is not None:
            runtime.scheduler.add(REMINDER_JOB, REMINDER_SECONDS, partial(send_reminders, runtime, sender))
        listen = by_polling if runtime.settings.telegram_webhook_url is None else by_webhook
        try:
            async with listen(bot, receiver, runtime) as how:
                yield bot, inbox, how
        finally:
            if runtime.scheduler is not None:
                runtime.scheduler.remove(REMINDER_JOB)
            await inbox.stop(SECONDS_TO_STOP)
            await receiver.close()


@asynccontextmanager
async def by_polling(bot: BotClient, receiver: Receiver, runtime: Runtime) -> AsyncIterator[str]:
    await until_answered(bot.delete_webhook)  # Telegram refuses polling while a webhook is set
    poller = Poller(bot, receiver, runtime.metrics, UPDATE_TYPES)
    polling = asyncio.create_task(poller.run())
    try:
        yield texts.BOT_BY_POLLING
    finally:
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        await poller.confirm()


@asynccontextmanager
async def by_webhook(bot: BotClient, receiver: Receiver, runtime: Runtime) -> AsyncIterator[str]:
    settings = runtime.settings
    url, listen, secret = settings.telegram_webhook_url, settings.webhook_listen, webhook_secret(settings)
    assert url
    async with listening(receiver, runtime.metrics, url=url, listen=listen, secret=secret):
        set_webhook = partial(bot.set_webhook, url, allowed_updates=UPDATE_TYPES, secret_token=secret)
        try:
            await until_answered(set_webhook)
        except TelegramError as error:
            raise SettingsError(texts.WEBHOOK_REFUSED.format(why=error.message)) from error
        yield texts.BOT_BY_WEBHOOK.format(url=url, listen=listen)


def webhook_secret(settings: Settings) -> str:
    """Derive the secret from the token, so that it is the same in every process."""
    assert settings.telegram_bot_token
    return hmac.new(settings.telegram_bot_token.get_secret_value().encode(), b"keepsake webhook", sha256).hexdigest()


async def set_menus(bot: BotClient, runtime: Runtime) -> None:
    """Set the command menus per kind of chat and language. Stop at the first failure; the bot works without menus."""
    await set_page_button(bot, app_address(runtime.settings))
    for language in available_languages():
        with use_language(language):
            private, group = (
                [BotCommand(*line) for line in menu(where)] for where in (Where.TELEGRAM_PRIVATE, Where.TELEGRAM_GROUP)
            )
        code = None if language == "en" else language
        try:
            await bot.set_my_commands(private, BotCommandScopeAllPrivateChats(), language_code=code)
            await bot.set_my_commands(group, BotCommandScopeAllGroupChats(), language_code=code)
        except TelegramError as error:
            log.info("could not set the command menu: %s", type(error).__name__)
            return


async def set_page_button(bot: BotClient, page: str | None) -> None:
    """Set the menu button of private chats to the review page. Without a page, remove our own button only."""
    try:
        button = await bot.get_chat_menu_button()
        current = button.web_app.url if isinstance(button, MenuButtonWebApp) else None
        if page is not None and current != page:
            await bot.set_chat_menu_button(menu_button=MenuButtonWebApp(texts.WEB_MENU, WebAppInfo(page)))
        elif page is None and current is not None and current.endswith(APP):
            await bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    except TelegramError as error:
        log.info("could not set the menu button: %s", type(error).__name__)
