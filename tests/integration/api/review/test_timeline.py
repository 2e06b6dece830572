"""The timeline: what was known at the end of a day in its owner's time zone, and what changed that day."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from db.queries.facts.insights import changes_by_day
from db.queries.people.people import choose_timezone
from db.vocabulary import Category
from memory.facts.days import day_of
from memory.facts.insights import fact_count_by_day
from tests.daemon import Daemon
from tests.memories import kept
from tests.past import deleted, revised
from tests.tables import table
from tests.visitor import Visitor, enter, met, shown

NOW = datetime.now(UTC).replace(hour=0, minute=30)
EMOJI = "🧡" * 500


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


async def on(visitor: Visitor, days: int) -> str:
    return await visitor.read("/timeline", day=ago(days).date().isoformat())


async def test_a_day_shows_what_was_known_at_its_end_and_marks_what_it_changed(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    tea = await kept(daemon.memory, ada, "I drink tea", Category.HABIT, now=ago(9))
    await kept(daemon.memory, ada, "I live in Porto", Category.CONTEXT, now=ago(9))
    car = await kept(daemon.memory, ada, "I drive a red car", Category.OTHER, now=ago(7))
    await revised(daemon.memory, ada, tea.row.id, "I drink coffee", now=ago(5))
    await deleted(daemon.memory, ada, car.row.id, now=ago(5))
    await kept(daemon.memory, ada, "I sing in a choir", Category.HOBBY, now=ago(5))
    async with await enter(daemon, ada) as visitor:
        before, first, quiet, busy, now = [await on(visitor, days) for days in (10, 9, 8, 5, 0)]
        difference = (await visitor.get("/timeline", day=ago(5).date().isoformat())).text

    assert "I didn't know anything yet" in before
    assert first.count("I drink tea New") == 2
    assert "Porto" in first
    assert "Nothing changed that day" in quiet
    assert "I drink tea" in quiet
    assert "I sing in a choir New" in busy
    assert "I drive a red car Gone" in busy
    assert "coffee Changed Habits" in busy
    assert re.search(r"tea</del><ins>.*coffee</ins>", difference)
    assert "red car" not in now
    assert "coffee" in now


async def test_a_day_is_a_day_where_its_owner_lives(daemon: Daemon) -> None:
    """Half past midnight in UTC is still yesterday in America and long today in Asia."""
    for zone, days in (("America/Los_Angeles", 6), ("Asia/Tokyo", 5), ("UTC", 5)):
        ada = await met(daemon, zone.replace("/", "-"), timezone=zone)
        await kept(daemon.memory, ada, "I sing in a choir", Category.HOBBY, now=ago(5))
        async with await enter(daemon, ada) as visitor:
            assert "I sing in a choir New" in await on(visitor, days)
            assert "I sing in a choir New" not in await on(visitor, days - 1)
            assert "I didn't know anything yet" in await on(visitor, days + 1)


@table("words", ["yesterday", "2026-13-45", "0001-01-01", "1899-12-31", "<script>alert(1)</script>", "١"])
async def test_a_day_that_cannot_be_read_is_explained(daemon: Daemon, words: str) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        answer = await visitor.get("/timeline", day=words)

    assert answer.status_code == 200
    assert "I can't read that as a day" in shown(answer.text)
    assert "<script>alert" not in answer.text


async def test_a_day_in_the_future_is_explained(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        told = await visitor.read("/timeline", day="9999-12-31")

    assert "9999-12-31 is still to come" in told


async def test_days_with_changes_are_links_and_lead_from_one_to_the_next(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    for days in (40, 20, 1):
        await kept(daemon.memory, ada, f"I did something {days} days ago", now=ago(days))
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/timeline", day=ago(20).date().isoformat())).text

    for days in (40, 20, 1):
        assert f"/review/timeline?day={ago(days).date().isoformat()}" in answer
    assert 'aria-current="date"' in answer
    assert "Previous change" in answer
    assert "Next change" in answer


@pytest.mark.slow
async def test_many_facts_come_in_parts(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    for number in range(103):
        await kept(daemon.memory, ada, f"I own the stamp number {number:03}", now=ago(2))
    async with await enter(daemon, ada) as visitor:
        first, last, beyond = [
            await visitor.read("/timeline", day=ago(1).date().isoformat(), page=n) for n in (1, 2, 99)
        ]
        busy = await visitor.read("/timeline", day=ago(2).date().isoformat())

    assert (first.count("stamp number"), last.count("stamp number")) == (100, 3)
    assert beyond == last
    assert "3 more changes that day" in busy


@pytest.mark.slow
async def test_of_many_changes_a_hundred_are_shown_and_the_others_counted(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    for number in range(60):
        fact = await kept(daemon.memory, ada, f"I own the stamp number {number:03}", now=ago(4))
        await revised(daemon.memory, ada, fact.row.id, f"I sold the stamp number {number:03}", now=ago(2))
        coin = await kept(daemon.memory, ada, f"I own the coin number {number:03}", now=ago(4))
        await deleted(daemon.memory, ada, coin.row.id, now=ago(2))
    async with await enter(daemon, ada) as visitor:
        busy = await visitor.get("/timeline", day=ago(2).date().isoformat())

    assert busy.text.count("<ins>") == 60
    assert busy.text.count("I own the coin number") == 40
    assert "20 more changes that day. What is new or changed is marked below." in shown(busy.text)


async def test_hostile_words_are_words_and_500_emoji_are_shown(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    evil = await kept(daemon.memory, ada, "<script>alert('x')</script>", Category.OTHER, now=ago(3))
    await kept(daemon.memory, ada, EMOJI, Category.OTHER, now=ago(3))
    await revised(daemon.memory, ada, evil.row.id, "<script>alert('y')</script><img src=x onerror=z>", now=ago(2))
    async with await enter(daemon, ada) as visitor:
        for days in (3, 2, 1):
            answer = await visitor.get("/timeline", day=ago(days).date().isoformat())
            assert "<script>alert" not in answer.text
            assert "<img src=x" not in answer.text
            assert "&lt;script&gt;alert" in answer.text
            assert EMOJI in answer.text


async def test_nobody_sees_anothers_days(daemon: Daemon) -> None:
    ada, ben = await met(daemon, "ada"), await met(daemon, "ben")
    await kept(daemon.memory, ada, "I have a secret garden", now=ago(4))
    async with await enter(daemon, ben) as visitor:
        answer = (await visitor.get("/timeline", day=ago(4).date().isoformat())).text

    assert "garden" not in answer
    assert 'class="changed"' not in answer


async def test_the_days_that_the_database_counts_are_those_that_are_compared(daemon: Daemon) -> None:
    """What the calendar marks, the numbers over time and the day itself agree, also where a fact came and went."""
    ada, zone = await met(daemon, "ada"), "Australia/Lord_Howe"
    async with daemon.memory.unit(ada) as unit:
        await choose_timezone(unit.session, unit.viewer, zone)
    memory, ids = daemon.memory, []
    for number in range(8):
        ids.append((await kept(memory, ada, f"I own the stamp number {number}", now=ago(20 - number))).row.id)
    await deleted(memory, ada, ids[0], now=ago(20) + timedelta(minutes=1))
    await deleted(memory, ada, ids[1], now=ago(10))
    await revised(memory, ada, ids[2], "I sold that stamp", now=ago(10))
    await revised(memory, ada, ids[2], "I sold that stamp for a fortune", now=ago(10) + timedelta(hours=1))
    await deleted(memory, ada, ids[3], now=ago(9))
    async with memory.unit(ada, read_only=True) as unit:
        counted = {each.day: each for each in await changes_by_day(unit.session, unit.viewer, zone)}
        known = dict(fact_count_by_day(list(counted.values())))
        there = ago(22).astimezone(ZoneInfo(zone)).date()
        for day in (there + timedelta(days=number) for number in range(24)):
            seen = await day_of(unit, day, ZoneInfo(zone))
            found = counted.get(day)
            assert (len(seen.new), len(seen.before), len(seen.gone)) == (
                (found.new, found.changed, found.gone) if found else (0, 0, 0)
            )
            assert found is None or len(seen.known) == known[day]
