"""A server that hangs: whoever finds out, all who wait for it hear that it is away."""

import asyncio

import psycopg
import pytest
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import NOBODY, Database
from db.errors import DatabaseAway
from tests.waiting import eventually


async def test_a_connection_that_is_not_taken_up_in_time_ends_what_waits_for_the_server(
    server: EmbeddedServer, worker_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No transaction that begins needs to be there to find out."""
    database = Database(server.url(APPLICATION, worker_database), pool_size=2)
    asked = asyncio.create_task(_sleep(database))
    await eventually(lambda: bool(database._began_at))
    connect = psycopg.AsyncConnection.connect

    async def too_late(*_: object, **__: object) -> None:
        raise psycopg.errors.ConnectionTimeout("connection timeout expired")

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", too_late)
    with pytest.raises(DatabaseAway):
        async with database.transaction(NOBODY):
            pass
    monkeypatch.setattr(psycopg.AsyncConnection, "connect", connect)

    with pytest.raises(DatabaseAway):
        await asked
    await database.close()


async def _sleep(database: Database) -> None:
    async with database.transaction(NOBODY) as session:
        await session.execute(text("SELECT pg_sleep(600)"))
