"""Writes of one person that come at once: they wait for each other in one order, and what collides is tried again."""

import asyncio
from collections.abc import Iterator

import httpx
import psycopg
import pytest
from sqlalchemy import text

from db.engine import Database
from db.errors import Deadlock
from db.queries.facts.facts import lock_facts_of
from db.viewer import Viewer
from db.vocabulary import Approval, Category, ProposalKind
from memory.errors import NotFound
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.unit import Memory
from tests.conftest import wait_until_blocked
from tests.daemon import Daemon
from tests.integration.api.conftest import Call, Rows
from tests.memories import asked, kept
from tests.visitor import enter, met, shown

EVENT = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message", "content": {"text": "Hello"}}
LOCK = text("SELECT pg_advisory_xact_lock(:number)")


@pytest.fixture
def other(superuser_url: str) -> Iterator[psycopg.Connection]:
    """Somebody who never gives way."""
    with psycopg.connect(superuser_url) as connection:
        connection.execute("SET deadlock_timeout = '10min'")
        yield connection
        connection.rollback()


async def test_of_two_who_wait_for_each_other_one_hears_that_they_collided(database: Database, ada: Viewer) -> None:
    both = asyncio.Barrier(2)

    async def take(*numbers: int) -> None:
        async with database.transaction(ada) as session:
            await session.execute(LOCK, {"number": numbers[0]})
            await both.wait()
            await session.execute(LOCK, {"number": numbers[1]})

    ended = await asyncio.gather(take(4711, 4712), take(4712, 4711), return_exceptions=True)

    assert {type(each) for each in ended} == {type(None), Deadlock}


async def test_a_yes_waits_for_a_change_of_its_fact_and_not_crosswise(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    fact = (await kept(memory, ada, "My boss works from Hamburg", Category.PERSON)).row
    card = (await asked(memory, ada, "My boss works from Munich", kind=ProposalKind.UPDATE, about=fact.id)).row

    async def say_yes() -> None:
        async with memory.unit(ada) as unit:
            await proposals.accept(unit, card.id, card.content_hash)

    async with memory.unit(ada) as unit:
        await lock_facts_of(unit.session, ada)
        accepting = asyncio.create_task(say_yes())
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        await facts.revise(unit, fact.id, FactDraft("My boss works from Rome", Category.PERSON), Approval.COMMAND)
    with pytest.raises(NotFound):  # the change had made it needless
        await accepting


async def test_the_first_write_with_a_name_waits_for_a_forgetting_and_not_crosswise(
    daemon: Daemon, owner: httpx.AsyncClient, superuser_url: str
) -> None:
    """It makes the key that its answer is kept with, before anything else is held."""
    assert (await owner.post("events", json=EVENT)).status_code == 201
    ada = Viewer.in_private(daemon.tenant, "api:ada")
    async with daemon.memory.unit(ada) as unit:
        await lock_facts_of(unit.session, ada)
        posting = asyncio.create_task(owner.post("events", json=EVENT, headers={"Idempotency-Key": "first"}))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        taken = await unit.session.execute(text("SELECT id FROM conversations FOR UPDATE NOWAIT"))
        assert len(taken.all()) == 1

    assert (await posting).status_code == 201


async def crosswise(daemon: Daemon, superuser_url: str, other: psycopg.Connection, call: Call) -> httpx.Response:
    """The answer to a change of a fact that comes in another's way: they hold a card of it and want what the change
    holds, before the change comes to the card. Whoever comes last to such a ring notices it, and gives way."""
    mine = {"tenant": daemon.tenant}
    with psycopg.connect(superuser_url) as gate:
        gate.execute("SELECT 1 FROM facts WHERE tenant_id = %(tenant)s FOR UPDATE", mine)
        other.execute("SELECT 1 FROM proposals WHERE tenant_id = %(tenant)s FOR UPDATE", mine)
        changing = asyncio.create_task(call)
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        # Of a whole table, because there nobody who comes later is let in before.
        wanting = asyncio.create_task(asyncio.to_thread(other.execute, "LOCK TABLE users IN EXCLUSIVE MODE"))
        await asyncio.to_thread(wait_until_blocked, superuser_url, 2)
    await wanting
    other.rollback()
    return await changing


async def test_what_came_in_anothers_way_is_tried_once_more(
    daemon: Daemon,
    owner: httpx.AsyncClient,
    agent: httpx.AsyncClient,
    superuser_url: str,
    other: psycopg.Connection,
    rows: Rows,
) -> None:
    fact = (await owner.post("memory", json={"content": "I live in Porto", "category": "context"})).json()
    await agent.put(f"memory/{fact['id']}", json={"content": "I live in Braga"})
    change = owner.put(f"memory/{fact['id']}", json={"content": "I live in Lisbon"})

    assert (await crosswise(daemon, superuser_url, other, change)).status_code == 200
    assert rows("SELECT version, content FROM fact_versions WHERE tenant_id = %(tenant)s ORDER BY version") == [
        (1, "I live in Porto"),
        (2, "I live in Lisbon"),
    ]


async def test_at_the_page_too(daemon: Daemon, superuser_url: str, other: psycopg.Connection, rows: Rows) -> None:
    viewer = await met(daemon, "7")
    fact = (await kept(daemon.memory, viewer, "I live in Porto", Category.CONTEXT)).row
    await asked(daemon.memory, viewer, "I live in Braga", kind=ProposalKind.UPDATE, about=fact.id)
    async with await enter(daemon, viewer) as ada:
        wish = {"version": "1", "words": "I live in Lisbon", "back": "fact"}
        answer = await crosswise(daemon, superuser_url, other, ada.post(f"/memory/{fact.id}/edit", wish))

    assert "Changed: I live in Lisbon" in shown(answer.text)
    assert rows("SELECT version FROM fact_versions WHERE tenant_id = %(tenant)s ORDER BY version") == [(1,), (2,)]
