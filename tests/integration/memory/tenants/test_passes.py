"""What happens after the reply happens for every tenant: fairly, apart, and whatever befalls another."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event

from db.engine import Database
from db.viewer import Viewer
from memory.errors import DatabaseAway
from memory.facts import proposals
from memory.unit import Memory
from tests.background_jobs import Bench, fact, finds, heard, keeps_record
from tests.integration.memory.tenants.conftest import SOUTH, Breaking, everywhere, found
from tests.scripted_model import Step, Writes, words_of
from tests.waiting import eventually

VEGAN = "I have been vegan since 2019"
SAYING = {"north": "Number {} is about the aurora", "south": "Number {} is about the penguins"}


async def talk(bench: Bench, *viewers: Viewer, exchanges: int = 16) -> None:
    """The same people, as often, in each tenant; only one word tells them apart."""
    for viewer in viewers:
        await bench.begin(viewer)
        await bench.talk(exchanges, SAYING.get(viewer.tenant, "Number {} is about the weather"))


async def digests(bench: Bench, viewer: Viewer) -> list[str]:
    rows = await bench.rows("SELECT text FROM summaries WHERE status = 'completed' ORDER BY end_seq", viewer)
    return [words for (words,) in rows]


async def cards(bench: Bench, viewer: Viewer) -> list[str]:
    async with bench.memory.unit(viewer, now=bench.now) as unit:
        return [str(card.row.content) for card in await proposals.waiting_cards(unit)]


def finds_it(request: dict[str, Any]) -> Writes:
    """Whoever says what they eat."""
    return finds(*(fact(number, words) for number, _, words in heard(request) if words == VEGAN))


async def test_conversations_of_every_tenant_are_digested_and_none_holds_the_others(
    bench: Bench, north: Viewer, south: Viewer
) -> None:
    bench.model.always = keeps_record
    await talk(bench, north, south)

    assert await everywhere(bench).summaries(bench.now) == 2
    assert await everywhere(bench).summaries(bench.now) == 0
    for viewer, own, strange in ((north, "aurora", "penguins"), (south, "penguins", "aurora")):
        [digest] = await digests(bench, viewer)
        assert own in digest
        assert strange not in digest
    said = [words_of(request) for request in bench.model.requests]
    assert [("aurora" in words, "penguins" in words) for words in sorted(said)] == [(True, False), (False, True)]


async def test_the_same_exchange_in_two_tenants_is_looked_through_in_both(
    bench: Bench, north: Viewer, south: Viewer
) -> None:
    bench.model.always = finds_it
    for viewer in (north, south):
        await bench.begin(viewer)
        await bench.exchange(VEGAN)

    assert await everywhere(bench).extractions(bench.now + timedelta(seconds=61)) == 2
    assert await cards(bench, north) == await cards(bench, south) == [VEGAN]
    assert len(await bench.rows("SELECT 1 FROM proposals", north)) == 1


async def test_processes_of_different_tenants_do_each_thing_once(
    bench: Bench, app_url: str, north: Viewer, south: Viewer
) -> None:
    async def when_both_are_asked_for(request: dict[str, Any]) -> Writes:
        await eventually(lambda: len(bench.model.requests) >= 2)
        return keeps_record(request)

    bench.model.ponders = when_both_are_asked_for
    await talk(bench, north, south)
    database = Database(app_url)
    of_south = replace(bench.jobs.for_tenant(SOUTH), memory=Memory(database, bench.memory.keyring))
    other = everywhere(replace(bench, jobs=of_south))
    made = await asyncio.gather(everywhere(bench).summaries(bench.now), other.summaries(bench.now))
    await database.close()

    assert sum(made) == 2
    assert len(bench.model.requests) == 2
    assert [len(await digests(bench, viewer)) for viewer in (north, south)] == [1, 1]


async def test_a_tenant_that_appears_later_is_worked_for(
    bench: Bench, database: Database, north: Viewer, south: Viewer
) -> None:
    bench.model.always = keeps_record
    passes = everywhere(bench)
    assert await passes.summaries(bench.now) == 0
    west = await found(database, "west", bench.now)
    await talk(bench, west)

    assert await passes.summaries(bench.now) == 1
    assert len(await digests(bench, west)) == 1


async def test_a_nudge_is_for_one_tenant_alone(bench: Bench, north: Viewer, south: Viewer) -> None:
    bench.model.always = keeps_record
    await talk(bench, north, south)

    assert await everywhere(bench).summaries(bench.now, tenant=SOUTH) == 1
    assert (len(await digests(bench, north)), len(await digests(bench, south))) == (0, 1)


PASSES = ("summaries", "extractions", "clearing", "reminders", "measuring")


@pytest.mark.parametrize("broken", ["north", "south"])
async def test_a_tenant_whose_work_fails_does_not_stop_the_next(
    bench: Bench, north: Viewer, south: Viewer, app_url: str, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    bench.model.always = lambda request: finds_it(request) if "vegan" in words_of(request) else keeps_record(request)
    await talk(bench, north, south)
    for viewer in (north, south):
        await bench.begin(viewer)
        await bench.exchange(VEGAN)
    later = bench.now + timedelta(seconds=61)
    breaking = Memory(Breaking(app_url, broken, lambda: ZeroDivisionError("a user's words")), bench.memory.keyring)
    passes = everywhere(replace(bench, jobs=replace(bench.jobs, memory=breaking)))
    for name in PASSES:
        with pytest.raises(ZeroDivisionError):
            await getattr(passes, name)(later)
    await breaking.database.close()

    well, ill = (south, north) if broken == "north" else (north, south)
    assert (len(await digests(bench, well)), await cards(bench, well)) == (1, [VEGAN])
    assert (len(await digests(bench, ill)), await cards(bench, ill)) == (0, [])
    assert caplog.messages == [f"a pass broke off for the tenant {broken}: ZeroDivisionError"] * len(PASSES)


async def test_a_database_that_is_away_is_not_told_for_each_tenant(
    bench: Bench, north: Viewer, south: Viewer, app_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    breaking = Memory(Breaking(app_url, SOUTH, lambda: DatabaseAway("gone")), bench.memory.keyring)
    passes = everywhere(replace(bench, jobs=replace(bench.jobs, memory=breaking)))
    with pytest.raises(DatabaseAway):
        await passes.summaries(bench.now)
    await breaking.database.close()

    assert caplog.messages == []


async def test_a_tenant_with_much_to_do_leaves_the_others_their_share(
    bench: Bench, north: Viewer, south: Viewer
) -> None:
    """Its fourth request comes after the first of another."""

    async def in_turn(request: dict[str, Any]) -> Step:
        asked = bench.model.requests
        if "penguins" not in words_of(request):
            await eventually(lambda: len(asked) >= 4 or any("penguins" in words_of(each) for each in asked))
        return keeps_record(request)

    bench.model.always = keeps_record
    for _ in range(12):
        await talk(bench, north, exchanges=2)
        await bench.end()
    await talk(bench, south, exchanges=2)
    await bench.end()
    bench.model.always, bench.model.ponders = None, in_turn
    made = await everywhere(bench).summaries(bench.now)
    turns = ["penguins" in words_of(request) for request in bench.model.requests]

    assert made == 13
    assert turns.index(True) < 4


async def test_an_idle_pass_looks_for_the_tenants_once_and_once_at_each(
    bench: Bench, database: Database, north: Viewer, south: Viewer
) -> None:
    await talk(bench, north, south, exchanges=3)
    for number in range(10):
        await found(database, f"tenant-{number}")
    await everywhere(bench).summaries(bench.now)  # from here on its connections are open
    told = list[str]()

    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        if "BEGIN" in statement:
            told.append("a transaction")
        else:
            told.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        for name in ("summaries", "extractions"):
            await getattr(everywhere(bench), name)(bench.now)
            assert told.count("a transaction") == 1 + 12, name
            assert len(told) == 2 * (1 + 12), name
            told.clear()
        await everywhere(bench).summaries(bench.now, tenant=SOUTH)
        assert len(told) == 2
    finally:
        event.remove(Engine, "before_cursor_execute", note)
