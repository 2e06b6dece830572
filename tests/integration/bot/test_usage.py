"""What model calls take is kept with the reply: one row a call, also of one that broke off, and no word in it."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import text

from db.queries.model.usage import usage_of_all
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.model.brain import AnswerStarted
from memory.model.prices import read_prices
from memory.model.usage import CallUsage, begin_call, keep_usage, usage_by_model
from memory.people import spaces
from memory.settings import Settings
from memory.unit import Memory
from tests.conftest import NOON, Converse
from tests.integration.bot.conftest import Conversation, Scripted
from tests.scripted_model import Calls, Fails, Says, Streams

COLUMNS = (
    "model, purpose, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, cost_microdollars,"
    " milliseconds, conversation_id"
)


async def kept(conversation: Conversation) -> list[dict[str, Any]]:
    found = await conversation.rows(f"SELECT row_to_json(u) FROM (SELECT {COLUMNS} FROM usage ORDER BY id) AS u")
    return [dict(row) for row in found]


async def test_every_round_of_a_turn_is_counted_with_its_cost(scripted: Scripted) -> None:
    async with scripted(Calls("search_memory", {"query": "boss"}), Says(("Nobody.",))) as (conversation, _):
        await conversation.say("Who is my boss?")
        rows = await kept(conversation)
        here = conversation.chat.conversation_id

    assert len(rows) == 2
    for row in rows:
        assert row.pop("milliseconds") >= 0
        assert row == {
            "model": "claude-sonnet-5-5",
            "purpose": "reply",
            "input_tokens": 10,
            "cache_read_tokens": 7,
            "cache_write_tokens": 0,
            "output_tokens": 5,
            "cost_microdollars": 107,
            "conversation_id": here,
        }


async def test_what_broke_off_is_counted_too(scripted: Scripted) -> None:
    async with scripted(Fails("disconnect"), Fails("truncated", words=""), Says(("ok",))) as (conversation, _):
        await conversation.say("hello")
        await conversation.say("hello?")
        rows = await kept(conversation)

    assert sorted((row["input_tokens"], row["output_tokens"]) for row in rows) == [(10, 1), (10, 1), (10, 5)]


async def test_what_broke_off_before_a_word_came_is_counted_though_there_is_nothing_else_to_keep(
    scripted: Scripted,
) -> None:
    async with scripted(Fails("invalid_request_error", words="")) as (conversation, _):
        _, said = await conversation.say("hello")
        [row] = await kept(conversation)

    assert (said.failed, row["input_tokens"]) == (True, 10)


async def test_a_call_whose_tokens_nobody_counted_costs_something_unknown(scripted: Scripted) -> None:
    events = ({"type": "message_start", "message": {}}, {"type": "message_stop"})
    async with scripted(Streams(events)) as (conversation, _):
        await conversation.say("hello")
        [row] = await kept(conversation)

    assert (row["input_tokens"], row["cost_microdollars"]) == (0, None)


async def test_the_owners_prices_count(scripted: Scripted) -> None:
    async with scripted(Says(("ok",))) as (conversation, _):
        priced = Settings.model_validate({"KEEPSAKE_PRICES": "claude-sonnet=100/0/0/0"})
        conversation.chat.runtime = replace(conversation.chat.runtime, settings=priced)
        await conversation.say("hello")
        [row] = await kept(conversation)

    assert row["cost_microdollars"] == 1000


async def test_the_offline_brain_costs_nothing_and_is_not_counted(offline: Conversation) -> None:
    await offline.say("hello")

    assert await kept(offline) == []


async def spend(memory: Memory, viewer: Viewer, conversation: str | None, model: str = "claude-haiku-5-5") -> None:
    spent: list[CallUsage] = []
    begin_call(
        spent, AnswerStarted(model, 0.0, {"input_tokens": 1000, "cache_read_input_tokens": 3000, "output_tokens": 100})
    )
    async with memory.unit(viewer, now=NOON) as unit:
        await keep_usage(unit, conversation, spent, read_prices(""))


async def test_a_person_sees_their_own_and_nobody_anothers(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    await spend(memory, ada, None)
    yesterday = NOON - timedelta(days=1)

    [row] = await usage_by_model(memory, ada, yesterday, own=True)
    assert (row.model, row.calls, row.input_tokens, row.cost_microdollars) == ("claude-haiku-5-5", 1, 1000, 1800)
    assert await usage_by_model(memory, ben, yesterday, own=True) == []
    assert await usage_by_model(memory, ada, NOON + timedelta(days=1), own=True) == []


async def test_the_deployment_knows_sums_and_nothing_else(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    for viewer, model in ((ada, "claude-haiku-5-5"), (ben, "claude-haiku-5-5"), (ben, "llama")):
        await spend(memory, viewer, None, model)
    told = await usage_by_model(memory, ada, NOON - timedelta(days=1), own=False)

    assert [(row.model, row.calls, row.cache_read_tokens, row.cost_microdollars, row.unpriced) for row in told] == [
        ("claude-haiku-5-5", 2, 6000, 3600, 0),
        ("llama", 1, 3000, None, 1),
    ]
    async with memory.database.transaction(ada, read_only=True) as session:
        assert await usage_of_all(session, NOON - timedelta(days=1)) == []
    elsewhere = Viewer.in_private("another", "test:ada")
    assert await usage_by_model(memory, elsewhere, NOON - timedelta(days=1), own=False) == []


async def test_what_is_spent_in_a_group_is_its_speakers(memory: Memory, ada: Viewer, start: Converse) -> None:
    async with memory.unit(ada) as unit:
        space = await spaces.create_space(unit, "Sailors")
    for calls, channel in enumerate((Channel.TEAM, Channel.PUBLIC), 1):
        group = Viewer(ada.tenant, ada.user, space, channel)
        await spend(memory, group, await start(group))

        [row] = await usage_by_model(memory, ada, NOON - timedelta(days=1), own=True)
        assert row.calls == calls
        async with memory.unit(replace(group, user=None), read_only=True) as unit:
            assert list((await unit.session.execute(text("SELECT id FROM usage"))).scalars()) == []


async def test_a_conversation_that_is_erased_leaves_what_it_cost(
    memory: Memory, ada: Viewer, start: Converse, superuser_url: str
) -> None:
    conversation = await start(ada)
    await spend(memory, ada, conversation)
    async with memory.unit(ada) as unit:
        await unit.session.execute(text("DELETE FROM conversations WHERE id = :c"), {"c": conversation})
    async with memory.unit(ada, read_only=True) as unit:
        [row] = (await unit.session.execute(text("SELECT row_to_json(u) FROM usage AS u"))).scalars()

    assert row["conversation_id"] is None
    assert "words" not in json.dumps(row)
