"""Who may call: keys of tenants, agents and people, what each may do, how often, and what is done once."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db.vocabulary import Scope
from memory.people.keys import list_keys, revoke_key
from tests.daemon import Daemon, running
from tests.integration.api.conftest import AtOnce
from tests.tables import table

MESSAGE = {
    "session_id": "s1",
    "channel": "private",
    "actor": {"type": "human", "id": "user"},
    "kind": "message",
    "content": {"text": "The boat is called Rex"},
}


@table("header", [None, "Bearer", "Bearer ks.home.no", "Basic a2V5", "Bearer ks.home." + "x" * 43])
async def test_without_a_key_there_is_no_way_in(daemon: Daemon, header: str | None) -> None:
    async with daemon.client_with(None) as client:
        answer = await client.get("memory", headers={"Authorization": header} if header else {})

    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_revoked_key_opens_nothing_from_that_moment_on(daemon: Daemon) -> None:
    async with await daemon.client(agent="a") as client:
        before = (await client.get("memory")).status_code
        [key] = await list_keys(daemon.memory, daemon.tenant)
        await revoke_key(daemon.memory, daemon.tenant, key.id)

        assert (before, (await client.get("memory")).status_code) == (200, 401)


@table(
    ("scopes", "read", "written"),
    [((Scope.READ,), 200, 403), ((Scope.WRITE,), 403, 201), ((Scope.ADMIN,), 200, 201)],
)
async def test_a_key_does_what_its_scopes_allow(
    daemon: Daemon, scopes: tuple[Scope, ...], read: int, written: int
) -> None:
    async with await daemon.client(agent="a", scopes=scopes) as client:
        assert (await client.get("memory")).status_code == read
        assert (await client.post("events", json=MESSAGE)).status_code == written


async def test_erasing_needs_the_scope_admin(daemon: Daemon) -> None:
    async with await daemon.client(user="api:ada", scopes=(Scope.READ, Scope.WRITE)) as client:
        assert (await client.delete("memory")).status_code == 403


@table(
    ("whose", "asked", "status"),
    [
        ({"agent": "a"}, {"user_id": "ada"}, 200),
        ({"agent": "a"}, {"user_id": "telegram:1"}, 403),
        ({"agent": "a"}, {"user_id": "terminal:root"}, 403),
        ({"agent": "a"}, {"agent_id": "b"}, 403),
        ({"agent": "a"}, {"tenant_id": "another"}, 403),
        ({"user": "api:ada"}, {"user_id": "ada"}, 200),
        ({"user": "api:ada"}, {"user_id": "ben"}, 403),
        ({}, {}, 422),
        ({}, {"agent_id": "a"}, 200),
        ({}, {"agent_id": "a\0b"}, 422),
        ({}, {"agent_id": "a b"}, 422),
        ({}, {"agent_id": "a" * 65, "user_id": "ada"}, 422),
        ({"agent": "a"}, {"space_id": "personal:telegram:1"}, 404),
        ({"agent": "a"}, {"space_id": "spc_of_others"}, 404),
    ],
)
async def test_a_key_is_for_whom_it_was_made(
    daemon: Daemon, whose: dict[str, str], asked: dict[str, str], status: int
) -> None:
    async with await daemon.client(**whose) as client:
        answer = await client.get("memory", params=asked)

    assert answer.status_code == status
    if status in {403, 422}:
        assert answer.json()["errors"][0]["field"] in {*asked, "user_id"}


async def test_one_tenants_key_sees_nothing_of_another_tenant_with_the_same_names(daemon: Daemon) -> None:
    other = f"{daemon.tenant}-other"
    async with await daemon.client(agent="a") as ours, await daemon.client(agent="a", tenant=other) as theirs:
        await ours.post("events", json=MESSAGE)
        asked = {"session_id": "s1", "query_text": "what is the boat called?"}
        found = (await ours.post("acb/build", json=asked)).json()
        nothing = (await theirs.post("acb/build", json=asked)).json()

    assert "Rex" in str(found["sections"])
    assert "Rex" not in str(nothing)


async def test_a_key_that_calls_too_often_waits_and_the_count_is_in_the_database(
    app_url: str, tenant: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("data")
    limit = {"KEEPSAKE_CALLS_PER_MINUTE": "1"}  # so that none comes free while the test runs
    async with running(app_url, tenant, folder, **limit) as one, running(app_url, tenant, folder, **limit) as two:
        key = await one.key(agent="a")
        async with one.client_with(key) as here, two.client_with(key) as there:
            answers = [await client.get("memory") for client in (here, there, here)]

    assert [answer.status_code for answer in answers] == [200, 429, 429]
    assert 1 <= int(answers[1].headers["retry-after"]) <= 60


async def test_a_write_that_names_itself_is_done_once(daemon: Daemon, at_once: AtOnce) -> None:
    named = {"Idempotency-Key": "5f0c"}
    async with await daemon.client(agent="a") as client:
        together = [client.post("events", json=MESSAGE, headers=named) for _ in range(5)]
        answers = await at_once(*together, table="requests")
        other = await client.post("events", json={**MESSAGE, "session_id": "s2"}, headers=named)
        bundle = (await client.post("acb/build", json={"session_id": "s1"})).json()

    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["event_id"] for answer in answers}) == 1
    assert sum("idempotency-replayed" in answer.headers for answer in answers) == 4
    assert (other.status_code, other.json()["errors"][0]["field"]) == (422, "Idempotency-Key")
    assert str(bundle["sections"]).count("The boat is called Rex") == 1


async def test_what_was_refused_may_be_tried_again_under_the_same_name(daemon: Daemon) -> None:
    named = {"Idempotency-Key": "again"}
    async with await daemon.client(user="api:ada") as client:
        await client.post("memory", json={"content": "Alec is my boss", "category": "person", "subject": "Alec"})
        wish = {"content": "Alec plays the tuba", "category": "person", "subject": "Alec"}
        refused = await client.post("memory", json=wish, headers=named)
        [fact] = (await client.get("memory")).json()["memories"]
        await client.delete(f"memory/{fact['id']}")

        assert refused.status_code == 409
        assert (await client.post("memory", json=wish, headers=named)).status_code == 201


async def drops() -> AsyncIterator[bytes]:
    """A body that does not tell its length."""
    for _ in range(40):
        yield b" " * 1000


async def test_a_body_that_is_too_long_is_refused_before_it_is_read(app_url: str, tenant: str, tmp_path: Path) -> None:
    async with (
        running(app_url, tenant, tmp_path, KEEPSAKE_REQUEST_BYTES="10000") as daemon,
        await daemon.client(agent="a") as client,
    ):
        announced = await client.post("events", json={**MESSAGE, "content": {"text": "x" * 20_000}})
        unannounced = await client.post("events", content=drops(), headers={"content-type": "application/json"})

    assert (announced.status_code, unannounced.status_code) == (413, 413)
    assert announced.headers["content-type"] == unannounced.headers["content-type"] == "application/problem+json"
