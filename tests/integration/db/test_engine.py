"""The engine: one door, one commit, and connections that die without anybody noticing."""

import asyncio
import contextlib
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from db.engine import Database
from db.errors import DatabaseAway, StatementTimeout, WriteRefused
from db.viewer import Viewer
from db.vocabulary import Channel
from tests.tables import table


async def test_what_fails_is_rolled_back_and_what_ends_is_committed(database: Database, ada: Viewer) -> None:
    async def rename(name: str, *, fail: bool) -> None:
        async with database.transaction(ada) as session:
            await session.execute(text("UPDATE users SET name = :name"), {"name": name})
            if fail:
                raise LookupError

    await rename("kept", fail=False)
    with pytest.raises(LookupError):
        await rename("lost", fail=True)
    async with database.transaction(ada, read_only=True) as session:
        assert (await session.execute(text("SELECT name FROM users"))).scalar_one() == "kept"


async def test_connections_that_died_in_the_pool_are_replaced_unseen(
    app_url: str, superuser_url: str, ada: Viewer
) -> None:
    """As after a restart of PostgreSQL: all of them at once."""
    database = Database(app_url, pool_size=4)

    together = asyncio.Barrier(4)

    async def backend() -> int:
        async with database.transaction(ada) as session:
            pid = int((await session.execute(text("SELECT pg_backend_pid()"))).scalar_one())
            await together.wait()
            return pid

    first = set(await asyncio.gather(*(backend() for _ in range(4))))
    with psycopg.connect(superuser_url) as admin:
        for pid in first:
            admin.execute("SELECT pg_terminate_backend(%s, 300000)", (pid,))
    second = set(await asyncio.gather(*(backend() for _ in range(4))))
    await database.close()

    assert len(first) == 4
    assert not first & second


async def test_a_swallowed_error_does_not_pass_for_a_commit(database: Database, ada: Viewer) -> None:
    async def swallow() -> None:
        async with database.transaction(ada) as session:
            await session.execute(text("UPDATE users SET name = 'lost'"))
            with contextlib.suppress(DBAPIError):
                await session.execute(text("SELECT 1 / 0"))

    with pytest.raises(WriteRefused, match="none of it was kept"):
        await swallow()


@table("milliseconds", [0, 50])
async def test_a_statement_that_never_ends_is_ended(database: Database, ada: Viewer, milliseconds: int) -> None:
    with pytest.raises(StatementTimeout):
        async with database.transaction(ada, statement_timeout=timedelta(milliseconds=milliseconds)) as session:
            await session.execute(text("SELECT pg_sleep(600)"))


async def test_a_database_that_is_down_is_away_and_comes_back(ada: Viewer) -> None:
    database = Database("postgresql://keepsake@127.0.0.1:1/keepsake")
    for _ in range(2):
        with pytest.raises(DatabaseAway):
            async with database.transaction(ada):
                pass
    await database.close()


async def test_a_question_takes_three_round_trips_open_ask_close(app_url: str, ada: Viewer, tmp_path: Path) -> None:
    """Counted in libpq's own trace: each round trip ends with one ReadyForQuery of the server."""
    database = Database(app_url, pool_size=1)
    async with database.transaction(ada) as session:
        connection = (await (await session.connection()).get_raw_connection()).driver_connection
    assert isinstance(connection, psycopg.AsyncConnection)
    with (tmp_path / "trace").open("w+") as trace:
        connection.pgconn.trace(trace.fileno())
        async with database.transaction(ada, read_only=True) as session:
            seen = await session.execute(text("SELECT current_setting('keepsake.user')"))
            assert seen.scalar_one() == ada.user
        connection.pgconn.untrace()
        trips = (tmp_path / "trace").read_text().count("ReadyForQuery")
    await database.close()

    assert trips == 3


async def test_an_error_of_the_database_names_its_rule_and_not_the_words(database: Database, ada: Viewer) -> None:
    with pytest.raises(WriteRefused) as refused:
        async with database.transaction(ada) as session:
            await session.execute(text("UPDATE users SET mode = 'my secret words'"))

    assert str(refused.value) == "The database refused that: users_mode_check."


def test_only_a_person_can_act_as_a_person() -> None:
    space = Viewer("home", None, None, Channel.TEAM)
    with pytest.raises(ValueError, match="only a person"):
        _ = space.person
    with pytest.raises(ValueError, match="no space"):
        _ = space.place
