"""`keepsake stats --summaries`: the chain of versions, what is stuck and what was given up, without a word of it."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot import texts
from bot.cli.stats_summaries import chain_as_json, chain_as_table
from db.viewer import Viewer
from memory.consolidation.statistics import SHOWN, summary_versions
from memory.unit import Memory
from tests.background_jobs import Bench, bench_for, keeps_record, record_of
from tests.conftest import NOON


@pytest.fixture
async def bench(memory: Memory, ada: Viewer) -> AsyncIterator[Bench]:
    async with bench_for(memory, ada) as made:
        made.model.always = keeps_record
        yield made


async def test_without_summaries_there_is_nothing_to_tell(memory: Memory, tenant: str) -> None:
    shown = chain_as_table(await summary_versions(memory, tenant, None, NOON)).splitlines()

    assert shown[0] == texts.CHAIN_EMPTY
    assert shown[1:] == [f"{work}: 0 completed, 0 given up, 0 stuck" for work in ("summaries", "extractions")]


async def test_the_chain_tells_what_each_version_covers_and_rests_on(bench: Bench, memory: Memory, ada: Viewer) -> None:
    await bench.talk(26)
    assert await bench.summarise() == 2
    first = bench.conversation
    await bench.begin()

    chain = await summary_versions(memory, ada.tenant, first, bench.now)
    told = json.loads(chain_as_json(chain))
    shown = chain_as_table(chain)

    assert [(row.start_seq, row.end_seq, row.base_end_seq, row.status) for row in chain.versions] == [
        (0, 39, 19, "completed"),
        (0, 19, None, "completed"),
    ]
    assert [row["window"] for row in told["versions"]] == [40, 20]
    assert told["work"][0]["completed"] == 2
    assert told["work"][0]["average_ms"] >= 0
    assert "weather" not in shown + json.dumps(told)
    assert shown.splitlines()[1].split()[:6] == [first, "0", "39", "40", "19", "completed"]
    assert (await summary_versions(memory, ada.tenant, bench.conversation, bench.now)).versions == []
    assert len((await summary_versions(memory, ada.tenant, None, bench.now)).versions) == 2 <= SHOWN


async def test_what_is_stuck_and_what_was_given_up_is_told_with_its_age_and_reason(
    bench: Bench, memory: Memory, ada: Viewer
) -> None:
    bench.model.always = None
    await bench.talk(16)
    assert await bench.summarise(record_of()) == 0
    later = bench.now + timedelta(hours=2)
    stuck = await summary_versions(memory, ada.tenant, None, later)

    assert [row.conversation_id for row in stuck.stuck] == [bench.conversation]
    assert 7190 <= json.loads(chain_as_json(stuck))["stuck"][0]["age_seconds"] <= 7200
    assert f"{stuck.stuck[0].id} in {bench.conversation}, started 120 minutes ago" in chain_as_table(stuck)
    assert "summaries: 0 completed, 0 given up, 1 stuck" in chain_as_table(stuck)
    assert (await summary_versions(memory, ada.tenant, None, bench.now)).stuck == []  # its lease holds

    for _ in range(2):
        await bench.summarise(record_of(), later=86_400)
    given_up = chain_as_table(await summary_versions(memory, ada.tenant, bench.conversation, bench.now))

    assert "summaries: 0 completed, 1 given up, 0 stuck\n  AnswerUnfit: " in given_up
