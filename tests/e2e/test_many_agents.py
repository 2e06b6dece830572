"""`keepsake serve` under ten agents who write a thousand events each, and under kills and outages while they write."""

import asyncio
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest

from db.embedded.house import APPLICATION
from db.engine import Database
from memory.keys import make_key
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.daemon import ALL
from tests.e2e.daemon import serving, started
from tests.e2e.program import free_port, until
from tests.e2e.test_outage import Away
from tests.many_agents import AGENTS, all_at_once, ensure_nothing_lost_doubled_or_mixed, hire

pytestmark = pytest.mark.slow

EVENTS = 1000
UNPACED = {"KEEPSAKE_CALLS_PER_MINUTE": "0", "KEEPSAKE_RECALL_MS": "3000"}


async def test_ten_agents_write_a_thousand_events_each_and_build_bundles(
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    memory: Memory,
    tenant: str,
    superuser_url: str,
) -> None:
    with serving(environment, folder, **own_database, **UNPACED) as url:
        agents = await hire(memory, url, tenant)
        began = time.monotonic()
        await all_at_once(agents, events=EVENTS, bundle_every=50)
        took = time.monotonic() - began
    bundles, turned_away = sum(agent.bundles for agent in agents), sum(agent.turned_away for agent in agents)
    print(f"{AGENTS * EVENTS} events and {bundles} bundles in {took:.0f} s, turned away {turned_away} times")

    assert turned_away < AGENTS * EVENTS / 100
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
    waits: list[float] = field(default_factory=list)
    is_over: bool = False

    async def write(self) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=f"{self.url}/api/v1/", headers=headers, timeout=60) as client:
            number = 0
            while not self.is_over:
                number += 1
                await self.record(client, f"writer {self.number} says {number}")

    async def record(self, client: httpx.AsyncClient, words: str) -> None:
        sent = {"session_id": f"s{self.number}", "user_id": "ada", "actor": {"type": "agent", "id": "a"}}
        began = time.monotonic()
        try:
            answer = await client.post("events", json={**sent, "kind": "message", "content": {"text": words}})
        except httpx.TransportError:
            await asyncio.sleep(0.05)
            return
        self.waits.append(time.monotonic() - began)
        self.statuses.append(answer.status_code)
        if answer.status_code == 201:
            self.acknowledged[answer.json()["event_id"]] = words
        else:
            assert answer.headers["retry-after"], answer.text
            assert answer.headers["content-type"] == "application/problem+json"
            await asyncio.sleep(0.1)


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
    environment: dict[str, str],
    own_database: dict[str, str],
    folder: Path,
    memory: Memory,
    tenant: str,
    superuser_url: str,
) -> None:
    _, key = await make_key(memory, tenant, scopes=ALL)
    ports, chance = [str(free_port()), str(free_port())], random.Random(11)
    writers = [Writer(number, f"http://127.0.0.1:{ports[number % 2]}", key) for number in range(6)]
    async with asyncio.TaskGroup() as group:
        for writer in writers:
            group.create_task(writer.write())
        for _ in range(4):
            await asyncio.to_thread(_serve_and_kill, environment, folder, {**own_database, **UNPACED}, ports, chance)
        for writer in writers:
            writer.is_over = True

    assert min(len(writer.acknowledged) for writer in writers) > 0
    assert {status for writer in writers for status in writer.statuses} == {201}
    ensure_kept(writers, superuser_url, tenant)


def _serve_and_kill(
    environment: dict[str, str], folder: Path, settings: dict[str, str], ports: list[str], chance: random.Random
) -> None:
    with (
        started(environment, folder, **settings, KEEPSAKE_PORT=ports[0]) as (_, one),
        started(environment, folder, **settings, KEEPSAKE_PORT=ports[1]) as (_, two),
    ):
        time.sleep(chance.uniform(1, 3))
        one.kill()
        time.sleep(chance.uniform(0.1, 1))
        two.kill()
        one.wait()
        two.wait()


@pytest.fixture(scope="module")
def away(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Away]:
    made = Away(tmp_path_factory.mktemp("away"))
    yield made
    made.server.leave()


@pytest.mark.parametrize("how", ["gone", "hanging"])
async def test_while_the_database_is_away_calls_are_told_to_come_again_and_nothing_acknowledged_is_lost(
    environment: dict[str, str], folder: Path, away: Away, tenant: str, how: str
) -> None:
    away.revive()
    settings = {"DATABASE_URL": away.url(APPLICATION), "KEEPSAKE_TENANT": tenant, **UNPACED}
    database = Database(away.url(APPLICATION))
    _, key = await make_key(Memory(database, Keyring((b"x" * 32,))), tenant, scopes=ALL)
    await database.close()
    with serving(environment, folder, **settings) as url:
        writers = [Writer(number, url, key) for number in range(4)]
        async with asyncio.TaskGroup() as group:
            for writer in writers:
                group.create_task(writer.write())
            await all_go_on(writers)
            health, again = await asyncio.to_thread(_take_away, away, how, url)
            await all_go_on(writers)
            for writer in writers:
                writer.is_over = True

    assert (health.status_code, again.status_code) == (503, 200)
    assert health.headers["retry-after"]
    assert {status for writer in writers for status in writer.statuses} == {201, 503}
    assert max(wait for writer in writers for wait in writer.waits) < 25
    ensure_kept(writers, away.url("postgres"), tenant)


async def all_go_on(writers: list[Writer]) -> None:
    """Until each has heard that twenty more of its events were kept."""
    before = [len(writer.acknowledged) for writer in writers]

    def went_on() -> bool:
        return all(len(writer.acknowledged) >= count + 20 for writer, count in zip(writers, before, strict=True))

    await asyncio.to_thread(until, went_on, 120)


def _take_away(away: Away, how: str, url: str) -> tuple[httpx.Response, httpx.Response]:
    """How it says it is while the database is away, and after."""
    with httpx.Client(timeout=60, trust_env=False) as client:
        if how == "gone":
            away.stop()
            time.sleep(3)
            health = client.get(f"{url}/healthz")
            away.revive()
        else:
            with away.hanging():
                time.sleep(6)
                health = client.get(f"{url}/healthz")
        deadline = time.monotonic() + 60
        while not (again := client.get(f"{url}/healthz")).is_success and time.monotonic() < deadline:
            time.sleep(0.2)
        return health, again
