"""/why and its button: the facts and old messages behind a reply, each with its date."""

import pytest

from bot import texts
from tests.integration.bot.telegram.conftest import Bot
from tests.scripted_model import Calls, Says
from tests.telegram import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def recalled(bot: Bot, person: Person) -> None:
    """A fact and an old message that the next question is about."""
    wish = {"content": "Alec is my boss", "category": "person", "subject": "Alec"}
    bot.script[:] = [Calls("add_to_memory", wish), Says(("Ok.",))]
    await bot.ask(person, "remember that Alec is my boss")
    await bot.ask(person, "Alec plays the trombone in a marching band")
    await bot.ask(person, "/new")


async def test_facts_and_old_messages_are_told_with_their_dates(scripted: Bot, ada: Person) -> None:
    await recalled(scripted, ada)
    [reply] = await scripted.ask(ada, "what does Alec play in the marching band?")
    [fact] = scripted.of(ada, "facts")
    [said] = [row for row in scripted.of(ada, "events") if "trombone" in str(row["content"].get("text"))]

    assert reply.labels == [texts.BUTTON_WHY]
    await scripted.tap(ada, reply, texts.BUTTON_WHY)
    by_button = ada.answers()[-1]
    [by_command] = await scripted.ask(ada, "/why")
    assert by_button.text == by_command.text
    assert f"Alec is my boss ({fact['created_at']:%Y-%m-%d})" in by_button.text
    assert f"{said['ts']:%Y-%m-%d}, you: “Alec plays the trombone in a marching band”" in by_button.text


async def test_a_reply_that_rests_on_nothing_says_so_and_has_no_button(scripted: Bot, ada: Person) -> None:
    [reply] = await scripted.ask(ada, "hello")
    [told] = await scripted.ask(ada, "/why")

    assert reply.labels == []
    assert told.text == texts.WHY_ONLY_CONVERSATION


async def test_why_in_answer_to_an_older_reply_explains_that_one(scripted: Bot, ada: Person) -> None:
    await recalled(scripted, ada)
    [old] = await scripted.ask(ada, "what does Alec play in the marching band?")
    await scripted.ask(ada, "/new")
    await scripted.ask(ada, "good morning")
    [told] = await scripted.ask(ada, "/why", reply_to=old)

    assert "trombone" in told.text
    [nothing] = await scripted.ask(ada, "/why", reply_to=told)
    assert nothing.text == texts.WHY_NO_REPLY


async def test_an_old_reply_is_explained_from_a_private_conversation_too(scripted: Bot, ada: Person) -> None:
    await recalled(scripted, ada)
    [old] = await scripted.ask(ada, "what does Alec play in the marching band?")
    await scripted.ask(ada, "/private")
    await scripted.tap(ada, old, texts.BUTTON_WHY)

    assert "trombone" in ada.answers()[-1].text


async def test_what_was_forgotten_since_is_not_told_again(scripted: Bot, ada: Person) -> None:
    await recalled(scripted, ada)
    [reply] = await scripted.ask(ada, "what does Alec play in the marching band?")
    await scripted.ask(ada, "/forget about Alec")
    await scripted.tap(ada, reply, texts.BUTTON_WHY)
    assert "my boss" not in ada.answers()[-1].text

    await scripted.ask(ada, "/forget from 2020-01-01 to 2099-01-01")
    await scripted.tap(ada, reply, texts.BUTTON_WHY)
    assert ada.answers()[-1].text == texts.WHY_NO_REPLY


async def test_before_anything_was_said_there_is_nothing_to_explain(scripted: Bot, ada: Person) -> None:
    [told] = await scripted.ask(ada, "/why")

    assert told.text == texts.WHY_NO_REPLY
