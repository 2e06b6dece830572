"""An update that nobody can read is put aside by its number; it holds up nobody, and no log holds its words."""

from typing import Any

import pytest

from bot import texts
from bot.telegram.client import connect_bot
from memory.errors import SettingsError
from memory.settings import Settings
from tests.integration.bot.telegram.conftest import Bot, Running
from tests.telegram import FakeTelegram, Person, fake_telegram

pytestmark = pytest.mark.asyncio(loop_scope="module")

CANARY = "Kanarek"
POLL_OF_AN_OLDER_SERVER = {"poll": {"id": "1", "question": f"Does {CANARY} come?", "options": []}}


def message_of(person: Person, **fields: Any) -> dict[str, Any]:
    known = {"message_id": 900, "date": 1, "chat": person.chat.shown, "from": person.user, "text": CANARY}
    return {name: value for name, value in (known | fields).items() if value is not None}


def offer(telegram: FakeTelegram, message: object, kind: str = "message") -> int:
    with telegram.lock:
        number = telegram.updates.add(kind, message)  # type: ignore[arg-type]
    assert number is not None
    return number


def row_of(bot: Bot, number: int) -> tuple[Any, ...]:
    [row] = bot.rows("SELECT * FROM inbox WHERE {mine} AND update_id = %(number)s", number=number)
    return row["user_id"], row["state"], row["payload"], row["answer"]


def failures(bot: Bot, what: str) -> float:
    return bot.runtime.metrics.registry.get_sample_value("keepsake_failures_total", {"what": what}) or 0.0


async def test_it_is_put_aside_counted_and_confirmed_and_the_next_message_is_answered(
    offline: Bot, ada: Person, caplog: pytest.LogCaptureFixture
) -> None:
    before = failures(offline, "unreadable_update")
    number = offer(offline.telegram, message_of(ada, **POLL_OF_AN_OLDER_SERVER))
    assert await offline.ask(ada, "hello")

    assert number not in offline.telegram.pending
    assert row_of(offline, number) == ("nobody", "parked", None, None)
    assert failures(offline, "unreadable_update") == before + 1
    assert f"cannot read update {number}, skipping it: TypeError" in caplog.text
    assert CANARY not in caplog.text
    assert offline.holding(CANARY) == set()


async def test_one_that_waits_at_telegram_does_not_stop_a_bot_that_starts(begin: Running) -> None:
    async with fake_telegram() as telegram:
        eve = telegram.person(66, "Eve")
        number = offer(telegram, message_of(eve, **POLL_OF_AN_OLDER_SERVER))
        said = eve.say("hello")
        async with begin(telegram=telegram) as bot:
            await bot.done(said)
            assert len(eve.answers()) == 1
            assert row_of(bot, number) == ("nobody", "parked", None, None)


async def test_whatever_comes_in_an_update_the_next_one_is_read(offline: Bot, ada: Person) -> None:
    hostile: list[tuple[str, object]] = [
        ("message", None),
        ("message", []),
        ("message", CANARY),
        ("message", {}),
        ("message", message_of(ada, date=10**18)),
        ("message", message_of(ada, date="yesterday")),
        ("message", message_of(ada, chat=None)),
        ("message", message_of(ada, chat={"id": "x"})),
        ("message", message_of(ada, **{"from": {"id": ada.id}})),
        ("message", message_of(ada, text=["a"])),
        ("message", message_of(ada, entities=[{"type": "mention"}])),
        ("message", message_of(ada, entities=7)),
        ("message", message_of(ada, reply_to_message={"text": CANARY})),
        ("message", message_of(ada, forward_origin={"type": "user"})),
        ("message", message_of(ada, photo=[{"file_id": "f"}], text=None)),
        ("message", message_of(ada, document={}, text=None)),
        ("edited_message", message_of(ada, chat=[])),
        ("callback_query", {"id": "1", "data": CANARY}),
        ("chat_member", {"chat": ada.chat.shown}),
    ]
    numbers = [offer(offline.telegram, content, kind) for kind, content in hostile]
    assert await offline.ask(ada, "hello")

    assert offline.telegram.pending == []
    # The first is an update with nothing in it, which is none of our business; the others cannot be read.
    assert [row_of(offline, number)[1] for number in numbers] == ["done"] + ["parked"] * (len(hostile) - 1)


async def test_an_answer_that_is_no_list_of_updates_ends_nothing(
    offline: Bot, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.telegram.receiving.polling.FIRST_PAUSE", 0.01)
    before = failures(offline, "telegram_polling")
    for code in (401, 404, 409, 500):
        offline.telegram.fail("getUpdates", code=code)
    offline.telegram.drop_connection("getUpdates")
    assert await offline.ask(ada, "hello")
    assert await offline.ask(ada, "and again")

    assert failures(offline, "telegram_polling") >= before + 5


async def test_what_an_older_server_marks_as_forwarded_is_no_order_and_keeps_its_origin(
    offline: Bot, ada: Person
) -> None:
    await offline.ask(ada, "hello")
    marks: list[tuple[dict[str, Any], str]] = [
        ({"forward_from": {"id": 5, "is_bot": False, "first_name": "Ben", "last_name": "Okri"}}, "Ben Okri"),
        ({"forward_from_chat": {"id": -5, "type": "channel", "title": "Daily News"}}, "Daily News"),
        ({"forward_sender_name": "Somebody Hidden"}, "Somebody Hidden"),
        ({}, "somebody"),
    ]
    for mark, _ in marks:
        words = message_of(ada, text="remember that my locker is number 117", forward_date=1, **mark)
        await offline.done(offer(offline.telegram, words))
    human = [row for row in offline.of(ada, "events", "seq") if row["actor_type"] == "human"]
    kept = [row["content"] for row in human[1:]]

    assert offline.facts(ada) == []
    assert [origin in str(content) for content, (_, origin) in zip(kept, marks, strict=True)] == [True] * len(marks)


async def test_a_server_whose_getme_is_no_bots_is_told_in_one_line() -> None:
    async with fake_telegram() as telegram:
        settings = Settings.model_validate({"TELEGRAM_BOT_TOKEN": telegram.token, "TELEGRAM_BASE_URL": telegram.url})
        for is_bot in (None, False):
            telegram.bot_user.pop("is_bot", None)
            if is_bot is not None:
                telegram.bot_user["is_bot"] = is_bot
            with pytest.raises(SettingsError, match="doesn't answer getMe the way Telegram does") as told:
                async with connect_bot(settings):
                    pass
            assert str(told.value) == texts.TELEGRAM_NOT_A_BOT
