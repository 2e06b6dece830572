"""When Telegram or the model does not do its part: waited for, asked again, found another way, or told kindly."""

import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot import texts
from tests.integration.bot.telegram.conftest import Bot, Running
from tests.scripted_model import Fails, Says
from tests.telegram import Person

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def scripted(begin: Running) -> AsyncIterator[Bot]:
    """A model that has two seconds for an answer."""
    async with begin(scripted=True, KEEPSAKE_MODEL_SECONDS="2") as bot:
        yield bot


def words_kept(bot: Bot, person: Person) -> list[str]:
    return [row["content"]["text"] for row in bot.of(person, "events", "seq") if row["actor_type"] == "human"]


async def test_retry_after_is_obeyed(scripted: Bot, ada: Person) -> None:
    scripted.telegram.fail("sendMessage", code=429, retry_after=1)
    begun = time.monotonic()
    [told] = await scripted.ask(ada, "hello")

    assert time.monotonic() - begun >= 1
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
    scripted.script[:] = [Says(("Well", "."), pause=0.3)]
    said = ada.say("are you there?")
    ada.block()
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
    assert scripted.rows("SELECT * FROM inbox WHERE {mine} AND failures > 0") == []


async def test_a_refusal_and_a_cut_answer_are_said_by_the_program(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Says(("",), stop_reason="refusal")]
    [refused] = await scripted.ask(ada, "do something bad")
    scripted.script[:] = [Says(("It begins",), stop_reason="max_tokens")]
    [cut] = await scripted.ask(ada, "tell me everything")

    assert refused.text == texts.REFUSED
    assert cut.text == f"It begins\n\n{texts.CUT_OFF}"


@pytest.mark.parametrize("status", ["429", "529", "500"])
async def test_a_busy_model_is_asked_again(scripted: Bot, ada: Person, status: str) -> None:
    scripted.script[:] = [Fails(status, retry_after="0.1"), Says(("Here I am.",))]
    [told] = await scripted.ask(ada, "hello")

    assert told.text == "Here I am."


@pytest.mark.parametrize("how", ["disconnect", "stall", "bad_chunk", "truncated"])
async def test_an_answer_that_breaks_off_is_shown_as_far_as_it_came(scripted: Bot, ada: Person, how: str) -> None:
    scripted.script[:] = [Fails(how)]
    [told] = await scripted.ask(ada, "hello")

    assert told.text.startswith("Half a sen\n\nI could not finish my answer:")
    assert told.text.endswith("Your message is kept.")
    assert words_kept(scripted, ada) == ["hello"]


async def test_a_model_that_is_down_for_good_is_told_kindly_after_the_deadline(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Fails("529") for _ in range(20)]
    begun = time.monotonic()
    [told] = await scripted.ask(ada, "hello")
    scripted.script.clear()

    assert time.monotonic() - begun < 5
    assert told.text == texts.MODEL_AWAY.format(why="The model is busy just now; please try again in a moment.")
    assert words_kept(scripted, ada) == ["hello"]
    [next_one] = await scripted.ask(ada, "and now?")
    assert next_one.text == "Very well."


async def test_a_model_that_wants_to_be_left_alone_for_an_hour_is_not_waited_for(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Fails("429", retry_after="3600")]
    begun = time.monotonic()
    [told] = await scripted.ask(ada, "hello")

    assert time.monotonic() - begun < 5
    assert told.text.startswith("I could not finish my answer:")


async def test_a_cut_line_to_telegram_is_taken_up_again(scripted: Bot, ada: Person) -> None:
    scripted.telegram.drop_connection("getUpdates", times=2)
    scripted.telegram.fail("getUpdates", code=502)
    await scripted.ask(ada, "hello")
    [told] = await scripted.ask(ada, "hello")

    assert told.text == "Very well."
