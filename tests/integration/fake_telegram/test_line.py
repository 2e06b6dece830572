"""The fake Telegram's line to the bot, with the real client of our program: polls, webhooks, processes, load."""

import asyncio
import os
import signal
import subprocess
import sys
from functools import partial
from typing import Any

import httpx
import pytest
from telegram import Bot, BotCommand, BotCommandScopeChat, InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.error import BadRequest, Conflict
from telegram.ext import (
    CallbackQueryHandler,
    ContextTypes,
    MessageHandler,
    filters,
)
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application as Site
from tornado.web import RequestHandler

from tests.ports import free_port
from tests.telegram import FakeTelegram, Person, fake_telegram, line, telegram_for_a_process
from tests.telegram.patience import patient_application
from tests.waiting import STUCK

FOREVER = 3600


async def ids(bot: Bot, **wishes: Any) -> list[int]:
    return [update.update_id for update in await bot.get_updates(**{"timeout": 0, **wishes})]


async def test_a_person_is_answered_and_taps_a_button(telegram: FakeTelegram) -> None:
    async def answer(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Remember", callback_data="keep:1")]])
        await update.message.reply_text(f"You said {update.message.text}", reply_markup=keyboard)

    async def tapped(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.callback_query is not None
        await update.callback_query.answer("Kept")
        await update.callback_query.edit_message_text(f"Done: {update.callback_query.data}")

    application = patient_application(telegram)
    application.add_handler(MessageHandler(filters.TEXT, answer))
    application.add_handler(CallbackQueryHandler(tapped))
    ada = telegram.person(11, "Ada", username="ada")
    ada.say("hello")
    async with application:
        assert application.updater is not None
        await application.updater.start_polling(allowed_updates=Update.ALL_TYPES)
        await application.start()
        [first] = await telegram.until(ada.answers)
        assert (first.text, first.buttons) == ("You said hello", [[("Remember", "keep:1")]])

        tap = ada.tap(first, "Remember")
        await telegram.until(lambda: ada.answers()[0].text == "Done: keep:1")
        assert ada.answers()[0].edits == ["You said hello"]
        assert ada.answers()[0].buttons == []
        assert telegram.answer_to(tap) == {"text": "Kept", "show_alert": False}
        await application.updater.stop()
        await application.stop()
    assert telegram.pending == []


async def test_an_update_is_offered_until_an_offset_confirms_it(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    for number in range(4):
        ada.say(f"message {number}")

    assert await ids(bot) == [1000, 1001, 1002, 1003]
    assert await ids(bot, limit=2) == [1000, 1001]
    assert await ids(bot, offset=1002) == [1002, 1003]
    assert await ids(bot) == [1002, 1003]
    assert await ids(bot, offset=-1) == [1003]
    assert await ids(bot) == [1003]
    assert await ids(bot, offset=1004) == []
    assert telegram.pending == []


async def test_a_confirmed_update_comes_again_when_the_test_says_so(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    first, second = ada.say("one").update_id, ada.say("two").update_id
    assert first is not None
    assert second is not None
    assert await ids(bot, offset=second + 1) == []

    telegram.reoffer(first)

    assert await ids(bot, offset=second + 1) == [first]
    assert await ids(bot, offset=first + 1) == []


async def test_a_poll_waits_for_the_next_update(
    telegram: FakeTelegram, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "LONGEST_POLL", FOREVER)
    ada = telegram.person(11, "Ada")
    polling = asyncio.create_task(ids(bot, timeout=FOREVER))
    await telegram.until(lambda: telegram.counts["getUpdates"])
    ada.say("hello")

    async with asyncio.timeout(STUCK):
        assert await polling == [1000]


async def test_a_second_poll_ends_the_first(telegram: FakeTelegram, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "LONGEST_POLL", FOREVER)
    polling = asyncio.create_task(ids(bot, timeout=FOREVER))
    await telegram.until(lambda: telegram.counts["getUpdates"])

    async with httpx.AsyncClient(timeout=STUCK) as other:
        assert (await other.get(f"{telegram.url}/bot{telegram.token}/getUpdates")).json()["result"] == []
    async with asyncio.timeout(STUCK):
        with pytest.raises(Conflict, match="terminated by other getUpdates"):
            await polling


async def test_only_the_allowed_kinds_are_queued_and_the_choice_stays(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    said = ada.say("hello")
    assert ada.react(said, "👍") is None

    assert await ids(bot, allowed_updates=["message", "message_reaction"]) == [1000]
    assert ada.edit(said, "hello again").update_id is None
    assert ada.react(said, "👍") == 1001
    assert await ids(bot) == [1000, 1001]


async def test_a_webhook_gets_every_update_in_order_with_the_secret(telegram: FakeTelegram, bot: Bot) -> None:
    got: list[tuple[str | None, str | None, bytes]] = []
    answers = [500, 200, 503, 200, 200]

    class Hook(RequestHandler):
        def post(self) -> None:
            headers = self.request.headers
            got.append((headers["X-Telegram-Bot-Api-Secret-Token"], headers["Content-Type"], self.request.body))
            self.set_status(answers.pop(0))

    server = HTTPServer(Site([("/hook", Hook)], log_function=lambda _: None))
    [socket] = bind_sockets(0, "127.0.0.1")
    server.add_socket(socket)
    ada = telegram.person(11, "Ada")
    ada.say("dropped")
    url = f"http://127.0.0.1:{socket.getsockname()[1]}/hook"
    await bot.set_webhook(url, secret_token="s3cret", drop_pending_updates=True, allowed_updates=["message"])
    for word in ("one", "two", "three"):
        ada.say(word)
    with pytest.raises(Conflict, match="while webhook is active"):
        await bot.get_updates()
    await telegram.until(lambda: not answers)
    await telegram.until(lambda: not telegram.pending)

    assert {(secret, kind) for secret, kind, _ in got} == {("s3cret", "application/json")}
    words = [word for *_, body in got for word in ("one", "two", "three") if f'"{word}"'.encode() in body]
    assert words == ["one", "one", "two", "two", "three"]
    assert (await bot.get_webhook_info()).url == url
    await bot.delete_webhook()
    assert await ids(bot) == []
    server.stop()
    await server.close_all_connections()


async def test_the_webhook_of_the_real_client_is_called(telegram: FakeTelegram) -> None:
    got: list[str | None] = []

    async def hear(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        got.append(update.message.text if update.message else None)

    port = free_port()
    ada = telegram.person(11, "Ada")
    application = patient_application(telegram)
    application.add_handler(MessageHandler(filters.TEXT, hear))
    async with application:
        assert application.updater is not None
        await application.updater.start_webhook(
            "127.0.0.1", port, "hook", webhook_url=f"http://127.0.0.1:{port}/hook", secret_token="s3cret"
        )
        await application.start()
        for word in ("one", "two", "three"):
            ada.say(word)
        await telegram.until(lambda: len(got) == 3)
        await application.updater.stop()
        await application.stop()

    assert got == ["one", "two", "three"]
    assert telegram.pending == []


async def test_a_stranger_to_the_token_and_an_unknown_method_are_refused(telegram: FakeTelegram, bot: Bot) -> None:
    async with httpx.AsyncClient(base_url=telegram.url, timeout=STUCK) as client:
        strange = await client.post("/bot1:wrong/getMe")
        unknown = await client.get(f"/bot{telegram.token}/getNothing")
        spelled = await client.get(f"/bot{telegram.token}/GETME")

    assert strange.json() == {"ok": False, "error_code": 401, "description": "Unauthorized"}
    assert (unknown.status_code, unknown.json()["description"]) == (404, "Not Found")
    assert spelled.json()["result"]["username"] == "keepsake_test_bot"
    assert (await bot.get_me()).can_read_all_group_messages is False


async def test_commands_are_kept_for_each_scope_and_language(telegram: FakeTelegram, bot: Bot) -> None:
    await bot.set_my_commands([BotCommand("memory", "What I know")])
    await bot.set_my_commands([BotCommand("memory", "Was ich weiß")], language_code="de")
    await bot.set_my_commands([BotCommand("forget", "Forget")], scope=BotCommandScopeChat(11))

    assert [one.description for one in await bot.get_my_commands()] == ["What I know"]
    assert [one.description for one in await bot.get_my_commands(language_code="de")] == ["Was ich weiß"]
    assert [one.command for one in await bot.get_my_commands(scope=BotCommandScopeChat(11))] == ["forget"]
    await bot.delete_my_commands()
    assert await bot.get_my_commands() == ()
    with pytest.raises(BadRequest, match=r"[Bb]ot_command_invalid"):
        await bot.set_my_commands([BotCommand("Not A Command", "no")])


CHILD = """
import sys
from telegram.ext import Application, MessageHandler, filters

async def answer(update, context):
    await update.message.reply_text("from " + sys.argv[3])

url, token = sys.argv[1:3]
application = (
    Application.builder().token(token).base_url(url + "/bot")
    .connect_timeout(300).read_timeout(300).write_timeout(300).pool_timeout(300).build()
)
application.add_handler(MessageHandler(filters.ALL, answer))
application.run_polling(bootstrap_retries=3)
"""


def is_done_with(telegram: FakeTelegram, person: Person, messages: int) -> bool:
    """They are answered, and whoever comes next does not get the last of them again."""
    return len(person.answers()) == messages and not telegram.pending


@pytest.mark.slow
def test_a_process_is_killed_and_the_next_one_takes_the_line() -> None:
    with telegram_for_a_process() as telegram:
        ada = telegram.person(11, "Ada")
        for number, name in enumerate(("first", "second"), 1):
            child = subprocess.Popen([sys.executable, "-c", CHILD, telegram.url, telegram.token, name])
            ada.say(f"are you there, {name}?")
            telegram.wait_until(partial(is_done_with, telegram, ada, number))
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
        assert [answer.text for answer in ada.answers()] == ["from first", "from second"]


@pytest.mark.slow
async def test_five_hundred_chats_are_served_without_losing_one() -> None:
    async with fake_telegram(keep_calls=False) as telegram:
        people = [telegram.person(number, f"Person {number}") for number in range(1, 501)]
        for person in people:
            for number in range(4):
                person.say(f"message {number}")
        async with httpx.AsyncClient(base_url=f"{telegram.url}/bot{telegram.token}/", timeout=STUCK) as client:
            offset, seen = 0, 0
            while batch := (await client.post("getUpdates", data={"offset": offset})).json()["result"]:
                offset, seen = batch[-1]["update_id"] + 1, seen + len(batch)
                spoke = {one["message"]["chat"]["id"] for one in batch}
                await asyncio.gather(
                    *(client.post("sendMessage", data={"chat_id": who, "text": "yes"}) for who in spoke)
                )
        assert seen == 2000
        assert {len(person.answers()) for person in people} == {1}
        assert telegram.calls == []
