"""The Telegram bot: the client, the door, the inbox and the desk put together, started and stopped."""

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

from bot.client import Client, connected
from bot.courier import Courier
from bot.desk import Desk
from bot.door import Door
from bot.identity import Places
from bot.inbox import Inbox
from bot.language import LANGUAGES, speaking, texts
from bot.polling import Poller, until_answered
from bot.reminding import bring_reminders
from bot.web import APP, app_address
from bot.webhook import listening
from db.migrate import Progress
from db.queries.conversations import private_chats
from db.viewer import Viewer
from memory.errors import SettingsError
from memory.settings import Settings
from memory.wiring import House

WANTED = [Update.MESSAGE, Update.EDITED_MESSAGE, Update.CALLBACK_QUERY, Update.CHAT_MEMBER]
IN_GROUPS = ("memory", "why", "new", "space", "help")
SECONDS_TO_STOP = 4.0
REMINDING, REMIND_EVERY = "telegram_reminders", 30.0

log = logging.getLogger(__name__)


async def run_bot(house: House, timezone: str, progress: Progress) -> None:
    """Until it is cancelled."""
    async with opened(house, timezone) as (bot, inbox, how):
        if not house.settings.allowed_users:
            progress(texts.OPEN_TO_ALL)
        if house.settings.group_answers == "all" and not bot.can_read_all_group_messages:
            progress(texts.PRIVACY_MODE)
        progress(texts.BOT_STARTED.format(name=bot.username, how=how))
        menus = asyncio.create_task(set_menus(bot, house))
        gc.collect()
        gc.freeze()  # what is here now stays; to look through it again and again would hold up replies
        try:
            await inbox.run()
        finally:
            menus.cancel()
            await asyncio.gather(menus, return_exceptions=True)


@asynccontextmanager
async def opened(house: House, timezone: str) -> AsyncIterator[tuple[Client, Inbox, str]]:
    """The bot listens as long as this is open; what is being answered at the end comes to its end first."""
    async with connected(house.settings) as bot:
        courier = Courier(bot)
        desk = Desk(house, bot.bot, Places(await _private_places(house)), timezone)
        inbox = Inbox(house, courier, desk.handle, desk.give_up)
        door = Door(desk, inbox)
        if house.scheduler is not None:
            house.scheduler.add(REMINDING, REMIND_EVERY, partial(bring_reminders, house, courier))
        listen = by_polling if house.settings.telegram_webhook_url is None else by_webhook
        try:
            async with listen(bot, door, house) as how:
                yield bot, inbox, how
        finally:
            if house.scheduler is not None:
                house.scheduler.remove(REMINDING)
            await inbox.stop(SECONDS_TO_STOP)
            await door.close()


@asynccontextmanager
async def by_polling(bot: Client, door: Door, house: House) -> AsyncIterator[str]:
    await until_answered(bot.delete_webhook)  # while there is one, Telegram answers no poll
    poller = Poller(bot, door, house.metrics, WANTED)
    polling = asyncio.create_task(poller.run())
    try:
        yield texts.BOT_POLLS
    finally:
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        await poller.confirm()


@asynccontextmanager
async def by_webhook(bot: Client, door: Door, house: House) -> AsyncIterator[str]:
    """Its secret is known to Telegram and to us only."""
    settings = house.settings
    url, listen, secret = settings.telegram_webhook_url, settings.webhook_listen, webhook_secret(settings)
    assert url
    async with listening(door, house.metrics, url=url, listen=listen, secret=secret):
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


async def set_menus(bot: Client, house: House) -> None:
    """The menu of commands, for each kind of chat and each language. A server without menus is used without them."""
    await set_page_button(bot, app_address(house.settings))
    for language in LANGUAGES:
        with speaking(language):
            every = [BotCommand(name, told) for name, told in texts.COMMANDS.items()]
        code = None if language == "en" else language
        in_groups = [command for command in every if command.command in IN_GROUPS]
        try:
            await bot.set_my_commands(every, BotCommandScopeAllPrivateChats(), language_code=code)
            await bot.set_my_commands(in_groups, BotCommandScopeAllGroupChats(), language_code=code)
        except TelegramError as error:
            log.info("the menu was not set: %s", type(error).__name__)
            return


async def set_page_button(bot: Client, page: str | None) -> None:
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


async def _private_places(house: House) -> set[str]:
    nobody = Viewer.nobody(house.settings.tenant)
    async with house.memory.database.transaction(nobody, read_only=True) as session:
        return set(await private_chats(session))
