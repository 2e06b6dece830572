"""What a person is told beside an answer, and what comes by itself: receipts, cards that wait, reminders."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from bot import texts
from bot.telegram.client import connect_bot
from bot.telegram.reminders import send_reminders
from bot.telegram.sending.sender import TelegramSender
from db.viewer import Viewer
from db.vocabulary import Approval, Attribute, Category, ProposalKind
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt
from memory.turn import background_notices
from memory.unit import Unit
from tests.integration.bot.telegram.conftest import Bot, of
from tests.scripted_model import Says
from tests.telegram import Person

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def as_owner(bot: Bot, person: Person) -> Viewer:
    bot.script[:] = [Says(("Hello.",))]
    await bot.ask(person, "hello")
    return Viewer.in_private(bot.runtime.settings.tenant, of(person))


async def kept(unit: Unit, words: str, **more: object) -> Receipt:
    return await facts.remember(unit, FactDraft(words, Category.OTHER, **more), Approval.AUTO, separate=True)  # type: ignore[arg-type]


@asynccontextmanager
async def another_process(bot: Bot) -> AsyncIterator[TelegramSender]:
    async with connect_bot(bot.runtime.settings) as client:
        yield TelegramSender(client)


async def test_what_was_stored_meanwhile_comes_with_the_next_answer_and_can_be_undone(
    scripted: Bot, ada: Person
) -> None:
    owner = await as_owner(scripted, ada)
    async with scripted.runtime.memory.unit(owner) as unit:
        await background_notices.add_receipt(unit, await kept(unit, "I have been vegan since 2019"))
    scripted.script[:] = [Says(("Lima.",)), Says(("Quito.",))]
    [reply] = await scripted.ask(ada, "What is the capital of Peru?")
    assert "I have been vegan since 2019" in reply.text
    assert texts.BUTTON_UNDO in reply.labels

    await scripted.tap(ada, reply, texts.BUTTON_UNDO)
    assert scripted.facts(ada) == []
    [next_one] = await scripted.ask(ada, "And of Ecuador?")
    assert "vegan" not in next_one.text


async def test_cards_that_were_made_meanwhile_are_told_once_in_a_line(scripted: Bot, ada: Person) -> None:
    owner = await as_owner(scripted, ada)
    async with scripted.runtime.memory.unit(owner) as unit:
        card = await proposals.propose(unit, ProposalKind.ADD, FactDraft("I play the cello", Category.HOBBY))
        await background_notices.add_cards(unit, "ext_1", [card.row.id])
    scripted.script[:] = [Says(("Lima.",)), Says(("Quito.",))]
    [reply] = await scripted.ask(ada, "What is the capital of Peru?")
    [next_one] = await scripted.ask(ada, "And of Ecuador?")

    assert texts.CARDS_WAIT.format(count=1) in reply.text
    assert texts.CARDS_WAIT.format(count=1) not in next_one.text
    listed = await scripted.ask(ada, "/memory")
    assert any("I play the cello" in each.text for each in listed)


async def test_a_reminder_comes_by_itself_once_however_many_processes_bring_it(scripted: Bot, ada: Person) -> None:
    owner = await as_owner(scripted, ada)
    [answer] = await scripted.ask(ada, "/memory remind on")
    assert answer.text == texts.REMINDERS_ON
    now = datetime.now(UTC)
    async with scripted.runtime.memory.unit(owner) as unit:
        receipt = await kept(unit, "my wife's birthday is on March 15", attribute=Attribute.IMPORTANT_DATE)
        assert await background_notices.add_reminder(unit, receipt.row.id, "2027-03-15", now)
    before = len(ada.answers())
    async with another_process(scripted) as sender:
        sent = [await send_reminders(scripted.runtime, sender, now + timedelta(seconds=each)) for each in (1, 2, 3)]

    assert sent == [1, 0, 0]
    assert [each.text for each in ada.answers()[before:]] == ["Today: my wife's birthday is on March 15"]


async def test_who_blocked_the_bot_is_not_asked_again(scripted: Bot, ada: Person) -> None:
    owner = await as_owner(scripted, ada)
    await scripted.ask(ada, "/memory remind on")
    now = datetime.now(UTC)
    async with scripted.runtime.memory.unit(owner) as unit:
        receipt = await kept(unit, "the exam is on May 5", attribute=Attribute.IMPORTANT_DATE)
        await background_notices.add_reminder(unit, receipt.row.id, "2027-05-05", now)
    ada.block()
    async with another_process(scripted) as sender:
        sent = [await send_reminders(scripted.runtime, sender, now + timedelta(hours=each)) for each in (1, 2)]

    assert sent == [0, 0]
    told = scripted.rows("SELECT told_at FROM notices WHERE user_id = %(user)s", user=of(ada))
    assert [row["told_at"] is not None for row in told] == [True]


async def test_remind_takes_on_and_off_and_nothing_else(scripted: Bot, ada: Person) -> None:
    await as_owner(scripted, ada)

    assert (await scripted.ask(ada, "/memory remind"))[0].text == texts.REMINDERS_OFF
    assert (await scripted.ask(ada, "/memory remind on"))[0].text == texts.REMINDERS_ON
    assert (await scripted.ask(ada, "/memory remind off"))[0].text == texts.REMINDERS_OFF
    assert "/memory remind on or off" in (await scripted.ask(ada, "/memory remind perhaps"))[0].text
