"""Rolling summaries: their ranges and chain, what a prompt shows of them, and everything that can go wrong."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from db.viewer import Viewer
from memory.unit import Memory
from tests.workshop import Bench, bench_for, heard, keeps_record, record_of


@pytest.fixture
async def bench(memory: Memory, ada: Viewer) -> AsyncIterator[Bench]:
    async with bench_for(memory, ada) as made:
        made.model.always = keeps_record
        yield made


async def test_the_oldest_twenty_of_more_than_thirty_messages_are_summarised(bench: Bench) -> None:
    await bench.talk(15)
    assert await bench.summarise() == 0
    await bench.talk(1, start=15)
    assert await bench.summarise() == 1

    assert await bench.chain() == [(0, 19, 0, None)]
    [(refs, words, spent)] = await bench.rows("SELECT refs, text, generation_ms FROM summaries")
    assert refs == bench.said[:20]
    assert words == "Number 0 is about the weather\nHeard number 9."
    assert spent >= 0
    assert [number for number, _, _ in heard(bench.model.requests[0])] == list(range(20))


async def test_versions_build_on_each_other_and_read_only_what_is_new(bench: Bench) -> None:
    await bench.talk(46)
    assert await bench.summarise() == 4

    assert await bench.chain() == [(0, 19, 0, None), (0, 39, 20, 19), (0, 59, 40, 39), (0, 79, 60, 59)]
    assert [number for number, _, _ in heard(bench.model.requests[-1])] == list(range(60, 80))
    assert await bench.summarise() == 0


async def test_source_003s_table_of_versions_comes_out_of_the_passes(memory: Memory, ada: Viewer) -> None:
    async with bench_for(memory, ada, KEEPSAKE_SUMMARIES="sliding", KEEPSAKE_SUMMARY_MESSAGES=14) as bench:
        bench.model.always = keeps_record
        made = []
        for exchanges in (2, 1, 2, 2, 1, 2):
            await bench.talk(exchanges, start=len(bench.said) // 2)
            made.append(await bench.summarise())

        assert made == [0, 1, 1, 1, 1, 1]
        assert await bench.chain() == [(0, 5, 0, None), (0, 9, 6, 5), (0, 13, 10, 9), (2, 15, 14, 13), (6, 19, 16, 15)]


async def test_a_failed_attempt_stores_nothing_and_is_made_later(bench: Bench) -> None:
    bench.model.always = None
    await bench.talk(16)
    assert await bench.summarise(record_of()) == 0

    assert [status for status, *_ in await bench.states()] == ["processing"]
    assert await bench.rows("SELECT 1 FROM chunks WHERE summary_id IS NOT NULL") == []
    assert await bench.summarise() == 0  # its lease holds
    bench.now += timedelta(days=1)
    assert await bench.summarise(keeps_record) == 1
    assert await bench.chain() == [(0, 19, 0, None)]
