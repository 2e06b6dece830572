"""The Telegram bot: client, receiver, inbox and dispatcher put together, started and stopped."""

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
from bot.language import known_languages, speaking, texts
from bot.telegram.client import BotClient, connected
from bot.telegram.dispatcher import Dispatcher
from bot.telegram.identity import KnownChats
from bot.telegram.receiving.polling import Poller, until_answered
from bot.telegram.receiving.receiver import Receiver
from bot.telegram.receiving.webhook import listening
from bot.telegram.reminders import bring_reminders
from bot.telegram.sending.sender import TelegramSender
from memory import Progress
from memory.errors import SettingsError
from memory.settings import Settings
from memory.turn.enter import unkept_places
from memory.wiring import Runtime

WANTED = [Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.CHAT_MEMBER]
SECONDS_TO_STOP = 4.0
REMINDING, REMIND_EVERY = "telegram_reminders", 30.0

log = logging.getLogger(__name__)


async def run_bot(runtime: Runtime, timezone: str, progress: Progress) -> None:
    """Until it is cancelled."""
    async with opened(runtime, timezone) as (bot, inbox, how):
        if not runtime.settings.allowed_users:
            progress(texts.OPEN_TO_ALL)
        if runtime.settings.group_answers == "all" and not bot.can_read_all_group_messages:
            progress(texts.PRIVACY_MODE)
        progress(texts.BOT_STARTED.format(name=bot.username, how=how))
        menus = asyncio.create_task(set_menus(bot, runtime))
        gc.collect()
        gc.freeze()  # what is here now stays; to look through it again and again would hold up replies
        try:
            await inbox.run()
        finally:
            menus.cancel()
            await asyncio.gather(menus, return_exceptions=True)


@asynccontextmanager
async def opened(runtime: Runtime, timezone: str) -> AsyncIterator[tuple[BotClient, InboxWorker, str]]:
    """The bot listens as long as this is open; what is being answered at the end comes to its end first."""
    async with connected(runtime.settings) as bot:
        sender = TelegramSender(bot)
        places = KnownChats(await unkept_places(runtime.memory, runtime.settings.tenant))
        dispatcher = Dispatcher(runtime, bot.bot, sender, places, timezone)
        inbox = InboxWorker(runtime, sender, dispatcher.handle, dispatcher.give_up)
        receiver = Receiver(dispatcher, inbox)
        if runtime.scheduler is not None:
            runtime.scheduler.add(REMINDING, REMIND_EVERY, partial(bring_reminders, runtime, sender))
        listen = by_polling if runtime.settings.telegram_webhook_url is None else by_webhook
        try:
            async with listen(bot, receiver, runtime) as how:
                yield bot, inbox, how
        finally:
            if runtime.scheduler is not None:
                runtime.scheduler.remove(REMINDING)
            await inbox.stop(SECONDS_TO_STOP)
            await receiver.close()


@asynccontextmanager
async def by_polling(bot: BotClient, receiver: Receiver, runtime: Runtime) -> AsyncIterator[str]:
    await until_answered(bot.delete_webhook)  # while there is one, Telegram answers no poll
    poller = Poller(bot, receiver, runtime.metrics, WANTED)
    polling = asyncio.create_task(poller.run())
    try:
        yield texts.BOT_POLLS
    finally:
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        await poller.confirm()


@asynccontextmanager
async def by_webhook(bot: BotClient, receiver: Receiver, runtime: Runtime) -> AsyncIterator[str]:
    """Its secret is known to Telegram and to us only."""
    settings = runtime.settings
    url, listen, secret = settings.telegram_webhook_url, settings.webhook_listen, webhook_secret(settings)
    assert url
    async with listening(receiver, runtime.metrics, url=url, listen=listen, secret=secret):
        set_webhook = partial(bot.set_webhook, url, allowed_updates=WANTED, secret_token=secret)
        try:
            await until_answered(set_webhook)
        except TelegramError as error:
            raise SettingsError(texts.WEBHOOK_REFUSED.format(why=error.message)) from error
        yield texts.BOT_HOOK.format(url=url, listen=listen)


def webhook_secret(settings: Settings) -> str:
    """The same in every process, and known to nobody who does not know the token."""
    assert settings.telegram_bot_token
    return hmac.new(settings.telegram_bot_token.get_secret_value().encode(), b"keepsake webhook", sha256).hexdigest()


async def set_menus(bot: BotClient, runtime: Runtime) -> None:
    """The menu of commands, for each kind of chat and each language. A server without menus is used without them."""
    await set_page_button(bot, app_address(runtime.settings))
    for language in known_languages():
        with speaking(language):
            alone, in_groups = (
                [BotCommand(*line) for line in menu(where)] for where in (Where.TELEGRAM_PRIVATE, Where.TELEGRAM_GROUP)
            )
        code = None if language == "en" else language
        try:
            await bot.set_my_commands(alone, BotCommandScopeAllPrivateChats(), language_code=code)
            await bot.set_my_commands(in_groups, BotCommandScopeAllGroupChats(), language_code=code)
        except TelegramError as error:
            log.info("the menu was not set: %s", type(error).__name__)
            return


async def set_page_button(bot: BotClient, page: str | None) -> None:
    """Beside the text field of every private chat. One of ours that leads nowhere any more goes; any other was set by
    whoever runs the bot."""
    try:
        before = await bot.get_chat_menu_button()
        leads_to = before.web_app.url if isinstance(before, MenuButtonWebApp) else None
        if page is not None and leads_to != page:
            button = MenuButtonWebApp(texts.WEB_MENU, WebAppInfo(page))
            await bot.set_chat_menu_button(menu_button=button)
        elif page is None and leads_to is not None and leads_to.endswith(APP):
            await bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    except TelegramError as error:
        log.info("the button of the page was not set: %s", type(error).__name__)
