"""When Telegram or the model does not do its part: waited for, asked again, found another way, or told kindly."""

import asyncio

import pytest
from telegram.ext import _aioratelimiter as rate_limiter

from bot import texts
from memory.refusals import SENTENCES, Refusal
from tests.integration.bot.telegram.conftest import Bot, Running
from tests.scripted_model import Fails, Says, scripted_model
from tests.telegram import Person, fake_telegram
from tests.waiting import STUCK, eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is tried again is tried again at once."""
    monkeypatch.setattr("bot.telegram.sending.sender.RETRY_PAUSES", (0.01,) * 4)


class Clockwork:
    """The `asyncio` of one module, whose pauses are written down and not made."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)


def words_kept(bot: Bot, person: Person) -> list[str]:
    return [row["content"]["text"] for row in bot.of(person, "events", "seq") if row["actor_type"] == "human"]


async def test_retry_after_is_obeyed(scripted: Bot, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    clockwork = Clockwork()
    monkeypatch.setattr(rate_limiter, "asyncio", clockwork)
    scripted.telegram.fail("sendMessage", code=429, retry_after=40)
    [told] = await scripted.ask(ada, "hello")

    [pause] = clockwork.pauses
    assert 40 <= pause < 41
    assert told.text == "Very well."
    assert [call.code for call in scripted.telegram.calls_of("sendMessage")][-2:] == [429, 200]


async def test_a_server_in_trouble_and_dropped_connections_are_tried_again(scripted: Bot, ada: Person) -> None:
    scripted.telegram.fail("sendMessage", code=500)
    scripted.telegram.drop_connection("sendMessage")
    [told] = await scripted.ask(ada, "hello")

    assert told.text == "Very well."
    assert len(scripted.of(ada, "events")) == 2


async def test_formatting_that_is_refused_is_left_out_and_the_words_arrive(scripted: Bot, ada: Person) -> None:
    scripted.telegram.fail("sendMessage", code=400, description="Bad Request: can't parse entities: whatever")
    scripted.script[:] = [Says(("Some **bold** words",))]
    [told] = await scripted.ask(ada, "hello")

    assert (told.text, told.entities) == ("Some bold words", [])


async def test_buttons_that_are_refused_are_left_out_and_the_words_arrive(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "Alec plays the trombone in a marching band")
    await scripted.ask(ada, "/new")
    scripted.telegram.fail("sendMessage", code=400, description="Bad Request: BUTTON_DATA_INVALID")
    [told] = await scripted.ask(ada, "what does Alec play in the marching band?")

    assert (told.text, told.labels) == ("Very well.", [])


async def test_who_blocked_the_bot_is_given_up_quietly(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "hello")

    async def blocks(_: int) -> None:
        ada.block()

    scripted.script[:] = [Says(("Well.",), after=blocks)]
    said = ada.say("are you there?")
    await scripted.done(said)
    [row] = [row for row in scripted.of(ada, "inbox") if row["update_id"] == said.update_id]

    assert (row["state"], row["failures"]) == ("done", 0)
    assert words_kept(scripted, ada) == ["hello", "are you there?"]
    ada.unblock()
    [told] = await scripted.ask(ada, "and now?")
    assert told.text == "Very well."


async def test_a_page_that_is_gone_is_sent_anew(scripted: Bot, ada: Person) -> None:
    await scripted.ask(ada, "/space new Kitchen")
    [page] = await scripted.ask(ada, "/memory")
    ada.delete(page)
    before = len(ada.answers())
    await scripted.tap(ada, page, data=f"page|{ada.id}|0||")

    assert len(ada.answers()) == before + 1


async def test_a_button_pressed_twice_changes_nothing_the_second_time(scripted: Bot, ada: Person) -> None:
    [page] = await scripted.ask(ada, "/memory")
    for _ in range(2):
        await scripted.tap(ada, page, data=f"page|{ada.id}|0||")

    assert len(ada.answers()) == 1
    assert [row for row in scripted.of(ada, "inbox") if row["failures"]] == []


async def test_a_refusal_and_a_cut_answer_are_said_by_the_program(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Says(("",), stop_reason="refusal")]
    [refused] = await scripted.ask(ada, "do something bad")
    scripted.script[:] = [Says(("It begins",), stop_reason="max_tokens")]
    [cut] = await scripted.ask(ada, "tell me everything")

    assert refused.text == texts.MODEL_REFUSED
    assert cut.text == f"It begins\n\n{texts.REPLY_CUT_OFF}"


async def test_a_busy_model_is_asked_again(scripted: Bot, ada: Person) -> None:
    for status in ("429", "529", "500"):
        scripted.script[:] = [Fails(status, retry_after="0.01"), Says((f"Here I am after {status}.",))]
        [told] = await scripted.ask(ada, "hello")
        assert told.text == f"Here I am after {status}."


async def ensure_it_is_shown_as_far_as_it_came(bot: Bot, how: str) -> None:
    person = bot.person()
    bot.script[:] = [Fails(how)]
    [told] = await bot.ask(person, "hello")

    assert told.text.startswith("Half a sen\n\nI couldn't finish my answer:"), how
    assert told.text.endswith("Your message is saved."), how
    assert words_kept(bot, person) == ["hello"], how


async def test_an_answer_that_breaks_off_is_shown_as_far_as_it_came(scripted: Bot) -> None:
    for how in ("disconnect", "bad_chunk", "truncated"):
        await ensure_it_is_shown_as_far_as_it_came(scripted, how)


async def test_an_answer_in_the_middle_of_which_the_model_falls_silent_is_shown_too(begin: Running) -> None:
    async with begin(scripted=True, silence=1.0) as bot:
        await ensure_it_is_shown_as_far_as_it_came(bot, "stall")


async def test_a_model_that_is_down_for_good_is_told_kindly_after_the_deadline(
    begin: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked again until the next pause would be longer than the deadline. The next message finds it again."""
    monkeypatch.setattr("memory.model.claude.retry.backoff", lambda attempt: 0.01 if attempt < 2 else 2 * STUCK)
    async with fake_telegram() as telegram, scripted_model() as model:
        how = {"telegram": telegram, "model": model, "scripted": True}
        async with begin(**how) as bot:
            ada = bot.person()
            model.always = lambda _: Fails("529")
            [told] = await bot.ask(ada, "hello")

            assert len(model.requests) == 3
            assert told.text == texts.MODEL_AWAY.format(why=SENTENCES[Refusal.MODEL_BUSY])
            assert words_kept(bot, ada) == ["hello"]
        model.always = None
        async with begin(**how, tenant=bot.tenant) as again:
            [next_one] = await again.ask(ada, "and now?")
            assert next_one.text == "Very well."


async def test_a_model_that_wants_to_be_left_alone_for_an_hour_is_not_waited_for(scripted: Bot, ada: Person) -> None:
    assert scripted.model
    before = len(scripted.model.requests)
    scripted.script[:] = [Fails("429", retry_after="3600")]
    [told] = await scripted.ask(ada, "hello")

    assert len(scripted.model.requests) == before + 1
    assert told.text.startswith("I couldn't finish my answer:")
    [next_one] = await scripted.ask(ada, "and now?")
    assert next_one.text == "Very well."


@pytest.mark.slow
async def test_a_cut_line_to_telegram_is_taken_up_again(scripted: Bot, ada: Person) -> None:
    """Two polls are cut off and one is refused; what is said meanwhile is answered."""
    polls = len(scripted.telegram.calls_of("getUpdates"))
    scripted.telegram.drop_connection("getUpdates", times=2)
    scripted.telegram.fail("getUpdates", code=502)
    await scripted.ask(ada, "hello")
    await eventually(lambda: len(scripted.telegram.calls_of("getUpdates")) >= polls + 4)
    [told] = await scripted.ask(ada, "hello")

    assert told.text == "Very well."
