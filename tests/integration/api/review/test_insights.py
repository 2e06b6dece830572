"""Insights: a person's own numbers, by the days of their time zone; an unknown price is shown as unknown."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree.ElementTree import fromstring
from zoneinfo import ZoneInfo

from db.vocabulary import Category
from memory.facts.insights import load_insights, usage_totals_by_day
from tests.daemon import Daemon
from tests.memories import kept
from tests.past import deleted, recalled, spent
from tests.visitor import enter, met, shown

NOW = datetime.now(UTC).replace(hour=0, minute=30)
SVG = re.compile(r'<svg class="chart".*?</svg>', re.DOTALL)


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


async def test_an_empty_memory_says_so_in_every_part(daemon: Daemon) -> None:
    async with await enter(daemon, await met(daemon, "ada")) as visitor:
        answer = await visitor.get("/insights")

    told = shown(answer.text)
    assert not SVG.search(answer.text)
    for line in (
        "I don't remember anything about you yet",
        "Nothing to count yet",
        "I haven't used a memory in a reply yet",
        "No model was used in the last 30 days",
    ):
        assert line in told


async def test_each_chart_has_a_title_a_summary_and_a_table_of_its_numbers(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    for number, category in enumerate([Category.HABIT, Category.HABIT, Category.PERSON]):
        await kept(memory, ada, f"I own the stamp number {number}", category, now=ago(9 - number))
    gone = await kept(memory, ada, "I drive a red car", Category.OTHER, now=ago(9))
    await deleted(memory, ada, gone.row.id, now=ago(2))
    await spent(memory, ada, now=ago(3), microdollars=1_500_000)
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/insights")).text

    charts = [fromstring(drawn) for drawn in SVG.findall(answer)]
    names = [chart.findtext("title") for chart in charts]
    assert sorted(map(str, names)) == [
        "Cost of the last 30 days",
        "Memories by category",
        "Memories over time",
        "Share of tokens from the cache",
    ]
    sentences = " ".join(str(chart.findtext("desc")) for chart in charts)
    assert "with a peak of 4" in sentences
    assert "Habits: 2 of 3" in sentences
    assert "$1.50 in all" in sentences
    told = shown(answer)
    assert "memories 3" in told
    assert "Habits 2 People 1" in told
    assert "claude-sonnet-5-5 1 4,000 200 75% $1.50" in told
    assert 'style="' not in answer


async def test_the_most_used_memory_comes_first_and_links_to_its_page(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    rarely = await kept(memory, ada, "I rarely eat fish", now=ago(4))
    often = await kept(memory, ada, "I often eat bread", now=ago(4))
    await kept(memory, ada, "I never eat stones", now=ago(4))
    await recalled(memory, ada, rarely.row.id, 1, now=ago(3))
    await recalled(memory, ada, often.row.id, 5, now=ago(3))
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/insights")).text

    told = shown(answer)
    assert told.index("often eat bread used 5 times") < told.index("rarely eat fish used 1 time")
    assert "never eat stones" not in told
    assert f'href="/review/memory/{often.row.id}"' in answer


async def test_a_price_that_is_unknown_is_said_and_not_counted_as_nothing(daemon: Daemon) -> None:
    ada, ben, memory = await met(daemon, "ada"), await met(daemon, "ben"), daemon.memory
    await spent(memory, ada, now=ago(3), microdollars=20_000)
    await spent(memory, ada, now=ago(3), model="my-own", microdollars=None, cache_read=0)
    await spent(memory, ben, now=ago(1), model="my-own", microdollars=None, cache_read=0)
    async with await enter(daemon, ada) as visitor:
        some = await visitor.read("/insights")
    async with await enter(daemon, ben) as visitor:
        none = await visitor.read("/insights")

    assert "I don't know the price of 1 call" in some
    assert "my-own 1 1,000 200 0% unknown" in some
    assert "spent in the last 30 days $0.02+" in some
    assert "spent in the last 30 days unknown" in none


async def test_costs_are_by_the_days_of_their_owner_and_older_ones_are_left_out(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    await spent(memory, ada, now=ago(3), microdollars=10_000)
    await spent(memory, ada, now=ago(45), microdollars=99_000_000)
    async with memory.unit(ada, read_only=True) as unit:
        seen = await load_insights(unit, ZoneInfo("America/Los_Angeles"))

    days = usage_totals_by_day(seen.usage, seen.today)
    assert len(days) == 30
    assert days[-1][0] == seen.today
    assert {day: sums.microdollars for day, sums in days if sums.calls} == {ago(4).date(): 10_000}


async def test_many_models_share_their_colours_and_all_are_in_the_table(daemon: Daemon) -> None:
    ada = await met(daemon, "ada")
    for number in range(7):
        await spent(
            daemon.memory, ada, now=ago(2), model=f"model-{number}</svg><script>", microdollars=1_000 * (number + 1)
        )
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/insights")).text

    assert "<script>" not in answer
    assert "other models" in shown(answer)
    assert all(f"model-{number}&lt;/svg&gt;" in answer for number in range(7))


async def test_nobody_sees_anothers_numbers(daemon: Daemon) -> None:
    ada, ben, memory = await met(daemon, "ada"), await met(daemon, "ben"), daemon.memory
    fact = await kept(memory, ada, "I have a secret garden", Category.PROJECT, now=ago(4))
    await recalled(memory, ada, fact.row.id, 3, now=ago(3))
    await spent(memory, ada, now=ago(3), microdollars=77_000_000)
    async with await enter(daemon, ben) as visitor:
        answer = (await visitor.get("/insights")).text

    assert not SVG.search(answer)
    assert "garden" not in answer
    assert "$77" not in answer


async def test_hostile_words_are_words_and_500_emoji_are_shown(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    for words in ("<script>alert('x')</script>", "🧡" * 500):
        fact = await kept(memory, ada, words, now=ago(3))
        await recalled(memory, ada, fact.row.id, 2, now=ago(3))
    async with await enter(daemon, ada) as visitor:
        answer = (await visitor.get("/insights")).text

    assert "<script>alert" not in answer
    assert "&lt;script&gt;alert" in answer
    assert "🧡" * 500 in answer


async def test_what_was_forgotten_for_good_is_in_no_number(daemon: Daemon) -> None:
    ada, memory = await met(daemon, "ada"), daemon.memory
    await kept(memory, ada, "Alec plays the trombone", Category.PERSON, subject="Alec", now=ago(4))
    async with await enter(daemon, ada) as visitor:
        assert "People" in await visitor.read("/insights")
        await visitor.forget({"what": "subject", "words": "alec"})
        assert "I don't remember anything about you yet" in await visitor.read("/insights")
