"""Who may talk to the bot: everybody, which is said loudly, or those who are named."""

import pytest

from bot import texts
from tests.integration.bot.telegram.conftest import Bot, Running, of
from tests.telegram import Person
from tests.waiting import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_start_that_lets_everybody_in_says_so_loudly(offline: Bot) -> None:
    assert texts.BOT_OPEN_TO_ALL in offline.told
    assert "ANYONE" in texts.BOT_OPEN_TO_ALL


async def test_strangers_get_one_polite_line_and_leave_only_a_number(begin: Running) -> None:
    async with begin(KEEPSAKE_ALLOWED_USERS="42,@Ada_L") as bot:
        by_number = bot.telegram.person(42, "Ben")
        by_name = bot.person("Ada", username="ada_l")
        stranger = bot.person(f"Mallory{42}", username="mallory_l")
        other = bot.person("Eve", language="de")

        assert texts.BOT_OPEN_TO_ALL not in bot.told
        assert (await bot.ask(by_number, "hello"))[0].text == texts.OFFLINE.greeting
        assert (await bot.ask(by_name, "hello"))[0].text == texts.OFFLINE.greeting

        last = None
        for words in (f"my canary{stranger.id} sings", "/start", "/memory", "please!"):
            last = stranger.say(words)
            await bot.done(last)
        await bot.done(stranger.send_document("a.txt", b"words"))
        await eventually(lambda: stranger.answers())
        await bot.ask(by_number, "hello")
        assert [each.text for each in stranger.answers()] == [texts.STRANGER]
        left = [bot.holding(words) for words in (of(stranger), f"canary{stranger.id}", "Mallory42", "mallory_l")]
        assert left == [set()] * 4
        assert last
        [row] = bot.rows("SELECT * FROM inbox WHERE {mine} AND update_id = %(id)s", id=last.update_id)
        assert (row["user_id"], row["chat_id"], row["payload"], row["answer"]) == ("nobody", "", None, None)

        other.say("hallo")
        await eventually(lambda: other.answers())

        taken: Person = by_name
        [page] = await bot.ask(taken, "/memory")
        await bot.done(stranger.tap(page, data=f"page|{taken.id}|0|"))
        assert bot.holding(of(stranger)) == set()


async def test_a_stranger_who_has_no_name_is_not_let_in_by_any(begin: Running) -> None:
    async with begin(KEEPSAKE_ALLOWED_USERS="@None5,@ada_l") as bot:
        nameless = bot.person("Nameless")
        await bot.done(nameless.say("hello"))
        await eventually(lambda: nameless.answers())

        assert [each.text for each in nameless.answers()] == [texts.STRANGER]
        assert bot.of(nameless, "events") == []
