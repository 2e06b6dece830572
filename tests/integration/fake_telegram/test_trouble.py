"""Trouble that the fake Telegram makes on request, as the real client meets it."""

import asyncio
from datetime import timedelta

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, Forbidden, InvalidToken, NetworkError, RetryAfter, TimedOut
from telegram.ext import AIORateLimiter, ExtBot

from tests import waiting
from tests.tables import table
from tests.telegram import FakeTelegram, fake_telegram, telegram_for_a_process
from tests.telegram.patience import patient_request
from tests.waiting import STUCK

FOREVER = 3600.0
IMPATIENT = httpx.Timeout(STUCK, read=0.05)


@pytest.fixture(autouse=True)
def _waits_as_the_next_client_tells_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


async def test_a_forgotten_method_is_not_found_from_then_on(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    ada.say("hello")
    await bot.send_message_draft(ada.id, 1, "I am thin")
    telegram.forget_method("sendMessageDraft")

    for _ in range(2):
        with pytest.raises(InvalidToken, match="Not Found"):
            await bot.send_message_draft(ada.id, 1, "I am thinking")
    assert [draft.text for draft in telegram.drafts(ada.id)] == ["I am thin"]


async def test_the_rate_limiter_of_the_client_obeys_a_429(
    telegram: FakeTelegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = telegram.person(11, "Ada")
    ada.say("hello")
    telegram.fail("sendMessage", times=2, code=429, retry_after=7)
    limiter = AIORateLimiter(max_retries=3)
    waits: list[int] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        """Others in this loop look again after a fraction of a second; they go on as ever."""
        if seconds >= 1:
            waits.append(int(seconds))
        await sleep(0 if seconds >= 1 else seconds)

    base = f"{telegram.url}/bot"
    async with ExtBot(telegram.token, base, request=patient_request(), rate_limiter=limiter) as patient:
        monkeypatch.setattr(asyncio, "sleep", noted)
        await patient.send_message(ada.id, "at last")
        monkeypatch.undo()

    assert waits == [7, 7]
    assert [call.code for call in telegram.calls_of("sendMessage")] == [429, 429, 200]
    assert [answer.text for answer in ada.answers()] == ["at last"]


async def test_failures_come_as_ordered_and_end(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    ada.say("hello")
    telegram.fail("sendMessage", code=400, description="Bad Request: can't parse entities: no")
    telegram.fail("sendMessage", code=500)
    telegram.fail("sendMessage", code=403, chat_id=12)

    with pytest.raises(BadRequest, match="parse entities: no"):
        await bot.send_message(ada.id, "one")
    with pytest.raises(NetworkError, match="Internal Server Error"):
        await bot.send_message(ada.id, "two")
    await bot.send_message(ada.id, "three")

    assert [answer.text for answer in ada.answers()] == ["three"]


@table(("who", "stands", "answers"), [(11, True, ["gone?"]), (12, False, [])])
async def test_a_connection_drops_after_the_effect_or_instead_of_it(
    telegram: FakeTelegram, bot: Bot, who: int, stands: bool, answers: list[str]
) -> None:
    person = telegram.person(who, "Ada")
    person.say("hello")
    telegram.drop_connection("sendMessage", 1, after_effect=stands)

    with pytest.raises(NetworkError):
        await bot.send_message(person.id, "gone?")

    assert [answer.text for answer in person.answers()] == answers


async def test_a_hanging_answer_outlasts_the_patience_of_the_client(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    ada.say("hello")
    telegram.hang("sendMessage", FOREVER, after_effect=True)

    with pytest.raises(TimedOut):
        await bot.send_message(ada.id, "slowly", read_timeout=0.1)

    [answer] = await telegram.until(ada.answers)
    assert answer.text == "slowly"


@table("after_effect", [True, False])
async def test_what_hangs_does_not_outlast_the_fake(after_effect: bool) -> None:
    async with fake_telegram() as telegram, httpx.AsyncClient(timeout=STUCK) as client:
        telegram.hang("getMe", FOREVER, after_effect=after_effect)
        with pytest.raises(httpx.ReadTimeout):
            await client.get(f"{telegram.url}/bot{telegram.token}/getMe", timeout=IMPATIENT)
        await telegram.until(lambda: telegram.counts["getMe"])
        left = asyncio.create_task(
            client.get(f"{telegram.url}/bot{telegram.token}/getUpdates?timeout=50", timeout=STUCK)
        )
        await telegram.until(lambda: telegram.counts["getUpdates"])
    with pytest.raises(httpx.HTTPError):
        await left


def test_the_fake_in_its_own_thread_ends_with_whoever_hangs_on_it() -> None:
    with telegram_for_a_process() as telegram:
        telegram.hang("getMe", FOREVER)
        with pytest.raises(httpx.ReadTimeout):
            httpx.get(f"{telegram.url}/bot{telegram.token}/getMe", timeout=IMPATIENT)
        telegram.wait_until(lambda: telegram.counts["getMe"])


async def test_a_flood_is_refused_with_the_time_to_wait() -> None:
    now = 1_800_000_000.0
    async with fake_telegram(flood=True, clock=lambda: now) as telegram:
        ada = telegram.person(11, "Ada")
        team = telegram.group(-100500, "Team", members=[ada])
        ada.say("hello")
        async with Bot(telegram.token, f"{telegram.url}/bot", request=patient_request()) as bot:
            for number in range(20):
                await bot.send_message(team.id, f"{number}")
            with pytest.raises(RetryAfter) as refused:
                await bot.send_message(team.id, "one too many")
            assert refused.value.retry_after == timedelta(seconds=60)
            now += 60
            await bot.send_message(team.id, "welcome again")


async def test_a_bot_cannot_write_first_nor_to_whoever_blocked_it(telegram: FakeTelegram, bot: Bot) -> None:
    ada = telegram.person(11, "Ada")
    with pytest.raises(Forbidden, match="can't initiate conversation"):
        await bot.send_message(ada.id, "hello?")
    with pytest.raises(BadRequest, match=r"[Cc]hat not found"):
        await bot.send_message(99, "hello?")
    ada.say("hello")
    await bot.send_message(ada.id, "hello!")
    ada.block()
    with pytest.raises(Forbidden, match="blocked by the user"):
        await bot.send_message(ada.id, "still there?")

    changed = (await bot.get_updates())[-1].my_chat_member
    assert changed is not None
    assert changed.new_chat_member.status == "kicked"


def test_a_wait_in_vain_tells_what_happened_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "STUCK", 0)
    with telegram_for_a_process() as telegram:
        ada = telegram.person(11, "Ada")
        ada.say("is anybody there?")
        httpx.post(
            f"{telegram.url}/bot{telegram.token}/sendMessage", json={"chat_id": 99, "text": "who?"}, timeout=STUCK
        )

        with pytest.raises(AssertionError) as told:
            telegram.wait_until(ada.answers)

        assert "in 11 from Ada: 'is anybody there?'" in str(told.value)
        assert "sendMessage 400 Bad Request: chat not found" in str(told.value)
        assert "Unconfirmed updates: [1000]" in str(told.value)
