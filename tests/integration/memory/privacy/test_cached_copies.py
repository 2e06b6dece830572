"""What one process was told to forget leaves the RAM of the others too."""

import asyncio
from datetime import timedelta
from functools import partial
from pathlib import Path

import psycopg

from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.facts import facts
from memory.outage.catching_up import keep_catching_up
from memory.outage.recent import RecentMessage, RecentMessages
from memory.outage.spool import Spool
from memory.outage.state import Outage
from memory.privacy.forgetting.cached_copies import evict_forgotten
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget
from memory.unit import Memory
from tests.conftest import Meet
from tests.memories import kept
from tests.waiting import eventually


def heard_from(*people: Viewer) -> RecentMessages:
    """Another process, in which they said something."""
    recent = RecentMessages()
    for viewer in people:
        recent.add("cnv_1", RecentMessage(True, "My boss is called Alec", person=viewer.person))
    return recent


async def left_in(recent: RecentMessages, memory: Memory, viewer: Viewer) -> list[str]:
    await evict_forgotten(memory, viewer.tenant, recent, timedelta(minutes=1))
    return [heard.person for heard in recent.messages("cnv_1")]


async def test_a_deletion_a_forgetting_and_an_erasure_reach_other_processes(memory: Memory, meet: Meet) -> None:
    ada, ben, cleo, dora = people = [await meet(name) for name in ("ada", "ben", "cleo", "dora")]
    others = heard_from(*people)
    fact = (await kept(memory, ada, "My boss is called Alec", Category.PERSON)).row
    assert await left_in(others, memory, ada) == [each.person for each in people]

    async with memory.unit(ada) as unit:
        await facts.hide(unit, fact.id, Approval.COMMAND)
    async with memory.unit(ben) as unit:
        await forget(unit, ForgetRequest(clear_summary=True))
    await erase(memory, cleo.tenant, cleo.person)

    assert await left_in(others, memory, ada) == [dora.person]


async def test_what_was_said_after_a_forgetting_stays(
    memory: Memory, ada: Viewer, superuser: psycopg.Connection
) -> None:
    """Ten minutes after: within the time of an answer from the database nobody can tell."""
    async with memory.unit(ada) as unit:
        await forget(unit, ForgetRequest(clear_summary=True))
    earlier = "UPDATE users SET forgot_at = forgot_at - interval '10 minutes' WHERE tenant_id = %s"
    superuser.execute(earlier, (ada.tenant,))
    recent = heard_from(ada)
    await evict_forgotten(memory, ada.tenant, recent, timedelta(hours=1))

    assert [heard.person for heard in recent.messages("cnv_1")] == [ada.person]


async def test_whoever_looks_for_the_database_lets_go_as_well(memory: Memory, ada: Viewer, tmp_path: Path) -> None:
    others, spool = heard_from(ada), Spool(tmp_path, memory.keyring, ada.tenant)
    forgets = partial(evict_forgotten, memory, ada.tenant, others)
    looking = asyncio.create_task(keep_catching_up(memory, spool, Outage(), forgets, never))
    try:
        async with memory.unit(ada) as unit:
            await forget(unit, ForgetRequest(clear_summary=True))
        await eventually(lambda: not others.people)
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def never() -> None:
    raise AssertionError("the database was there all the time")
