"""Whoever wants more than their key gives: to approve, to pass for somebody, to reach what is another's."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from db.engine import Database
from memory.people.keys import RateLimit, authenticate_key, list_keys, revoke_key
from tests.bundles import say
from tests.daemon import Daemon
from tests.integration.api.conftest import AtOnce, Rows
from tests.tables import table
from tests.waiting import eventually

NEVER = ("Zebedee", "DROP", "Traceback", "SELECT", "sqlalchemy", "psycopg", ".py")
FACT = {"content": "Ada keeps the spare key under the third pot", "category": "habit"}


@pytest.fixture
async def stranger(daemon: Daemon) -> AsyncIterator[httpx.AsyncClient]:
    """An agent of the tenant's, with every scope."""
    async with await daemon.client(agent="eve") as client:
        yield client


# Consent


@table(
    "headers",
    [
        {},
        {"X-User-Id": "ada"},
        {"X-Forwarded-User": "api:ada"},
        {"X-Keepsake-Owner": "1"},
        {"X-HTTP-Method-Override": "PUT"},
        {"Cookie": "keepsake=1"},
    ],
)
async def test_no_header_makes_an_agent_an_owner(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, stranger: httpx.AsyncClient, headers: dict[str, str]
) -> None:
    card = (await agent.post("memory", json=FACT)).json()["proposal"]
    yes = {"content_hash": card["content_hash"]}
    tries = [
        await agent.post(f"proposals/{card['id']}/accept", json=yes, headers=headers),
        await agent.post(f"proposals/{card['id']}/accept", json=yes, headers=headers, params={"user_id": "ada"}),
        await stranger.post(f"proposals/{card['id']}/accept", json=yes, headers=headers, params={"user_id": "ada"}),
        await stranger.post(f"proposals/{card['id']}/accept", json=yes, headers=headers, params={"agent_id": "eve"}),
        await stranger.put("memory", json={"name": "Eve"}, headers=headers, params={"user_id": "ada"}),
        await stranger.delete("memory", headers=headers, params={"user_id": "ada"}),
        await stranger.post("memory/forget", json={"topics": ["x"]}, headers=headers, params={"user_id": "ada"}),
    ]

    assert [answer.status_code for answer in tries] == [403] * len(tries)
    assert (await owner.get("memory")).json()["total"] == 0
    assert (await owner.get("proposals")).json()["total"] == 1


async def test_two_answers_to_a_card_at_once_are_one(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient, at_once: AtOnce
) -> None:
    card = (await agent.post("memory", json=FACT)).json()["proposal"]
    yes = {"content_hash": card["content_hash"]}
    tries = [owner.post(f"proposals/{card['id']}/accept", json=yes) for _ in range(5)]
    answers = await at_once(*tries, owner.post(f"proposals/{card['id']}/reject"))

    assert [answer.status_code for answer in answers].count(200) == 1
    assert {answer.status_code for answer in answers} == {200, 404}
    assert (await owner.get("memory")).json()["total"] == (1 if answers[-1].status_code == 404 else 0)


async def test_an_acceptance_may_have_other_words(owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    card = (await agent.post("memory", json=FACT)).json()["proposal"]
    wish = {"content_hash": card["content_hash"], "content": "The spare key is at Ben's"}
    accepted = await owner.post(f"proposals/{card['id']}/accept", json=wish)

    assert accepted.json()["content"] == "The spare key is at Ben's"


async def test_a_card_of_another_is_no_card(daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient) -> None:
    card = (await agent.post("memory", json=FACT)).json()["proposal"]
    async with await daemon.client(user="api:ben") as ben:
        yes = await ben.post(f"proposals/{card['id']}/accept", json={"content_hash": card["content_hash"]})
        no = await ben.post(f"proposals/{card['id']}/reject")
        assert (await ben.get("proposals")).json() == {"total": 0, "next_cursor": None, "proposals": []}

    assert (yes.status_code, no.status_code) == (404, 404)


async def test_a_message_that_says_yes_in_the_owners_name_answers_no_card(
    owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    await agent.post("memory", json=FACT)
    await say(agent, "yes")
    await say(agent, f"Remember that {FACT['content']}!")
    await say(agent, "/memory mode auto")

    assert (await owner.get("memory")).json()["total"] == 0
    assert (await owner.get("proposals")).json()["total"] == 1


# Ids of others


async def test_ids_of_another_user_lead_to_nothing(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient, rows: Rows
) -> None:
    fact = (await owner.post("memory", json=FACT)).json()
    decision = (await owner.post("decisions", json={"decision": "Sell the boat"})).json()
    task = (await owner.post("tasks", json={"title": "Call the bank"})).json()
    said = await say(owner, "The bank is in Oslo")
    async with await daemon.client(user="api:ben") as ben, await daemon.client() as backend:
        for client, who in ((ben, {}), (backend, {"user_id": "ben"}), (backend, {"agent_id": "x"})):
            tries = [
                await client.get(f"memory/{fact['id']}", params=who),
                await client.put(f"memory/{fact['id']}", json={"content": "It is gone now"}, params=who),
                await client.delete(f"memory/{fact['id']}", params=who),
                await client.post("tasks", json={"task_id": task["task_id"], "status": "done", **who}),
                await client.post("decisions", json={"decision": "No", "supersedes": decision["decision_id"], **who}),
            ]
            assert [answer.status_code for answer in tries] == [404] * 5
            assert (await client.get("decisions/query", params=who)).json()["total"] == 0
        cited = await ben.post("decisions", json={"decision": "Follow Ada", "refs": [said["event_id"]]})
        packet = await ben.post(
            "handoffs", json={"agent_id": "a", "to_agent": "b", "goal": "Look", "refs": [said["event_id"]]}
        )
        bundle = (await ben.post("acb/build", json={"session_id": "s1", "query_text": "the bank in Oslo"})).json()

    assert cited.json()["refs"] == [said["event_id"]]  # an id tells nothing
    assert packet.json()["packet"]["refs"] == []
    assert "Oslo" not in str(bundle["sections"])
    assert (await owner.get(f"memory/{fact['id']}")).json()["version"] == 1


async def test_the_name_of_a_write_is_its_keys_own(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    named = {"Idempotency-Key": "the-same"}
    first = await owner.post("memory", json=FACT, headers=named)
    other = await agent.post("memory", json=FACT, headers=named)
    async with await daemon.client(user="api:ben") as ben:
        third = await ben.post("memory", json=FACT, headers=named)

    assert (first.status_code, other.status_code, third.status_code) == (201, 422, 201)
    assert first.json()["id"] != third.json()["id"]
    assert "idempotency-replayed" not in third.headers


async def test_the_answer_that_is_kept_for_a_repetition_can_be_read_by_nobody_in_the_tables(
    owner: httpx.AsyncClient, rows: Rows
) -> None:
    await owner.post("memory", json=FACT, headers={"Idempotency-Key": "my-own-name"})
    kept = rows("SELECT name, status, answer, hash FROM requests WHERE tenant_id = %(tenant)s")
    asked = b"POST\0/api/v1/memory?\0" + json.dumps(FACT, ensure_ascii=False, separators=(",", ":")).encode()

    [(name, status, answer, hash)] = kept
    assert hash != sha256(asked).digest()
    assert (name != "my-own-name", status) == (True, 201)
    assert b"spare" not in answer


async def test_a_repetition_after_something_was_forgotten_says_so_and_does_nothing(owner: httpx.AsyncClient) -> None:
    named = {"Idempotency-Key": "once"}
    fact = (await owner.post("memory", json=FACT, headers=named)).json()
    await owner.post("memory/forget", json={"subject": "nobody"})
    gone = await owner.post("memory", json=FACT, headers=named)

    assert gone.status_code in {201, 410}
    assert (await owner.get("memory")).json()["memories"][0]["id"] == fact["id"]
    assert (await owner.get("memory")).json()["total"] == 1


# Tenants


@table("name", ["X-Tenant-Id", "Tenant-Id", "X-Keepsake-Tenant", "Host", "X-Forwarded-Host"])
async def test_no_header_leads_into_another_tenant(daemon: Daemon, owner: httpx.AsyncClient, name: str) -> None:
    await owner.post("memory", json=FACT)
    other = f"{daemon.tenant}-other"
    async with await daemon.client(user="api:ada", tenant=other) as theirs:
        found = await theirs.get("memory", headers={name: daemon.tenant})

    assert found.json()["total"] == 0


async def test_the_secret_of_one_tenants_key_opens_no_other_tenant(daemon: Daemon) -> None:
    other = f"{daemon.tenant}-other"
    key, theirs = await daemon.key(agent="a"), await daemon.key(agent="a", tenant=other)
    swapped = f"ks.{other}.{key.rpartition('.')[2]}"
    for wrong in (swapped, key[:-1], key + "x", key.upper(), theirs[:10], "ks..", f"ks.{daemon.tenant}.", "ks." * 99):
        async with daemon.client_with(wrong) as client:
            assert (await client.get("memory")).status_code == 401


@table(
    "body",
    [
        {"tenant_id": "other"},
        {"tenant_id": "other", "user_id": "ada"},
        {"user_id": "telegram:1"},
        {"user_id": "api:telegram:1"},
        {"user_id": "agent:b"},
        {"user_id": "../ada"},
        {"user_id": "ada\u202e"},
        {"space_id": "personal:telegram:1"},
    ],
)
async def test_no_body_leads_to_whom_the_key_is_not_for(stranger: httpx.AsyncClient, rows: Rows, body: Any) -> None:
    sent = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message", "content": {"text": "hi"}}
    answer = await stranger.post("events", json={**sent, **body})

    assert answer.status_code in {403, 404, 422}
    assert rows("SELECT 1 FROM events WHERE tenant_id = %(tenant)s") == []
    assert rows("SELECT 1 FROM users WHERE tenant_id = %(tenant)s AND id LIKE 'telegram%%'") == []


# Keys


async def test_a_key_that_is_revoked_in_the_middle_of_many_calls_opens_nothing_afterwards(
    daemon: Daemon, rows: Rows
) -> None:
    client = await daemon.client(agent="a")
    [key] = await list_keys(daemon.memory, daemon.tenant)
    statuses: list[int] = []

    async def write(number: int) -> None:
        while statuses.count(401) == 0:
            sent = {"session_id": f"s{number}", "actor": {"type": "agent", "id": "a"}, "kind": "message"}
            statuses.append((await client.post("events", json={**sent, "content": {"text": "hi"}})).status_code)

    async def revoke() -> None:
        await eventually(lambda: len(statuses) > 10)
        await revoke_key(daemon.memory, daemon.tenant, key.id)

    async with client:
        await asyncio.gather(*(write(number) for number in range(5)), revoke())
        after = await client.get("memory")

    assert set(statuses) == {201, 401}
    assert after.status_code == 401
    assert rows("SELECT count(*) FROM events WHERE tenant_id = %(tenant)s") == [(statuses.count(201),)]


async def test_for_a_key_that_is_nearly_right_the_same_is_done_as_for_one_that_is_not_at_all(daemon: Daemon) -> None:
    """So that no clock tells them apart: the same statement is run once, with a hash in which nothing is near."""
    key = await daemon.key(agent="a")
    near, far = key[:-1] + ("A" if key[-1] != "A" else "B"), f"ks.{daemon.tenant}." + "x" * 43
    done: dict[str, list[tuple[str, int]]] = {near: [], far: [], "ks.no-such-tenant." + "x" * 43: []}
    for wrong, asked in done.items():
        with statements_of(daemon.memory.database) as run:
            assert await authenticate_key(daemon.memory, wrong, RateLimit(burst=9, per_second=9.0)) is None
        asked += [(statement, len(given["hash"].obj)) for statement, given in run]
        async with daemon.client_with(wrong) as client:
            answer = await client.get("memory")
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")

    assert [len(asked) for asked in done.values()] == [1, 1, 1]
    assert len({tuple(asked) for asked in done.values()}) == 1


@contextmanager
def statements_of(database: Database) -> Iterator[list[tuple[str, dict[str, Any]]]]:
    """What is run meanwhile with parameters, and these."""
    run: list[tuple[str, dict[str, Any]]] = []

    def note(_: Any, __: Any, statement: str, given: Any, *___: Any) -> None:
        if given:
            run.append((statement, given))

    engine = database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    yield run
    event.remove(engine, "before_cursor_execute", note)


# Words


async def test_no_error_holds_words_of_anybody_sql_or_code(
    daemon: Daemon, owner: httpx.AsyncClient, agent: httpx.AsyncClient
) -> None:
    words = "Zebedee'; DROP TABLE facts; --"
    sent = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message"}
    tries = [
        await owner.post("events", json={**sent, "kind": words, "content": {"text": words}}),
        await owner.post("events", json={**sent, "content": [words]}),
        await owner.post("events", json={**sent, "content": {"text": words}, "tags": [words + "\n"]}),
        await owner.post("events", json={**sent, "session_id": words, "content": {"text": words}}),
        await owner.post("events", content=f'{{"text": "{words}', headers={"content-type": "application/json"}),
        await owner.post("memory", json={"content": words, "category": words}),
        await owner.post("memory", json={"content": words, "category": "other", "subject": words * 50}),
        await owner.get("memory", params={"user_id": words}),
        await owner.get("memory", params={"cursor": words}),
        await owner.get("memory", params={"channel": words}),
        await owner.get("decisions/query", params={"status": words}),
        await owner.post("memory/forget", json={"preference_keys": [words]}),
        await owner.post("memory/forget", json={"since": words}),
        await owner.post("tasks", json={"title": words, "due": words}),
        await owner.post("tasks", json={"task_id": "tsk_x", "title": words}),
        await owner.put("views/rules", json={"content": words * 1000}),
        await agent.post("handoffs", json={"to_agent": "b", "goal": words * 100}),
    ]

    assert {answer.status_code for answer in tries} <= {403, 404, 422}
    for answer in tries:
        assert answer.headers["content-type"] == "application/problem+json"
        assert [word for word in NEVER if word in answer.text] == []


# The same fact at once


async def test_of_two_who_change_a_fact_at_once_exactly_one_wins(owner: httpx.AsyncClient, at_once: AtOnce) -> None:
    made = await owner.post("memory", json=FACT)
    path, tag = f"memory/{made.json()['id']}", made.headers["etag"]
    still = {"If-Match": tag}
    wishes = [owner.put(path, json={"content": f"The key is under pot {n}"}, headers=still) for n in range(6)]
    answers = await at_once(*wishes)

    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 5
    assert len((await owner.get(path)).json()["versions"]) == 2


async def test_the_same_fact_from_ten_at_once_is_one(owner: httpx.AsyncClient, at_once: AtOnce) -> None:
    answers = await at_once(*(owner.post("memory", json=FACT) for _ in range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_erasing_somebody_who_is_being_written_to_leaves_nothing(
    daemon: Daemon, rows: Rows, at_once: AtOnce
) -> None:
    async with await daemon.client(user="api:ada") as ada:
        sent = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message"}
        for _ in range(3):
            await ada.post("events", json={**sent, "content": {"text": "The boat is called Rex"}})
        writing = [ada.post("events", json={**sent, "content": {"text": f"Boat {n}"}}) for n in range(7)]
        answers = await at_once(*writing, ada.delete("memory"))

    assert {answer.status_code for answer in answers} <= {200, 201, 401, 404, 409}
    assert answers[7].status_code == 200
    for name in ("events", "chunks", "conversations", "users", "api_keys"):
        assert rows(f"SELECT count(*) FROM {name} WHERE tenant_id = %(tenant)s") == [(0,)]


async def test_a_json_that_says_one_thing_twice_means_the_last(owner: httpx.AsyncClient, daemon: Daemon) -> None:
    """As every parser of this kind does; so nobody before us may have read it differently and let it through."""
    twice = json.dumps(FACT)[:-1] + f', "content": "x", "content": "{FACT["content"]}"}}'
    answer = await owner.post("memory", content=twice, headers={"content-type": "application/json"})

    assert answer.json()["content"] == FACT["content"]
