"""What counts as recalled in a turn: what was looked up, what the reply used, each once, and only its owner's own."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from db.queries.facts.facts import mark_recalled
from db.queries.facts.snapshots import pinned_facts
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.context.snapshot import pin_snapshot
from memory.facts import facts, recalling
from memory.facts.facts import FactDraft
from memory.facts.search import search
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.conftest import NOON, Converse
from tests.integration.bot.conftest import Conversation, Scripted
from tests.scripted_model import Calls, Says
from tests.waiting import STUCK

BOSS, TEA = "Alec is my boss", "I drink green tea every morning"


async def keep(conversation: Conversation, *contents: str) -> None:
    for content in contents:
        async with conversation.chat.runtime.memory.unit(conversation.chat.viewer) as unit:
            await facts.remember(unit, FactDraft(content, Category.OTHER), Approval.COMMAND)
    await conversation.chat.new_conversation()


async def counts(conversation: Conversation) -> dict[str, int]:
    return {row.words: row.recall_count for row in await conversation.facts()}


async def test_a_fact_that_the_reply_used_is_recalled_and_the_others_are_not(scripted: Scripted) -> None:
    async with scripted(Says(("Ask Alec, your boss.",))) as (conversation, _):
        await keep(conversation, BOSS, TEA)
        before = datetime.now(UTC)
        await conversation.say("Whom can I ask?")
        rows = {row.words: row for row in await conversation.facts()}

    assert (rows[BOSS].recall_count, rows[TEA].recall_count, rows[TEA].recalled_at) == (1, 0, None)
    recalled_at = rows[BOSS].recalled_at
    assert recalled_at is not None
    assert before <= recalled_at <= datetime.now(UTC)


async def test_what_the_person_said_themselves_is_not_recalled_by_repeating_it(scripted: Scripted) -> None:
    async with scripted(Says(("Yes, Alec is your boss.",))) as (conversation, _):
        await keep(conversation, BOSS)
        await conversation.say("Alec is my boss, you know")
        assert await counts(conversation) == {BOSS: 0}


async def test_a_fact_that_was_looked_up_and_used_counts_once(scripted: Scripted) -> None:
    search = Calls("search_memory", {"query": "boss"})
    async with scripted(search, search, Says(("Ask Alec, your boss.",))) as (conversation, _):
        await keep(conversation, BOSS, TEA)
        await conversation.say("Whom can I ask?")
        assert await counts(conversation) == {BOSS: 1, TEA: 0}


async def test_a_fact_that_was_looked_up_counts_though_the_reply_does_not_tell_it(scripted: Scripted) -> None:
    async with scripted(Calls("search_memory", {"query": "boss"}), Says(("Ask at work.",))) as (conversation, _):
        await keep(conversation, BOSS, TEA)
        await conversation.say("Whom can I ask?")
        assert await counts(conversation) == {BOSS: 1, TEA: 0}


async def test_a_private_conversation_marks_nothing(scripted: Scripted) -> None:
    async with scripted(Calls("search_memory", {"query": "boss"}), Says(("Alec, your boss.",))) as (conversation, _):
        await keep(conversation, BOSS)
        await conversation.chat.new_conversation(kept=False)
        await conversation.say("Whom can I ask?")
        assert await counts(conversation) == {BOSS: 0}


async def test_marking_takes_one_statement_and_none_where_nothing_was_recalled(scripted: Scripted) -> None:
    async with scripted(Says(("Fine.",)), Says(("Alec is your boss, and you drink green tea each morning.",))) as (
        conversation,
        _,
    ):
        await keep(conversation, BOSS, TEA)
        told: list[str] = []

        def note(_: Any, __: Any, statement: str, *___: Any) -> None:
            if statement.startswith("UPDATE facts"):
                told.append(statement)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            await conversation.say("How are you?")
            assert told == []
            await conversation.say("What do you know?")
            assert len(told) == 1
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        assert await counts(conversation) == {BOSS: 1, TEA: 1}


# The statement itself


@pytest.fixture
async def boss(memory: Memory, ada: Viewer) -> str:
    async with memory.unit(ada) as unit:
        return (await facts.remember(unit, FactDraft(BOSS, Category.PERSON), Approval.COMMAND)).row.id


async def count_of(memory: Memory, viewer: Viewer, fact_id: str) -> int:
    async with memory.unit(viewer, read_only=True) as unit:
        return (await facts.readable_fact(unit, fact_id)).recall_count


async def test_nobody_marks_what_is_somebody_elses(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    async with memory.unit(aloud(ada, space)) as unit:
        shared = (await facts.remember(unit, FactDraft(BOSS, Category.PERSON), Approval.COMMAND)).row
    for viewer in (replace(ben, space=space), aloud(ben, space)):
        async with memory.unit(viewer) as unit:
            assert (await facts.readable_fact(unit, shared.id)).words == BOSS
            await mark_recalled(unit.session, unit.viewer, [shared.id], unit.now)

    assert await count_of(memory, ada, shared.id) == 0


async def test_what_is_said_in_a_group_marks_nothing(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    async with memory.unit(aloud(ada, space)) as unit:
        shared = (await facts.remember(unit, FactDraft(BOSS, Category.PERSON), Approval.COMMAND)).row
        await recalling.mark_recalled(unit, [shared.id])
        assert (await facts.readable_fact(unit, shared.id)).recall_count == 0
    async with memory.unit(replace(ada, space=space)) as unit:
        await recalling.mark_recalled(unit, [shared.id])

    assert await count_of(memory, ada, shared.id) == 1


async def test_what_is_being_changed_is_left_out_and_nobody_waits(memory: Memory, ada: Viewer, boss: str) -> None:
    async with memory.unit(ada) as changing:
        await changing.session.execute(text("SELECT id FROM facts WHERE id = :f FOR UPDATE"), {"f": boss})
        async with memory.unit(ada, statement_timeout=timedelta(seconds=STUCK)) as unit:
            await mark_recalled(unit.session, unit.viewer, [boss], unit.now)

    assert await count_of(memory, ada, boss) == 0


async def test_an_older_recall_does_not_take_a_newer_one_back(memory: Memory, ada: Viewer, boss: str) -> None:
    async with memory.unit(ada) as unit:
        await mark_recalled(unit.session, unit.viewer, [boss], unit.now)
        await mark_recalled(unit.session, unit.viewer, [boss], unit.now - timedelta(days=1))
        row = await facts.readable_fact(unit, boss)

    assert (row.recall_count, row.recalled_at) == (2, unit.now)


async def test_a_conversation_begins_with_the_strongest_facts_and_the_rest_is_searched(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    async with memory.unit(ada, now=NOON - timedelta(days=400)) as unit:
        old = [
            (
                await facts.remember(unit, FactDraft(f"fact {number} {'é' * 480}", Category.OTHER), Approval.COMMAND)
            ).row.id
            for number in range(40)
        ]
    conversation = await start(ada)
    async with memory.unit(ada, now=NOON) as unit:
        await mark_recalled(unit.session, unit.viewer, old[30:], unit.now)
        await pin_snapshot(unit, conversation)
        shown = {row.id for row in await pinned_facts(unit.session, unit.viewer, conversation)}
        found = {row.id for number in range(40) for row in await search(unit, f"{number}", limit=1)}

    assert set(old[30:]) < shown < set(old) == found
