"""The Telegram bot: the client, the door, the inbox and the desk put together, started and stopped."""

import asyncio
import gc
import hmac
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from telegram import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    MenuButtonDefault,
    MenuButtonWebApp,
    Update,
    WebAppInfo,
)
from telegram.error import InvalidToken, NetworkError, TelegramError
from telegram.ext import AIORateLimiter, Application, ApplicationBuilder, ExtBot
from telegram.request import HTTPXRequest

from bot.courier import Courier
from bot.desk import Desk
from bot.door import Door
from bot.identity import Places
from bot.inbox import Inbox
from bot.language import LANGUAGES, speaking, texts
from bot.reminding import bring_reminders
from bot.web import APP, app_address
from db.migrate import Progress
from db.queries.conversations import private_chats
from db.viewer import Viewer
from memory.errors import PortTaken, SettingsError
from memory.settings import Settings
from memory.wiring import House

WANTED = [Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.CHAT_MEMBER]
IN_GROUPS = ("memory", "why", "new", "space", "help")
TELEGRAM = "https://api.telegram.org"
POLL_SECONDS = 25
SECONDS_TO_STOP = 4.0
RETRIES = 5
REMINDING, REMIND_EVERY = "telegram_reminders", 30.0

log = logging.getLogger(__name__)


async def run_bot(house: House, timezone: str, progress: Progress) -> None:
    """Until it is cancelled."""
    async with opened(house, timezone) as (application, inbox, how):
        if not house.settings.allowed_users:
            progress(texts.OPEN_TO_ALL)
        if house.settings.group_answers == "all" and not application.bot.can_read_all_group_messages:
            progress(texts.PRIVACY_MODE)
        progress(texts.BOT_STARTED.format(name=application.bot.username, how=how))
        menus = asyncio.create_task(set_menus(application, house))
        gc.collect()
        gc.freeze()  # what is here now stays; to look through it again and again would hold up replies
        try:
            await inbox.run()
        finally:
            menus.cancel()
            await asyncio.gather(menus, return_exceptions=True)


@asynccontextmanager
async def opened(house: House, timezone: str) -> "AsyncIterator[tuple[Application, Inbox, str]]":  # type: ignore[type-arg]
    """The client listens as long as this is open; what is being answered at the end comes to its end first."""
    settings = house.settings
    application = client(settings)
    try:
        await application.initialize()
    except InvalidToken as error:
        raise SettingsError(texts.TOKEN_REFUSED) from error
    except NetworkError as error:
        raise SettingsError(texts.TELEGRAM_AWAY.format(why=type(error).__name__)) from error
    courier = Courier(application.bot)
    desk = Desk(house, application.bot.bot, Places(await _private_places(house)), timezone)
    inbox = Inbox(house, courier, desk.handle, desk.give_up)
    door = Door(desk, inbox)
    updater = application.updater
    assert updater
    updater.update_queue = door
    if house.scheduler is not None:
        house.scheduler.add(REMINDING, REMIND_EVERY, partial(bring_reminders, house, courier))
    try:
        how = await listen(application, settings)
        yield application, inbox, how
    finally:
        if house.scheduler is not None:
            house.scheduler.remove(REMINDING)
        if updater.running:
            await updater.stop()
        await inbox.stop(SECONDS_TO_STOP)
        await door.close()
        await application.shutdown()


class Client(ExtBot[int]):
    """Asks the token once, by `getMe`: "Not Found" after that is how a server says that it lacks a method."""

    async def delete_webhook(self, *told: Any, **more: Any) -> bool:
        try:
            return await super().delete_webhook(*told, **more)
        except InvalidToken:
            log.info("this server knows no webhooks, so there is none to delete")
            return True


def client(settings: Settings) -> "Application":  # type: ignore[type-arg]
    """The library's own client; only its queue is ours. Nothing is fetched from it: the inbox hands updates out."""
    assert settings.telegram_bot_token
    most = settings.messages_per_second
    base = settings.telegram_base_url or TELEGRAM
    bot = Client(
        settings.telegram_bot_token.get_secret_value(),
        base_url=f"{base}/bot",
        base_file_url=f"{base}/file/bot",
        request=HTTPXRequest(connection_pool_size=64, pool_timeout=30, read_timeout=15),
        rate_limiter=AIORateLimiter(overall_max_rate=most, group_max_rate=20 if most else 0, max_retries=RETRIES),
    )
    return ApplicationBuilder().bot(bot).build()


async def listen(application: "Application", settings: Settings) -> str:  # type: ignore[type-arg]
    """By long polling, or by a webhook whose secret only Telegram and we know."""
    assert application.updater
    if settings.telegram_webhook_url is None:
        await application.updater.start_polling(
            poll_interval=0,
            timeout=POLL_SECONDS,
            bootstrap_retries=-1,
            allowed_updates=WANTED,
            error_callback=_note_trouble,
        )
        return texts.BOT_POLLS
    host, _, port = settings.webhook_listen.rpartition(":")
    try:
        await application.updater.start_webhook(
            listen=host,
            port=int(port),
            url_path=urlsplit(settings.telegram_webhook_url).path.strip("/"),
            webhook_url=settings.telegram_webhook_url,
            secret_token=webhook_secret(settings),
            bootstrap_retries=-1,
            allowed_updates=WANTED,
        )
    except OSError as error:
        raise PortTaken("KEEPSAKE_WEBHOOK_LISTEN", settings.webhook_listen, error) from error
    return texts.BOT_HOOK.format(url=settings.telegram_webhook_url, listen=settings.webhook_listen)


def webhook_secret(settings: Settings) -> str:
    """The same in every process, and known to nobody who does not know the token."""
    assert settings.telegram_bot_token
    return hmac.new(settings.telegram_bot_token.get_secret_value().encode(), b"keepsake webhook", sha256).hexdigest()


async def set_menus(application: "Application", house: House) -> None:  # type: ignore[type-arg]
    """The menu of commands, for each kind of chat and each language. A server without menus is used without them."""
    await set_page_button(application, app_address(house.settings))
    for language in LANGUAGES:
        with speaking(language):
            every = [BotCommand(name, told) for name, told in texts.COMMANDS.items()]
        code = None if language == "en" else language
        in_groups = [command for command in every if command.command in IN_GROUPS]
        try:
            await application.bot.set_my_commands(every, BotCommandScopeAllPrivateChats(), language_code=code)
            await application.bot.set_my_commands(in_groups, BotCommandScopeAllGroupChats(), language_code=code)
        except TelegramError as error:
            log.info("the menu was not set: %s", type(error).__name__)
            return


async def set_page_button(application: "Application", page: str | None) -> None:  # type: ignore[type-arg]
    """Beside the text field of every private chat. One of ours that leads nowhere any more goes; any other was set by
    whoever runs the bot."""
    try:
        before = await application.bot.get_chat_menu_button()
        leads_to = before.web_app.url if isinstance(before, MenuButtonWebApp) else None
        if page is not None and leads_to != page:
            button = MenuButtonWebApp(texts.WEB_MENU, WebAppInfo(page))
            await application.bot.set_chat_menu_button(menu_button=button)
        elif page is None and leads_to is not None and leads_to.endswith(APP):
            await application.bot.set_chat_menu_button(menu_button=MenuButtonDefault())
    except TelegramError as error:
        log.info("the button of the page was not set: %s", type(error).__name__)


async def _private_places(house: House) -> set[str]:
    nobody = Viewer.nobody(house.settings.tenant)
    async with house.memory.database.transaction(nobody, read_only=True) as session:
        return set(await private_chats(session))


def _note_trouble(error: TelegramError) -> None:
    """The client tries again by itself."""
    log.warning("Telegram could not be asked for updates: %s", type(error).__name__)
