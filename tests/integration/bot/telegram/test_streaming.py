"""How an answer looks while it is made and when it stands there: typing, drafts, formatting, length."""

from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.integration.bot.telegram.conftest import Bot, Running
from tests.scripted_model import Says
from tests.telegram import Person
from tests.telegram.entities import cut, units
from tests.waiting import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

SENTENCE = "This is one of the sentences of which a long answer is made, and it goes on. "


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What there is of an answer is shown as soon as it is there."""
    for name in ("INITIAL_DELAY", "DRAFT_INTERVAL", "EDIT_INTERVAL"):
        monkeypatch.setattr(f"bot.telegram.sending.preview.{name}", 0.01)
    monkeypatch.setattr("bot.telegram.sending.sender.PREVIEWS_PER_SECOND", 1000)


def drafted(bot: Bot, person: Person) -> Callable[[int], Awaitable[object]]:
    """Until so many sentences of an answer were shown as a draft."""
    return lambda sentences: eventually(
        lambda: any(draft.text.count(SENTENCE.strip()) == sentences for draft in bot.telegram.drafts(person.id))
    )


@pytest.mark.usefixtures("soon")
async def test_typing_is_shown_while_a_slow_model_thinks(scripted: Bot, ada: Person) -> None:
    async def thinks(_: dict[str, Any]) -> Says:
        await eventually(lambda: ada.id in scripted.telegram.chats and "typing" in scripted.telegram.actions(ada.id))
        return Says(("At last.",))

    assert scripted.model
    scripted.model.ponders = thinks
    [told] = await scripted.ask(ada, "hello")
    scripted.model.ponders = None

    assert told.text == "At last."


@pytest.mark.usefixtures("soon")
async def test_drafts_grow_in_the_private_chat_and_one_message_is_the_answer(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Says((SENTENCE,) * 4, after=drafted(scripted, ada))]
    [told] = await scripted.ask(ada, "hello")
    drafts = scripted.telegram.drafts(ada.id)

    assert len({draft.draft_id for draft in drafts}) == 1
    assert all(later.text.startswith(earlier.text) for earlier, later in pairwise(drafts))
    assert len(drafts[0].text) < len(drafts[-1].text)
    assert told.text == (SENTENCE * 4).strip()
    assert told.edits == []


@pytest.mark.usefixtures("soon")
async def test_one_refused_draft_does_not_end_drafts_for_everybody(scripted: Bot, ada: Person) -> None:
    async def was_refused(_: int) -> None:
        await eventually(lambda: [call for call in scripted.telegram.calls_of("sendMessageDraft") if call.code == 400])

    scripted.telegram.fail("sendMessageDraft", code=400, description="Bad Request: TEXTDRAFT_PEER_INVALID")
    scripted.script[:] = [Says((SENTENCE,), after=was_refused)]
    await scripted.ask(ada, "hello")
    ben = scripted.person("Ben")
    scripted.script[:] = [Says((SENTENCE,) * 2, after=drafted(scripted, ben))]
    await scripted.ask(ben, "hello")

    assert scripted.telegram.drafts(ben.id) != []


@pytest.mark.usefixtures("soon")
async def test_without_drafts_a_message_grows_and_becomes_the_answer(begin: Running) -> None:
    async with begin(scripted=True) as bot:
        bot.telegram.forget_method("sendMessageDraft")
        ada = bot.person()

        async def shown(sentences: int) -> None:
            await eventually(lambda: [m for m in ada.answers() if m.text.count(SENTENCE.strip()) == sentences])

        bot.script[:] = [Says((f"**Well.** {SENTENCE}", *(SENTENCE,) * 3), after=shown)]
        [told] = await bot.ask(ada, "hello")

        assert told.text == f"Well. {SENTENCE * 4}".strip()
        assert told.edits
        assert told.entities[0]["type"] == "bold"
        assert len(bot.telegram.calls_of("sendMessage")) == 1


@pytest.mark.usefixtures("soon")
async def test_a_preview_that_is_on_its_way_becomes_the_answer_too(begin: Running) -> None:
    """The model has said all of it before the message that shows its beginning has arrived."""
    async with begin(scripted=True) as bot:
        bot.telegram.forget_method("sendMessageDraft")
        ada = bot.person()

        async def on_its_way(_: int) -> None:
            await eventually(lambda: bot.telegram.calls_of("sendMessage"))

        bot.telegram.hang("sendMessage", 1.0)
        bot.script[:] = [Says((SENTENCE, SENTENCE), after=on_its_way)]
        [slow] = await bot.ask(ada, "hello again")
        assert slow.text == (SENTENCE * 2).strip()
        assert len(bot.telegram.calls_of("sendMessage")) == 1


async def test_markdown_becomes_formatting(scripted: Bot, ada: Person) -> None:
    text = "# Head\n\nSome **bold 😀** and `code` and [a link](https://example.org/).\n\n```python\nx = 1\n```\n"
    scripted.script[:] = [Says((text,))]
    [told] = await scripted.ask(ada, "hello")

    marked = {each["type"]: cut(told.text, each["offset"], each["length"]).strip() for each in told.entities}
    assert marked["code"] == "code"
    assert marked["pre"] == "x = 1"
    assert marked["text_link"] == "a link"
    assert "bold 😀" in {cut(told.text, e["offset"], e["length"]) for e in told.entities if e["type"] == "bold"}
    assert "**" not in told.text
    assert scripted.telegram.calls_of("sendMessage")[-1].code == 200


NASTY = (
    "<b>not bold</b> & <script>alert(1)</script>",
    "*unclosed _and `nested",
    "```\nunclosed code",
    "[link](javascript:alert(1)) ![picture](x)",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "1. one\n   - two\n      - three\n> quoted\n>> twice",
    "____ **** ```` ~~~~ ||||",
    "ends in code ```x```\n\n\n",
    "\u202eright to left\u202c and \u200bzero width",
    "half a character \ud83d and \ude00 apart, and a \0 zero",
    "$$x^2$$ \\(y\\) \\[z\\]",
)


async def test_no_formatting_however_odd_is_refused_or_lost(scripted: Bot, ada: Person) -> None:
    refused = {}
    for text in NASTY:
        before = len(scripted.telegram.calls_of("sendMessage"))
        scripted.script[:] = [Says((text,))]
        [told] = await scripted.ask(ada, "hello")
        tries = scripted.telegram.calls_of("sendMessage")[before:]
        if [call.code for call in tries] != [200] or not told.text:
            refused[text] = [call.error for call in tries]
    assert refused == {}
    assert [row for row in scripted.of(ada, "inbox") if row["failures"]] == []


async def test_a_long_reply_is_split_and_nothing_of_it_is_lost(scripted: Bot, ada: Person) -> None:
    words = " ".join(f"word{n:04}" for n in range(1100))
    scripted.script[:] = [Says((words,))]
    parts = await scripted.ask(ada, "hello")

    assert len(words) > 9_800
    assert len(parts) == 3
    assert max(units(part.text) for part in parts) <= 4096
    assert "".join("".join(part.text for part in parts).split()) == "".join(words.split())


async def test_five_thousand_emoji_are_split_between_and_not_inside_of_them(scripted: Bot, ada: Person) -> None:
    scripted.script[:] = [Says(("😀" * 2500, "🎉" * 2500))]
    parts = await scripted.ask(ada, "hello")

    assert max(units(part.text) for part in parts) <= 4096
    assert "".join(part.text for part in parts) == "😀" * 2500 + "🎉" * 2500


async def test_formatting_across_a_split_holds_in_both_parts(scripted: Bot, ada: Person) -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(500))
    scripted.script[:] = [Says((f"Look:\n```python\n{code}\n```",))]
    parts = await scripted.ask(ada, "hello")

    assert len(parts) > 1
    assert all(any(each["type"] == "pre" for each in part.entities) for part in parts)
    assert all(f"line_{n} = {n}" in "\n".join(part.text for part in parts) for n in range(500))


async def test_a_reply_without_a_word_is_answered_with_one(scripted: Bot, ada: Person) -> None:
    for text in ("", "  \n ", "\u200b"):
        scripted.script[:] = [Says((text,))]
        assert len(await scripted.ask(ada, "hello")) == 1
