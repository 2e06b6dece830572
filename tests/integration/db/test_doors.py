"""Writes that name themselves, what is cleared at the doors, and the names of tenants; each behind the wall."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import NOBODY, Database
from db.errors import WriteRefused
from db.queries.people import requests, web_sessions
from db.queries.people.people import welcome
from db.queries.people.tenants import know_tenant, tenants
from db.viewer import Viewer
from db.vocabulary import Channel
from tests.conftest import NOON, wait_until_blocked

FIRST, SECOND = b"1" * 32, b"2" * 32
A_DAY = timedelta(days=1)


async def begin(
    session: AsyncSession, viewer: Viewer, name: str = "n", key: str = "key_1", hash: bytes = FIRST
) -> bool:
    return await requests.begin_request(session, viewer, key_id=key, name=name, hash=hash, now=NOON)


async def begun(database: Database, viewer: Viewer, name: str = "n", key: str = "key_1", hash: bytes = FIRST) -> bool:
    """In a transaction of its own; whether the write was new."""
    async with database.transaction(viewer) as session:
        return await begin(session, viewer, name, key, hash)


async def before(database: Database, viewer: Viewer, name: str = "n") -> requests.RequestRow | None:
    async with database.transaction(viewer, read_only=True) as session:
        return await requests.request_before(session, viewer, key_id="key_1", name=name)


async def test_a_name_is_new_once_for_a_person_and_a_key(database: Database, ada: Viewer, ben: Viewer) -> None:
    assert [await begun(database, ada) for _ in range(3)] == [True, False, False]
    assert await begun(database, ada, hash=SECOND) is False
    assert await begun(database, ada, name="other")
    assert await begun(database, ada, key="key_2")
    assert await begun(database, ben)
    assert await before(database, ada) == requests.RequestRow(FIRST, None, None)  # as it was asked the first time


async def test_of_many_at_once_one_writes_and_the_others_wait_for_its_end(
    database: Database, ada: Viewer, app_url: str, superuser_url: str
) -> None:
    other, ended = Database(app_url), list[str]()

    async def second(number: int) -> bool:
        is_new = await begun((database, other)[number % 2], ada)
        ended.append("second")
        return is_new

    async with database.transaction(ada) as session:
        assert await begin(session, ada)
        waiting = [asyncio.create_task(second(number)) for number in range(4)]
        await asyncio.to_thread(wait_until_blocked, superuser_url, 4)
        assert ended == []
        await requests.keep_answer(session, ada, key_id="key_1", name="n", status=201, answer=b"sealed")
        ended.append("first")
    results = await asyncio.gather(*waiting)
    await other.close()

    assert results == [False] * 4
    assert ended[0] == "first"
    assert await before(database, ada) == requests.RequestRow(FIRST, 201, b"sealed")


async def test_what_was_rolled_back_may_be_begun_by_whoever_waited(
    database: Database, ada: Viewer, superuser_url: str
) -> None:
    async with database.transaction(ada) as session:
        assert await begin(session, ada)
        waiting = asyncio.create_task(begun(database, ada, hash=SECOND))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
        await session.rollback()

    assert await waiting
    assert await before(database, ada) == requests.RequestRow(SECOND, None, None)


async def test_what_was_answered_is_forgotten_without_the_write_being_new_again(
    database: Database, ada: Viewer, ben: Viewer
) -> None:
    for viewer in (ada, ben):
        async with database.transaction(viewer) as session:
            await begin(session, viewer)
            await requests.keep_answer(session, viewer, key_id="key_1", name="n", status=200, answer=b"words")
    async with database.transaction(ada) as session:
        await requests.forget_answers(session, ada)

    assert await before(database, ada) == requests.RequestRow(FIRST, 200, None)
    assert await before(database, ben) == requests.RequestRow(FIRST, 200, b"words")
    assert await begun(database, ada) is False


@asynccontextmanager
async def seen_by(database: Database, viewer: Viewer) -> AsyncIterator[AsyncSession]:
    async with database.transaction(viewer, read_only=True) as session:
        yield session


async def test_a_write_is_known_to_its_person_alone(database: Database, ada: Viewer, ben: Viewer) -> None:
    await begun(database, ada)
    for viewer, count in (
        (ada, 1),
        (ben, 0),
        (Viewer.nobody(ada.tenant), 0),
        (replace(ada, tenant=f"{ada.tenant}-other"), 0),
        (Viewer(ada.tenant, None, ada.space, Channel.TEAM), 0),
        (NOBODY, 0),
    ):
        async with seen_by(database, viewer) as session:
            assert (await session.execute(text("SELECT count(*) FROM requests"))).scalar_one() == count, viewer
    async with seen_by(database, ben) as session:
        assert await requests.request_before(session, ada, key_id="key_1", name="n") is None
    with pytest.raises(WriteRefused, match="row-level security"):
        async with database.transaction(ben) as session:
            await begin(session, ada, name="forged")


@pytest.mark.parametrize("name", ["", "x" * 201])
async def test_a_name_has_a_length(database: Database, ada: Viewer, name: str) -> None:
    with pytest.raises(WriteRefused):
        await begun(database, ada, name=name)


async def furnish(database: Database, viewer: Viewer) -> None:
    """A write of noon, and sessions that end an hour before and after."""
    await begun(database, viewer)
    async with database.transaction(viewer) as session:
        for id, hours in ((f"web_over_{viewer.person}", -1), (f"web_open_{viewer.person}", 1)):
            until = NOON + timedelta(hours=hours)
            await web_sessions.add_session(session, viewer, id=id, hash=None, expires_at=until, now=NOON)


async def left(database: Database, viewer: Viewer) -> tuple[int, list[str]]:
    async with seen_by(database, viewer) as session:
        writes = (await session.execute(text("SELECT count(*) FROM requests"))).scalar_one()
        sessions = (await session.execute(text("SELECT id FROM web_sessions ORDER BY id"))).scalars()
        return int(writes), [id.removesuffix(viewer.person) for id in sessions]


async def clear(database: Database, viewer: Viewer, *, done_before: timedelta = timedelta()) -> int:
    async with database.transaction(viewer) as session:
        return await requests.remove_old_requests_and_sessions(
            session, done_before=NOON - A_DAY + done_before, now=NOON
        )


async def test_what_is_over_is_cleared_of_everybody_in_a_tenant_and_nothing_else(
    database: Database, ada: Viewer, ben: Viewer
) -> None:
    elsewhere = replace(ada, tenant=f"{ada.tenant}-other")
    async with database.transaction(elsewhere) as session:
        await welcome(session, elsewhere, name="ada", timezone="UTC", now=NOON)
    for viewer in (ada, ben, elsewhere):
        await furnish(database, viewer)

    assert [await clear(database, viewer) for viewer in (ada, NOBODY)] == [0, 0]
    assert await clear(database, Viewer.nobody(ada.tenant)) == 2
    for viewer in (ada, ben):
        assert await left(database, viewer) == (1, ["web_open_"])
    assert await left(database, elsewhere) == (1, ["web_open_", "web_over_"])
    assert await clear(database, Viewer.nobody(ada.tenant), done_before=A_DAY + timedelta(seconds=1)) == 2
    assert await left(database, ada) == (0, ["web_open_"])
    assert await begun(database, ada)  # so long after, a name may be used anew


async def test_a_tenant_is_known_once_by_its_name(database: Database, tenant: str) -> None:
    for _ in range(2):
        async with database.transaction(Viewer.nobody(tenant)) as session:
            await know_tenant(session, Viewer.nobody(tenant), NOON)
    async with database.transaction(NOBODY, read_only=True) as session:
        assert list(await tenants(session)).count(tenant) == 1


async def test_a_tenant_sees_and_writes_no_name_but_its_own(database: Database, tenant: str, ada: Viewer) -> None:
    other = f"{tenant}-other"
    for each in (tenant, other):
        async with database.transaction(Viewer.nobody(each)) as session:
            await know_tenant(session, Viewer.nobody(each), NOON)

    for viewer in (ada, Viewer.nobody(tenant)):
        async with database.transaction(viewer, read_only=True) as session:
            assert await tenants(session) == [tenant]
    async with database.transaction(NOBODY, read_only=True) as session:
        assert {tenant, other} <= set(await tenants(session))
    for viewer in (Viewer.nobody(tenant), ada, NOBODY):
        with pytest.raises(WriteRefused, match="row-level security"):
            async with database.transaction(viewer) as session:
                await know_tenant(session, Viewer.nobody(f"{tenant}-forged"), NOON)
    for statement in ("DELETE FROM tenants", "UPDATE tenants SET created_at = now()"):
        with pytest.raises(WriteRefused, match="permission denied"):
            async with database.transaction(Viewer.nobody(tenant)) as session:
                await session.execute(text(statement))
