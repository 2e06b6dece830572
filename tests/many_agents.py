"""Agents of several tenants that all write and build bundles at once, some of them badly; and what was kept."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from memory.people.keys import make_key
from memory.unit import Memory
from tests.daemon import ALL
from tests.raw_http import spelled

AGENTS, TENANTS = 10, 3
SHARED = "shared"
# Whose keys the agents have, in turn: all of them work for ada.
KINDS: tuple[dict[str, str], ...] = ({}, {"user": "api:ada", "agent": "a{}"}, {"agent": "a{}"}, {"user": "api:ada"})


@dataclass
class Agent:
    """Writes one event after the other into a session of its own, every fifth into one that all of its tenant share."""

    number: int
    tenant: str
    url: str
    key: str
    whose: dict[str, str]
    chance: random.Random
    acknowledged: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the id of an event: in which session it stands, and its words."""
    bundles: int = 0
    turned_away: int = 0
    seen: list[str] = field(default_factory=list)
    """What stood in the bundles that it built."""

    @property
    def marker(self) -> str:
        return f"marker-of-{self.tenant}"

    @property
    def for_ada(self) -> dict[str, str]:
        """What a call says of whom it is for, where the key does not."""
        named = {} if "user" in self.whose else {"user_id": "ada"}
        return named if "agent" in self.whose or "user" in self.whose else {**named, "agent_id": f"a{self.number}"}

    async def work(self, events: int, bundle_every: int) -> None:
        headers = {"Authorization": f"Bearer {self.key}"}
        async with httpx.AsyncClient(base_url=f"{self.url}/api/v1/", headers=headers, timeout=300) as client:
            for number in range(events):
                await self.write(client, number)
                if number % bundle_every == 0:
                    await self.build(client)

    async def write(self, client: httpx.AsyncClient, number: int) -> None:
        session = SHARED if number % 5 == 0 else f"own-{self.number}"
        words = f"{self.marker}: agent {self.number} notes event {number} of the harbour log"
        event = {
            "session_id": session,
            "actor": {"type": "human", "id": "user"} if number % 3 else {"type": "agent", "id": f"a{self.number}"},
            "kind": "message" if number % 3 else "tool_call",
            "content": {"text": words},
            **self.for_ada,
        }
        name = {"Idempotency-Key": f"{self.number}-{number}"}
        lot = self.chance.random()
        if lot < 0.04:
            await self.break_off(event, name["Idempotency-Key"])
        posts = 2 if lot > 0.9 else 1
        named = name if lot < 0.04 or posts == 2 or lot > 0.5 else {}
        answers = await asyncio.gather(*(self.post(client, "events", event, named) for _ in range(posts)))
        assert {answer.status_code for answer in answers} == {201}, [answer.text for answer in answers]
        [event_id] = {answer.json()["event_id"] for answer in answers}
        self.acknowledged[event_id] = (session, words)

    async def post(
        self, client: httpx.AsyncClient, path: str, wish: dict[str, Any], named: dict[str, str]
    ) -> httpx.Response:
        """Whoever is told that all connections are in use comes again, as on a machine that has other things to do."""
        body, headers = spelled_out(wish), {"Content-Type": "application/json", **named}
        while (answer := await client.post(path, content=body, headers=headers)).status_code == 503:
            self.turned_away += 1
            await asyncio.sleep(float(answer.headers["retry-after"]))
        return answer

    async def break_off(self, event: dict[str, Any], name: str) -> None:
        """Send a request, whole or half, and go away without hearing the answer."""
        place = urlsplit(self.url)
        _, writer = await asyncio.open_connection(place.hostname, place.port)
        sent = spelled("POST", "/api/v1/events", spelled_out(event), key=self.key, Idempotency_Key=name)
        writer.write(sent if self.chance.random() < 0.5 else sent[: self.chance.randrange(20, len(sent))])
        with suppress(ConnectionError):
            await writer.drain()
        writer.close()

    async def build(self, client: httpx.AsyncClient) -> None:
        asked = {"session_id": SHARED, "query_text": "What stands in the harbour log?", **self.for_ada}
        answer = await self.post(client, "acb/build", asked, {})
        assert answer.status_code == 200, answer.text
        self.bundles += 1
        self.seen.append(json.dumps(answer.json()["sections"]))


def spelled_out(wish: dict[str, Any]) -> bytes:
    """The same bytes each time: a request that comes again in others is another one."""
    return json.dumps(wish).encode()


async def hire(memory: Memory, url: str, tenant: str, seed: int = 7) -> list[Agent]:
    agents = []
    for number in range(AGENTS):
        where = f"{tenant}-{number % TENANTS}"
        whose = {name: value.format(number) for name, value in KINDS[number // TENANTS % len(KINDS)].items()}
        _, key = await make_key(memory, where, scopes=ALL, **whose)
        agents.append(Agent(number, where, url, key, whose, random.Random(seed * 100 + number)))
    return agents


async def all_at_once(agents: Sequence[Agent], events: int, bundle_every: int) -> None:
    async with asyncio.TaskGroup() as group:
        for agent in agents:
            group.create_task(agent.work(events, bundle_every))


def ensure_nothing_lost_doubled_or_mixed(agents: Sequence[Agent], superuser_url: str) -> None:
    """By what stands in the tables: every event that was acknowledged, once, in sequences without gaps, each tenant's
    among its own."""
    for tenant in {agent.tenant for agent in agents}:
        ours = [agent for agent in agents if agent.tenant == tenant]
        told = {event: said for agent in ours for event, said in agent.acknowledged.items()}
        rows = _rows(superuser_url, "SELECT id, conversation_id, seq, message_seq, content FROM events", tenant)
        kept = {id: content["text"] for id, _, _, _, content in rows}
        assert kept == {event: words for event, (_, words) in told.items()}
        assert Counter(words for words in kept.values()).most_common(1)[0][1] == 1
        _ensure_numbered(rows, told, sessions=len(ours) + 1)
        chunks = _rows(superuser_url, "SELECT event_id, text FROM chunks", tenant)
        assert dict(chunks).items() <= kept.items()
        unfinished = _rows(superuser_url, "SELECT 1 FROM requests WHERE status IS NULL", tenant)
        assert unfinished == []
    for agent in agents:
        others = {other.marker for other in agents} - {agent.marker}
        assert agent.marker in agent.seen[-1]
        assert not [marker for marker in others for seen in agent.seen if marker in seen]


def _ensure_numbered(rows: Sequence[Any], told: dict[str, tuple[str, str]], *, sessions: int) -> None:
    conversations = {conversation for _, conversation, *_ in rows}
    assert len(conversations) == sessions
    for conversation in conversations:
        own = [row for row in rows if row[1] == conversation]
        assert len({told[id][0] for id, *_ in own}) == 1
        assert sorted(row[2] for row in own) == list(range(len(own)))
        spoken = sorted(row[3] for row in own if row[3] is not None)
        assert spoken == list(range(len(spoken)))


def _rows(url: str, query: str, tenant: str) -> list[Any]:
    with psycopg.connect(url) as admin:
        narrowed = f"{query} {'AND' if 'WHERE' in query else 'WHERE'} tenant_id = %s"
        return admin.execute(narrowed.encode(), (tenant,)).fetchall()
