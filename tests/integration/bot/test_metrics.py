"""A turn over a scripted model is counted, served over HTTP, and nothing of what was said is in it."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import httpx
import pytest
from sqlalchemy import text

from db.engine import Database
from db.queries.events.inbox import add_update
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import Scheduler
from memory.metrics import serve
from memory.unit import Memory
from tests.e2e.program import free_port
from tests.integration.bot.conftest import Conversation, Scripted
from tests.scripted_model import Calls, Fails, Says
from tests.waiting import STUCK, eventually_async


@asynccontextmanager
async def served(conversation: Conversation) -> AsyncIterator[httpx.AsyncClient]:
    """The house of this conversation, with metrics asked for."""
    chat, listen = conversation.chat, f"127.0.0.1:{free_port()}"
    asked = {"metrics_listen": listen, "tenant": chat.viewer.tenant}
    chat.runtime = replace(chat.runtime, settings=chat.runtime.settings.model_copy(update=asked))
    async with (
        serve(chat.runtime.metrics, listen),
        httpx.AsyncClient(base_url=f"http://{listen}", timeout=STUCK) as client,
    ):
        yield client


def passes(conversation: Conversation) -> Passes:
    runtime = conversation.chat.runtime
    return Passes(Jobs(runtime.memory, runtime.settings, None, FactSimilarity(None), runtime.metrics))


async def told(client: httpx.AsyncClient) -> dict[str, float]:
    found = await client.get("/metrics")
    samples = re.findall(r"^(keepsake_[^ #]+(?:\{.*\})?) (\S+)$", found.text, re.M)
    return {name: float(value) for name, value in samples if "_created" not in name}


async def test_a_turn_is_counted_with_its_recall_and_its_tokens(scripted: Scripted) -> None:
    script = Calls("search_memory", {"query": "boss"}), Says(("Nobody.",)), Says(("Half",), "max_tokens")
    async with scripted(*script) as (conversation, _), served(conversation) as client:
        await conversation.say("Who is my boss?")
        await conversation.say("And who is my landlord?")
        found = await told(client)

    assert found['keepsake_turns_total{outcome="answered"}'] == 1
    assert found['keepsake_turns_total{outcome="cut_off"}'] == 1
    assert found['keepsake_recall_seconds_count{how="words_alone"}'] == 2
    assert found['keepsake_tokens_total{kind="sent",purpose="reply"}'] == 30
    assert found['keepsake_tokens_total{kind="cache_read",purpose="reply"}'] == 21
    assert found['keepsake_tokens_total{kind="cache_write",purpose="reply"}'] == 0
    assert found['keepsake_tokens_total{kind="answered",purpose="reply"}'] == 15
    assert found['keepsake_cache_share{purpose="reply"}'] == pytest.approx(21 / 51)


async def test_a_turn_that_broke_off_is_counted_with_what_it_took(scripted: Scripted) -> None:
    async with scripted(Fails("invalid_request_error", words="")) as (conversation, _), served(conversation) as client:
        await conversation.say("hello")
        found = await told(client)

    assert found['keepsake_turns_total{outcome="model_away"}'] == 1
    assert found['keepsake_tokens_total{kind="sent",purpose="reply"}'] == 10


async def test_a_turn_in_a_private_conversation_is_counted_like_any_other(scripted: Scripted) -> None:
    async with scripted(Says(("ok",))) as (conversation, _), served(conversation) as client:
        conversation.chat.kept = False
        await conversation.say("hello")
        found = await told(client)

    assert found['keepsake_turns_total{outcome="answered"}'] == 1


async def test_what_waits_and_what_is_stuck_is_told(offline: Conversation) -> None:
    viewer = offline.chat.viewer
    async with offline.chat.runtime.memory.unit(viewer) as unit:
        await add_update(unit.session, viewer, 1, "chat", b"sealed", unit.now)
    async with served(offline) as client:
        begun = "INSERT INTO summaries (tenant_id, id, space_id, user_id, channel, conversation_id, start_seq, end_seq,"
        begun += " status, lease_until) VALUES (:t, 'sum_1', :s, :u, 'private', :c, 0, 1, 'processing', now())"
        scope = {"t": viewer.tenant, "s": viewer.place, "u": viewer.person, "c": offline.chat.conversation_id}
        async with offline.chat.runtime.memory.unit(viewer) as unit:
            await unit.session.execute(text(begun), scope)
        await passes(offline).measuring(datetime.now(UTC))
        found = await told(client)

    assert found["keepsake_inbox_waiting"] == 1
    assert found['keepsake_stuck_rows{table="summaries"}'] == 1
    assert found['keepsake_stuck_rows{table="extractions"}'] == 0


async def test_a_database_that_is_away_is_counted_and_looked_for_again(offline: Conversation) -> None:
    runtime = offline.chat.runtime
    away = Memory(Database(f"postgresql://nobody@127.0.0.1:{free_port()}/nothing"), runtime.memory.keyring)
    offline.chat.runtime = replace(runtime, memory=away)
    async with served(offline) as client:

        async def was_looked_for_twice() -> bool:
            found = await told(client)
            return found.get('keepsake_passes_total{name="measuring",outcome="database_away"}', 0) >= 2

        scheduler = Scheduler(passes(offline), runtime.metrics, every={"measuring": 0.1})
        scheduler.start()
        await eventually_async(was_looked_for_twice)
        await scheduler.stop()
    await away.database.close()
    offline.chat.runtime = runtime


async def test_nothing_that_was_said_and_nobodys_id_is_in_the_metrics(scripted: Scripted) -> None:
    script = (
        Calls("search_memory", {"query": "kanarienvogel"}),
        Calls("kanarienvogel", {"kanarienvogel": "kanarienvogel"}),
        Says(("The kanarienvogel sings.",), "kanarienvogel"),
        Fails("kanarienvogel", message="kanarienvogel"),
        Says(("kanarienvogel",)),
    )
    async with scripted(*script) as (conversation, _), served(conversation) as client:
        for words in ("kanarienvogel", "Remember that my kanarienvogel is called Ada.", "kanarienvogel?"):
            await conversation.say(words)
        shown = (await client.get("/metrics")).text.lower()
        chat = conversation.chat

    assert "keepsake_turns_total" in shown
    for canary in ("kanarienvogel", chat.viewer.tenant, "test:ada", chat.conversation_id, "ada", "claude-sonnet"):
        assert canary.lower() not in shown, canary
