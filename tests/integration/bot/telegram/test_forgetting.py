"""/forget in Telegram: what is named, or everything, asked twice by words or by buttons; then nothing is left."""

import psycopg
import pytest
from psycopg.rows import dict_row

from bot import texts
from tests.integration.bot.telegram.conftest import Bot, of
from tests.telegram import Person
from tests.waiting import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")


def left_of(bot: Bot, person: Person) -> set[str]:
    """Where the number of a person, or a word that only they say, still stands."""
    return bot.holding(of(person)) | bot.holding(f"canary{person.id}")


async def live(bot: Bot, person: Person) -> None:
    """Something of everything that a person leaves behind."""
    await bot.ask(person, f"remember that my bird is called canary{person.id}")
    await bot.ask(person, f"my canary{person.id} sings, and I love tea")
    await bot.ask(person, "what is my bird called?")
    await bot.ask(person, person.send_document("bird.txt", f"canary{person.id}".encode()))
    await bot.ask(person, person.forward(f"canary{person.id}"))
    assert {"events", "inbox", "posts", "facts"} <= left_of(bot, person)


async def until_gone(bot: Bot, person: Person) -> None:
    """The row of the last update goes with its sender, so only the answer tells that it is over."""
    await eventually(lambda: texts.FORGET_ALL_DONE in [each.text for each in person.answers()])


async def forget_everything(bot: Bot, person: Person) -> None:
    for words in ("everything", "yes", "yes, everything"):
        await bot.ask(person, f"/forget {words}")
    await until_gone(bot, person)


async def test_everything_is_gone_after_two_questions_answered_by_words(offline: Bot, ada: Person) -> None:
    await live(offline, ada)
    [first] = await offline.ask(ada, "/forget everything")
    [second] = await offline.ask(ada, "/forget yes")
    await offline.ask(ada, "/forget yes, everything")
    await until_gone(offline, ada)

    assert [first.text, second.text] == [texts.FORGET_ALL_FIRST, texts.FORGET_ALL_SECOND]
    assert left_of(offline, ada) == set()


async def test_everything_is_gone_after_two_questions_answered_by_buttons(offline: Bot, ada: Person) -> None:
    await live(offline, ada)
    [asked] = await offline.ask(ada, "/forget everything")
    await offline.tap(ada, asked, texts.BUTTON_FORGET)
    assert offline.now(asked).text == texts.FORGET_ALL_SECOND
    assert offline.facts(ada) != []
    ada.tap(offline.now(asked), texts.BUTTON_FORGET)
    await until_gone(offline, ada)

    assert (offline.now(asked).text, offline.now(asked).labels) == (texts.FORGET_ALL_DONE, [])
    assert left_of(offline, ada) == set()


async def test_a_message_in_between_takes_the_questions_back(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, "remember that Alec is my boss")
    [asked] = await offline.ask(ada, "/forget everything")
    await offline.tap(ada, asked, texts.BUTTON_FORGET)
    data = [data for row in offline.now(asked).buttons for _, data in row]
    await offline.ask(ada, "hello")

    assert await offline.tap(ada, asked, data=data[0]) == texts.BUTTON_OLD
    [told] = await offline.ask(ada, "/forget yes, everything")
    assert told.text == texts.FORGET_HELP
    assert offline.facts(ada) == ["Alec is my boss"]


async def test_an_old_button_erases_nobody(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, "remember that Alec is my boss")
    [asked] = await offline.ask(ada, "/forget everything")
    await offline.tap(ada, asked, texts.BUTTON_FORGET)
    second = [data for row in offline.now(asked).buttons for _, data in row]
    await offline.ask(ada, "/memory")

    assert await offline.tap(ada, asked, data=second[0]) == texts.BUTTON_OLD
    assert await offline.tap(ada, asked, data=second[0]) == texts.BUTTON_OLD
    assert offline.facts(ada) == ["Alec is my boss"]


async def test_a_yes_that_nobody_asked_for_erases_nothing(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, "remember that Alec is my boss")
    for words in ("yes", "yes, everything", "YES", "everything yes"):
        [told] = await offline.ask(ada, f"/forget {words}")

        assert told.text == texts.FORGET_HELP, words
        assert offline.facts(ada) == ["Alec is my boss"], words


async def test_what_is_named_is_gone_for_good_and_the_rest_stays(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, f"remember that Alec is my boss and says xylo{ada.id}")
    await offline.ask(ada, "remember that Berta is my sister")
    [told] = await offline.ask(ada, "/forget about Alec")

    assert told.text.startswith("Gone for good: 1 memory.")
    assert offline.facts(ada) == ["Berta is my sister"]
    assert offline.holding(f"xylo{ada.id}") == set()


async def test_what_there_is_nothing_of_is_said_so(offline: Bot, ada: Person) -> None:
    for target in ("attribute location", "topic tea", "summary", "from 2020-01-01 to 2020-01-31"):
        [told] = await offline.ask(ada, f"/forget {target}")

        assert told.text == "I found nothing like that to forget.", target


async def test_a_time_is_forgotten_with_what_was_said_in_it(offline: Bot, ada: Person) -> None:
    await offline.ask(ada, f"remember that Alec says xylo{ada.id}")
    [told] = await offline.ask(ada, "/forget from 2020-01-01 to 2099-01-01")

    assert "message" in told.text
    assert offline.facts(ada) == []
    assert offline.holding(f"xylo{ada.id}") == set()


async def test_who_was_forgotten_is_a_stranger_when_they_come_back(offline: Bot, ada: Person) -> None:
    await live(offline, ada)
    await forget_everything(offline, ada)
    [told] = await offline.ask(ada, "/memory")
    [asked] = await offline.ask(ada, "what is my bird called?")

    assert told.text == texts.MEMORY_LIST_EMPTY
    assert "canary" not in asked.text
    assert of(ada) in {row["id"] for row in offline.rows("SELECT id FROM users WHERE {mine}")}


@pytest.mark.slow
async def test_nothing_of_others_goes_with_one_who_is_forgotten(offline: Bot, ada: Person) -> None:
    ben = offline.person("Ben")
    await live(offline, ben)
    with psycopg.connect(offline.admin.info.dsn, row_factory=dict_row) as admin:
        count = "SELECT count(*) AS n FROM events WHERE user_id = %s"
        before = admin.execute(count, (of(ben),)).fetchone()
        await live(offline, ada)
        await forget_everything(offline, ada)
        assert admin.execute(count, (of(ben),)).fetchone() == before
    assert offline.facts(ben) == [f"my bird is called canary{ben.id}"]
