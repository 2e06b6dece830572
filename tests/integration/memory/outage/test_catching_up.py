"""Whoever looks for the database: when its absence is an outage, and when it is not."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from db.embedded import EmbeddedServer
from db.embedded.cluster import SOCKET
from db.embedded.own_database import APPLICATION
from db.engine import Database
from memory.errors import EmbeddedServerError
from memory.outage import catching_up
from memory.outage.catching_up import keep_catching_up
from memory.outage.spool import Spool
from memory.outage.state import Outage
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.waiting import eventually

Revive = Callable[[], Awaitable[None]]


@pytest.fixture
def gone(server: EmbeddedServer, worker_database: str, tmp_path: Path) -> str:
    """Where no server is."""
    return server.url(APPLICATION, worker_database).replace(quote(str(server.socket), safe=""), str(tmp_path))


@asynccontextmanager
async def watched(url: str, folder: Path, revive: Revive, looks: list[bool] | None = None) -> AsyncIterator[Outage]:
    """And each look that was taken, whether the database was there."""
    memory, outage = Memory(Database(url), Keyring((b"a key for tests, of 32 bytes ...",))), Outage()
    looks = [] if looks is None else looks

    async def look(_: timedelta) -> None:
        looks.append(False)
        await memory.database.ping()
        looks[-1] = True

    watching = asyncio.create_task(
        keep_catching_up(memory, Spool(folder / "spool", memory.keyring, "test"), outage, look, revive)
    )
    try:
        yield outage
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await memory.database.close()


async def test_while_a_dead_server_is_started_again_there_is_no_outage_unless_it_takes_long(
    gone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catching_up, "RESTART_SECONDS", 0.05)
    noticed = list[bool]()

    async def revive() -> None:
        noticed.append(outage.is_reported)
        await asyncio.Event().wait()

    async with watched(gone, tmp_path, revive) as outage:
        await eventually(lambda: outage.is_reported)
    assert noticed == [False]


async def test_a_server_that_is_there_once_it_was_started_again_was_never_away(
    gone: str, server: EmbeddedServer, tmp_path: Path
) -> None:
    """The folder without a server gets the socket of one that runs."""
    looks, noticed = list[bool](), list[bool]()

    async def revive() -> None:
        noticed.append(outage.is_reported)
        (tmp_path / SOCKET).symlink_to(server.socket / SOCKET)

    async with watched(gone, tmp_path, revive, looks) as outage:
        await eventually(lambda: any(looks))
        assert looks == [False, True]
        assert [*noticed, outage.is_reported] == [False, False]


@pytest.mark.parametrize(
    "trouble", [None, EmbeddedServerError("The disk is full.")], ids=["nobody can", "it cannot start"]
)
async def test_a_server_that_is_still_away_after_that_is_an_outage(
    gone: str, tmp_path: Path, trouble: EmbeddedServerError | None
) -> None:
    tried = list[bool]()

    async def revive() -> None:
        tried.append(outage.is_reported)
        if trouble is not None:
            raise trouble

    async with watched(gone, tmp_path, revive) as outage:
        await eventually(lambda: len(tried) > 1)
        assert tried[:2] == [False, True]
        assert outage.is_reported
