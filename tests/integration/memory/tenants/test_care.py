"""What is taken care of for every tenant: what was deleted, doors, dates, keys, and what waits or is stuck."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from prometheus_client import generate_latest
from sqlalchemy import text

from db.queries.events.inbox import add_update
from db.queries.people.people import choose_reminders
from db.queries.people.requests import begin_request, keep_answer
from db.queries.people.web_sessions import add_session
from db.viewer import Viewer
from db.vocabulary import Approval, ArtifactKind, Attribute, Category
from memory.context import provenance
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.ledgers import artifacts
from memory.privacy.encryption import Keyring, new_key
from memory.turn import background_notices
from memory.unit import Memory
from tests.background_jobs import Bench
from tests.conftest import NOON
from tests.integration.memory.tenants.conftest import everywhere
from tests.past import replied

BIRTHDAY = "my wife's birthday is on March 15"
SICK = "My doctor says I have diabetes"


async def remember(memory: Memory, viewer: Viewer, words: str, now: datetime = NOON, **draft: Any) -> str:
    async with memory.unit(viewer, now=now) as unit:
        return (await facts.remember(unit, FactDraft(words, Category.PERSON, **draft), Approval.COMMAND)).row.id


async def count(memory: Memory, viewer: Viewer, table: str) -> int:
    async with memory.unit(viewer, read_only=True) as unit:
        return int((await unit.session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())


async def test_what_was_deleted_is_purged_in_every_tenant(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    for viewer in (north, south):
        fact = await remember(memory, viewer, "The garden gate is green")
        async with memory.unit(viewer, now=NOON) as unit:
            await facts.hide(unit, fact, Approval.COMMAND)
    await remember(memory, south, "The bicycle is red")
    await everywhere(bench).clearing(NOON + timedelta(hours=23))
    assert [await count(memory, viewer, "facts") for viewer in (north, south)] == [1, 2]

    await everywhere(bench).clearing(NOON + timedelta(hours=25))
    assert [await count(memory, viewer, "facts") for viewer in (north, south)] == [0, 1]


async def test_old_artifacts_go_from_every_tenant(bench: Bench, memory: Memory, north: Viewer, south: Viewer) -> None:
    for viewer in (north, south):
        async with memory.unit(viewer, now=NOON) as unit:
            await artifacts.store_bytes(unit, b"It rained.", kind=ArtifactKind.TOOL_OUTPUT)
    await everywhere(bench).clearing(NOON + timedelta(days=91))

    assert [await count(memory, viewer, "artifacts") for viewer in (north, south)] == [0, 0]


async def test_what_replies_were_made_from_goes_from_every_tenant_or_stays_for_ever(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    said = [await replied(memory, viewer, "tea?", "Tea.", now=NOON) for viewer in (north, south)]
    await replied(memory, south, "milk?", "Milk.", now=NOON + timedelta(days=2))
    for_ever = replace(memory, limits=replace(memory.limits, bundles=None))
    kept = replace(bench, jobs=replace(bench.jobs, memory=for_ever))
    await everywhere(kept).clearing(NOON + timedelta(days=999))
    await everywhere(bench).clearing(NOON + timedelta(days=89))
    assert [await count(memory, viewer, "bundles") for viewer in (north, south)] == [1, 2]

    await everywhere(bench).clearing(NOON + timedelta(days=91))
    assert [await count(memory, viewer, "bundles") for viewer in (north, south)] == [0, 1]
    async with memory.unit(north, read_only=True) as unit:
        [reply] = await provenance.replies(unit, limit=9)
    assert (reply.id, reply.said, reply.sources) == (said[0], "Tea.", None)


async def test_old_writes_and_sessions_that_are_over_go_from_every_tenant(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    for viewer in (north, south):
        async with memory.unit(viewer, now=NOON) as unit:
            for name, begun in (("old", NOON - timedelta(hours=25)), ("new", NOON - timedelta(hours=23))):
                await begin_request(unit.session, viewer, key_id="key", name=name, hash=b"h" * 32, now=begun)
                await keep_answer(unit.session, viewer, key_id="key", name=name, status=200, answer=b"sealed")
            for name, until in (("over", NOON - timedelta(minutes=1)), ("open", NOON + timedelta(minutes=1))):
                await add_session(unit.session, viewer, id=name, hash=None, expires_at=until, now=NOON - timedelta(1))
    await everywhere(bench).clearing(NOON)

    for viewer in (north, south):
        async with memory.unit(viewer, read_only=True) as unit:
            left = await unit.session.execute(text("SELECT name FROM requests UNION ALL SELECT id FROM web_sessions"))
            assert sorted(left.scalars()) == ["new", "open"]


async def test_people_of_every_tenant_are_reminded_of_their_own_dates(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    morning = datetime.fromisoformat("2027-03-15T09:00:00+00:00")
    for viewer in (north, south):
        await remember(memory, viewer, BIRTHDAY, attribute=Attribute.IMPORTANT_DATE)
        async with memory.unit(viewer) as unit:
            await choose_reminders(unit.session, viewer, True)

    assert await everywhere(bench).reminders(morning) == 2
    assert await everywhere(bench).reminders(morning) == 0
    for viewer in (north, south):
        async with memory.unit(viewer, now=morning) as unit:
            assert [row.words for row in (await background_notices.take_pending(unit)).reminders] == [BIRTHDAY]


async def test_who_came_in_by_a_process_with_the_old_key_is_wrapped_by_the_new_one(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    [old], new = memory.keyring.keys, new_key()
    for viewer in (north, south):
        await remember(memory, viewer, SICK)
    both = replace(memory, keyring=Keyring((new, old)))
    await everywhere(replace(bench, jobs=replace(bench.jobs, memory=both))).clearing(NOON)

    alone = replace(memory, keyring=Keyring((new,)))
    for viewer in (north, south):
        async with alone.unit(viewer, read_only=True) as unit:
            assert [row.words for row in await facts.own_facts(unit)] == [SICK]


async def test_what_waits_and_what_is_stuck_is_counted_over_all_tenants(
    bench: Bench, memory: Memory, north: Viewer, south: Viewer
) -> None:
    begun = "INSERT INTO summaries (tenant_id, id, space_id, user_id, channel, conversation_id, start_seq, end_seq,"
    begun += " status, lease_until) VALUES (:t, 'sum_1', :s, :u, 'private', :c, 0, 1, 'processing', :now)"
    for viewer in (north, south):
        conversation = await bench.begin(viewer)
        async with memory.unit(viewer) as unit:
            await add_update(unit.session, viewer, 1, "chat", b"sealed", unit.now)
            scope = {"t": viewer.tenant, "s": viewer.place, "u": viewer.person, "c": conversation}
            await unit.session.execute(text(begun), {**scope, "now": NOON - timedelta(minutes=1)})
    await everywhere(bench).measuring(NOON)
    told = generate_latest(bench.jobs.metrics.registry).decode()

    assert "keepsake_inbox_waiting 2.0" in told
    assert 'keepsake_stuck_rows{table="summaries"} 2.0' in told
    assert 'keepsake_stuck_rows{table="extractions"} 0.0' in told
