"""API keys on a database: whose word each carries, how often it may call, and that only whoever has it gets in."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.engine import NOBODY, Database
from db.errors import WriteRefused
from db.queries.people import keys as queries
from db.queries.people.people import is_known
from db.queries.people.tenants import tenants
from db.viewer import Viewer
from db.vocabulary import Channel, Scope
from memory.errors import NotFound, Refused
from memory.people.keys import RateLimit, authenticate_key, list_keys, make_key, revoke_key
from memory.privacy.forgetting.forget import erase
from memory.unit import Memory
from tests.waiting import eventually_async

SLOW = RateLimit(burst=3, per_second=0.001)  # one in a thousand seconds: while a test runs, none comes free by itself
Wind = Callable[[str], None]


@pytest.fixture
def wind(superuser: psycopg.Connection, tenant: str) -> Wind:
    """Sets when the last call would have come, for all keys of the test: so time passes, or the clock jumps."""

    def set_to(moment: str) -> None:
        superuser.execute(f"UPDATE api_keys SET paced_until = {moment} WHERE tenant_id = %s".encode(), (tenant,))

    return set_to


async def calls(memory: Memory, key: str, count: int, pace: RateLimit = SLOW) -> list[bool]:
    """Whether each call was let in."""
    bearers = [await authenticate_key(memory, key, pace) for _ in range(count)]
    return [each.admission.wait == 0 for each in bearers if each]


async def let_in(memory: Memory, key: str, pace: RateLimit) -> bool:
    return await calls(memory, key, 1, pace) == [True]


async def test_a_key_is_admitted_as_what_it_was_made_for(memory: Memory, tenant: str, ada: Viewer) -> None:
    made: list[dict[str, Any]] = [
        {"user": ada.person},
        {"user": ada.person, "agent": "coder", "scopes": (Scope.READ,)},
        {"agent": "coder", "scopes": (Scope.ADMIN,)},
        {},
    ]
    for whose in made:
        key_id, secret = await make_key(memory, tenant, **whose)
        bearer = await authenticate_key(memory, secret, SLOW)
        assert bearer
        assert (bearer.tenant, bearer.admission.key_id) == (tenant, key_id)
        assert (bearer.admission.user, bearer.admission.agent) == (whose.get("user"), whose.get("agent"))
        assert bearer.admission.scopes == set(whose.get("scopes", (Scope.READ, Scope.WRITE)))
        assert bearer.is_owner is ("user" in whose and "agent" not in whose)
    assert [(row.user, row.agent) for row in await list_keys(memory, tenant)] == [
        (each.get("user"), each.get("agent")) for each in made
    ]


async def test_a_user_of_the_api_is_known_by_their_first_key_and_nobody_else_is(
    memory: Memory, tenant: str, ada: Viewer
) -> None:
    newcomer = Viewer.in_private(tenant, "api:grace")
    keys = await asyncio.gather(*(make_key(memory, tenant, user="api:grace") for _ in range(5)))

    assert len({secret for _, secret in keys}) == 5
    async with memory.unit(newcomer, read_only=True) as unit:
        assert await is_known(unit.session, newcomer)
    for stranger in ("telegram:1", "terminal:root", "agent:coder", "grace", "personal:api:grace", "API:grace", ""):
        with pytest.raises(NotFound):
            await make_key(memory, tenant, user=stranger)
    assert len(await list_keys(memory, tenant)) == 5


async def test_a_person_of_one_tenant_gets_no_key_in_another(memory: Memory, tenant: str, ada: Viewer) -> None:
    with pytest.raises(NotFound):
        await make_key(memory, f"{tenant}-other", user=ada.person)
    async with memory.database.transaction(NOBODY, read_only=True) as session:
        assert f"{tenant}-other" not in await tenants(session)


async def test_a_key_with_a_wrong_part_is_refused_and_not_made(memory: Memory, tenant: str) -> None:
    parts: list[dict[str, Any]] = [
        {"agent": ""},
        {"agent": "a b"},
        {"agent": "-a"},
        {"agent": "a" * 65},
        {"agent": "a\n"},
        {"user": "api:"},
        {"user": "api:\n"},
        {"user": f"api:{'a' * 65}"},
        {"scopes": ()},
        {"name": "x" * 101},
    ]
    made = []
    for wrong in parts:
        with suppress(Refused):
            made.append((wrong, await make_key(memory, tenant, **wrong)))

    assert not made, made
    assert await list_keys(memory, tenant) == []


async def test_a_tenant_has_a_name_that_fits_into_a_key(memory: Memory) -> None:
    for name in ("", "a b", "a.b", "x" * 65, "a\n", "ü", "a\0b", "'; DROP TABLE api_keys"):
        with pytest.raises(Refused, match="The name of a tenant"):
            await make_key(memory, name)


async def test_what_is_no_key_is_nobodys(memory: Memory, tenant: str) -> None:
    _, secret = await make_key(memory, tenant)
    own = secret.rpartition(".")[2]
    wrong = [
        "",
        "ks",
        own,
        f"ks.{own}",
        f" {secret}",
        f"{secret}\n",
        f"{secret}A",
        secret[:-1],
        secret.upper(),
        f"ks.{tenant}-other.{own}",
        f"ks.{tenant}.{'A' * 43}",
        f"ks.{'x' * 65}.{own}",
        f"ks.{tenant}'--.{own}",
        f"ks.{tenant}.{own[:-1]}é",
        "ks." + "a" * 1_000_000,
        "\ud800" * 43,
    ]
    assert [each for each in wrong if await authenticate_key(memory, each, SLOW) is not None] == []
    assert await calls(memory, secret, 3) == [True] * 3  # and none of that was counted


async def test_a_burst_is_let_in_and_then_one_by_one(memory: Memory, tenant: str, wind: Wind) -> None:
    _, secret = await make_key(memory, tenant)

    assert await calls(memory, secret, 5) == [True] * 3 + [False] * 2
    wind("paced_until - interval '1000 seconds'")
    assert await calls(memory, secret, 2) == [True, False]
    wind("paced_until - interval '1 day'")
    assert await calls(memory, secret, 4) == [True] * 3 + [False]  # a day saves up no more


async def test_who_comes_too_early_is_told_how_long_to_wait_and_not_made_to_wait_longer(
    memory: Memory, tenant: str
) -> None:
    _, secret = await make_key(memory, tenant)
    await calls(memory, secret, 3)
    waits = []
    for _ in range(10):
        bearer = await authenticate_key(memory, secret, SLOW)
        assert bearer
        waits.append(bearer.admission.wait)

    assert 500 < waits[0] <= 1000
    assert waits == sorted(waits, reverse=True)


async def test_two_processes_count_together(memory: Memory, tenant: str, app_url: str) -> None:
    _, secret = await make_key(memory, tenant)
    other = Database(app_url)
    pace = RateLimit(burst=10, per_second=0.001)
    both = (memory, replace(memory, database=other))
    bearers = await asyncio.gather(*(authenticate_key(both[number % 2], secret, pace) for number in range(40)))
    await other.close()

    waits = [each.admission.wait for each in bearers if each]
    assert sorted(wait > 0 for wait in waits) == [False] * 10 + [True] * 30


async def test_one_key_does_not_wait_for_another(memory: Memory, tenant: str) -> None:
    (_, busy), (_, idle) = await make_key(memory, tenant), await make_key(memory, tenant)
    await calls(memory, busy, 4)

    assert await calls(memory, idle, 3) == [True] * 3


@pytest.mark.parametrize("ahead", ["1 hour", "10 years"])
async def test_a_clock_that_jumped_back_locks_nobody_out(memory: Memory, tenant: str, wind: Wind, ahead: str) -> None:
    """What was counted in a future that is none any more costs a full bucket at most."""
    quick = RateLimit(burst=3, per_second=2.0)
    _, secret = await make_key(memory, tenant)
    await calls(memory, secret, 1, quick)
    wind(f"now() + interval '{ahead}'")
    bearer = await authenticate_key(memory, secret, quick)
    assert bearer
    assert 0 < bearer.admission.wait <= 1 / quick.per_second
    await eventually_async(lambda: let_in(memory, secret, quick))


async def test_a_pace_that_is_raised_holds_at_once(memory: Memory, tenant: str) -> None:
    quick = RateLimit(burst=3, per_second=5.0)
    _, secret = await make_key(memory, tenant)
    await calls(memory, secret, 4)
    await calls(memory, secret, 1, quick)
    await eventually_async(lambda: let_in(memory, secret, quick))


async def test_without_a_limit_a_key_never_waits(memory: Memory, tenant: str) -> None:
    _, secret = await make_key(memory, tenant)
    unbounded = RateLimit(burst=1_000_000, per_second=1_000_000.0)

    assert await calls(memory, secret, 30, unbounded) == [True] * 30


async def test_a_revoked_key_opens_nothing_in_any_process(memory: Memory, tenant: str, app_url: str) -> None:
    other = replace(memory, database=Database(app_url))
    key_id, secret = await make_key(memory, tenant, user="api:ada")
    _, stays = await make_key(memory, tenant, user="api:ada")
    assert await authenticate_key(other, secret, SLOW)
    await revoke_key(memory, tenant, key_id)

    assert await authenticate_key(other, secret, SLOW) is None
    assert await authenticate_key(memory, secret, SLOW) is None
    assert await authenticate_key(memory, stays, SLOW)
    await other.database.close()


async def test_a_key_is_revoked_by_its_own_tenant_and_once(memory: Memory, tenant: str) -> None:
    key_id, secret = await make_key(memory, tenant)
    for whose, which in ((f"{tenant}-other", key_id), (tenant, "key_nonsense"), (tenant, ""), (tenant, "' OR true")):
        with pytest.raises(NotFound):
            await revoke_key(memory, whose, which)
    assert await authenticate_key(memory, secret, SLOW)
    await revoke_key(memory, tenant, key_id)
    with pytest.raises(NotFound):
        await revoke_key(memory, tenant, key_id)


async def test_when_a_key_was_last_used_is_told_and_a_call_too_early_is_no_use(memory: Memory, tenant: str) -> None:
    _, secret = await make_key(memory, tenant)
    [unused] = await list_keys(memory, tenant)
    await calls(memory, secret, 3)
    [used] = await list_keys(memory, tenant)
    await calls(memory, secret, 1)
    [refused] = await list_keys(memory, tenant)

    assert unused.last_used_at is None
    assert used.last_used_at is not None
    assert refused == used


async def test_the_hash_of_one_tenants_key_opens_nothing_in_another(memory: Memory, tenant: str) -> None:
    _, secret = await make_key(memory, tenant)
    hash = sha256(secret.encode()).digest()
    for viewer, is_found in ((Viewer.nobody(tenant), True), (Viewer.nobody(f"{tenant}-other"), False), (NOBODY, False)):
        async with memory.database.transaction(viewer) as session:
            found = await queries.admit(session, hash, burst=10, a_second=1.0)
        assert (found is not None) is is_found


async def test_who_is_erased_leaves_no_key(memory: Memory, tenant: str) -> None:
    _, secret = await make_key(memory, tenant, user="api:ada")
    _, other = await make_key(memory, tenant, user="api:ben")
    await erase(memory, tenant, "api:ada")

    assert await authenticate_key(memory, secret, SLOW) is None
    assert await authenticate_key(memory, other, SLOW)
    assert [row.user for row in await list_keys(memory, tenant)] == ["api:ben"]


async def test_keys_are_seen_by_whom_they_belong_to_and_listed_by_nobody_else_than_nobody(
    memory: Memory, tenant: str, ada: Viewer, ben: Viewer
) -> None:
    hers, _ = await make_key(memory, tenant, user=ada.person, name="my phone")
    tenants_own, _ = await make_key(memory, tenant, agent="coder", name="backend")
    seen = {
        ada: {hers},
        ben: set(),
        replace(ada, channel=Channel.TEAM): set(),
        replace(ada, tenant=f"{tenant}-other"): set(),
        Viewer.nobody(tenant): {tenants_own},
        NOBODY: set(),
    }
    for viewer, expected in seen.items():
        async with memory.database.transaction(viewer, read_only=True) as session:
            assert set((await session.execute(text("SELECT id FROM api_keys"))).scalars()) == expected, viewer
            found = await queries.keys(session)
            listed = {row.id for row in found}
            assert {row.name for row in found} <= {""}  # which are words of theirs
        assert listed == ({hers, tenants_own} if viewer == Viewer.nobody(tenant) else set()), viewer
    assert [row.name for row in await list_keys(memory, tenant)] == ["my phone", "backend"]


async def test_nothing_of_a_key_changes_but_that_it_ends(memory: Memory, tenant: str, ada: Viewer) -> None:
    await make_key(memory, tenant, user=ada.person)
    for column in ("hash", "scopes", "user_id", "agent_id", "paced_until", "last_used_at", "name"):
        with pytest.raises(WriteRefused, match="permission denied"):
            async with memory.database.transaction(ada) as session:
                await session.execute(text(f"UPDATE api_keys SET {column} = NULL"))
