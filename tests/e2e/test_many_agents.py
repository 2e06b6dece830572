"""`keepsake serve` as a process under ten agents who write at once, and under kills and outages while they write."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

from db.embedded.own_database import APPLICATION
from memory.unit import Memory
from tests.e2e.away import Away, taken_away
from tests.e2e.conftest import made_key
from tests.e2e.daemon import serving, started
from tests.e2e.points import NOTICES_HANGING, Arming
from tests.many_agents import AGENTS, all_at_once, ensure_nothing_lost_doubled_or_mixed, hire
from tests.ports import free_port
from tests.waiting import LOOK_EVERY, STUCK, eventually, until

pytestmark = pytest.mark.slow

EVENTS = 25
UNPACED = {"KEEPSAKE_CALLS_PER_MINUTE": "0"}
GOES_ON = 10  # events of each writer


async def test_ten_agents_write_at_once_and_build_bundles(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    memory: Memory,
    tenant: str,
    superuser_url: str,
) -> None:
    with serving({**environment, **own_database, **UNPACED}, folder) as url:
        agents = await hire(memory, url, tenant)
        await all_at_once(agents, events=EVENTS, bundle_every=8)
    print(f"turned away {sum(agent.turned_away for agent in agents)} times")

    assert sum(len(agent.acknowledged) for agent in agents) == AGENTS * EVENTS
    ensure_nothing_lost_doubled_or_mixed(agents, superuser_url)


@dataclass
class Writer:
    """Writes without a name, so that what was not acknowledged may or may not be there, until it is told to stop."""

    number: int
    url: str
    key: str
    acknowledged: dict[str, str] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    is_over: bool = False

    async def write(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=f"{self.url}/api/v1/", headers=headers, timeout=STUCK) as client:
            number = 0
            while not self.is_over:
                number += 1
                await self.record(client, f"writer {self.number} says {number}")

    async def record(self, client: httpx.AsyncClient, words: str) -> None:
        sent = {"session_id": f"s{self.number}", "user_id": "ada", "actor": {"type": "agent", "id": "a"}}
        try:
            answer = await client.post("events", json={**sent, "kind": "message", "content": {"text": words}})
        except httpx.TransportError:
            await asyncio.sleep(LOOK_EVERY)
            return
        self.statuses.append(answer.status_code)
        if answer.status_code == 201:
            self.acknowledged[answer.json()["event_id"]] = words
        else:
            assert answer.headers["retry-after"], answer.text
            assert answer.headers["content-type"] == "application/problem+json"
            await asyncio.sleep(LOOK_EVERY)


async def all_go_on(writers: list[Writer]) -> None:
    """Until each has heard that some more of its events were kept."""
    before = [len(writer.acknowledged) for writer in writers]

    def went_on() -> bool:
        return all(len(writer.acknowledged) >= count + GOES_ON for writer, count in zip(writers, before, strict=True))

    await eventually(went_on)


def ensure_kept(writers: list[Writer], url: str, tenant: str) -> None:
    """Everything that was acknowledged; of the rest, all of a row or none; numbered without gaps."""
    with psycopg.connect(url) as admin:
        events = admin.execute(
            "SELECT id, conversation_id, seq, content ->> 'text' FROM events WHERE tenant_id = %s", (tenant,)
        ).fetchall()
        chunks = admin.execute("SELECT event_id, text FROM chunks WHERE tenant_id = %s", (tenant,)).fetchall()
    kept = {id: words for id, _, _, words in events}
    for writer in writers:
        assert writer.acknowledged.items() <= kept.items()
    assert dict(chunks) == kept
    for conversation in {row[1] for row in events}:
        numbers = sorted(row[2] for row in events if row[1] == conversation)
        assert numbers == list(range(len(numbers)))
    print(f"{len(kept)} events, {sum(len(writer.acknowledged) for writer in writers)} acknowledged")


async def test_what_was_acknowledged_survives_kill_nine_of_two_daemons(
    environment: dict[str, str], own_database: dict[str, str], folder: Path, key: str, tenant: str, superuser_url: str
) -> None:
    """Each is killed in the middle of a transaction, and after one that it has not answered yet, while the other one
    goes on; in the end both are gone."""
    armings = [Arming(folder / "one"), Arming(folder / "two")]
    settings = [{**environment, **own_database, **UNPACED, "KEEPSAKE_PORT": str(free_port())} for _ in armings]
    writers = [Writer(number, f"http://127.0.0.1:{settings[number % 2]['KEEPSAKE_PORT']}", key) for number in range(6)]
    async with asyncio.TaskGroup() as group:
        for writer in writers:
            group.create_task(writer.write())
        for points in (("event in a transaction", "event committed"), ("event committed", "event in a transaction")):
            with (
                started(settings[0], folder, armed=armings[0]) as (_, one),
                started(settings[1], folder, armed=armings[1]) as (_, two),
            ):
                await all_go_on(writers)
                for arming, point, daemon in zip(armings, points, (one, two), strict=True):
                    arming.kill_at(point)
                    await asyncio.to_thread(daemon.wait)
                    assert arming.was_hit
        for writer in writers:
            writer.is_over = True

    assert {status for writer in writers for status in writer.statuses} == {201}
    ensure_kept(writers, superuser_url, tenant)


@pytest.fixture(scope="module")
def away(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    with taken_away(run_folder, tmp_path_factory.mktemp("away")) as made:
        yield made


@pytest.mark.parametrize("how", ["gone", "hanging"])
async def test_while_the_database_is_away_calls_are_told_to_come_again_and_nothing_acknowledged_is_lost(
    environment: dict[str, str], folder: Path, away: Away, tenant: str, how: str
) -> None:
    away.revive()
    settings = {**environment, "DATABASE_URL": away.url(APPLICATION), "KEEPSAKE_TENANT": tenant, **UNPACED}
    key = await made_key(away.url(APPLICATION), tenant)
    with serving(settings, folder, changes=NOTICES_HANGING) as url:
        writers = [Writer(number, url, key) for number in range(4)]
        async with asyncio.TaskGroup() as group:
            for writer in writers:
                group.create_task(writer.write())
            await all_go_on(writers)
            health = await asyncio.to_thread(_take_away, away, how, url, writers)
            await asyncio.to_thread(until, lambda: _health(url).is_success)
            await all_go_on(writers)
            for writer in writers:
                writer.is_over = True

    assert health.headers["retry-after"]
    assert {status for writer in writers for status in writer.statuses} == {201, 503}
    ensure_kept(writers, away.url("postgres"), tenant)


def _take_away(away: Away, how: str, url: str, writers: list[Writer]) -> httpx.Response:
    """Until every writer was told to come again. How the daemon says it is meanwhile."""

    def all_told() -> bool:
        return all(503 in writer.statuses for writer in writers)

    if how == "gone":
        away.stop()
        until(all_told)
        health = _health(url)
        away.revive()
    else:
        with away.hanging():
            until(all_told)
            health = _health(url)
    assert health.status_code == 503
    return health


def _health(url: str) -> httpx.Response:
    return httpx.get(f"{url}/healthz", timeout=STUCK, trust_env=False, verify=False)
