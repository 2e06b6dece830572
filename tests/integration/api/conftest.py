"""One daemon for all tests of a worker, each with a tenant of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Protocol

import httpx
import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from memory.unit import Memory
from tests.conftest import wait_until_blocked
from tests.daemon import Daemon, beside

Rows = Callable[[str], list[tuple[Any, ...]]]
Call = Coroutine[Any, Any, httpx.Response]


class AtOnce(Protocol):
    async def __call__(self, *calls: Call, table: str = "users") -> list[httpx.Response]: ...


@pytest.fixture(scope="session")
def served(server: EmbeddedServer, worker_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    with beside(server.url(APPLICATION, worker_database), "shared", tmp_path_factory.mktemp("daemon")) as daemon:
        yield daemon


@pytest.fixture
def daemon(served: Daemon, tenant: str, memory: Memory) -> Daemon:
    return served.of(tenant, memory)


@pytest.fixture
async def owner(daemon: Daemon) -> AsyncIterator[httpx.AsyncClient]:
    """Ada, by a key of her own."""
    async with await daemon.client(user="api:ada") as client:
        yield client


@pytest.fixture
async def agent(daemon: Daemon, owner: httpx.AsyncClient) -> AsyncIterator[httpx.AsyncClient]:
    """An agent of ada's."""
    async with await daemon.client(user="api:ada", agent="helper") as client:
        yield client


@pytest.fixture
def rows(superuser_url: str, tenant: str) -> Rows:
    """What stands in the tables, as nobody but a superuser sees it; a query names the tenant as %(tenant)s."""

    def look(query: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(superuser_url) as admin:
            return admin.execute(query.encode(), {"tenant": tenant}).fetchall()

    return look


@pytest.fixture
def at_once(superuser_url: str) -> AtOnce:
    """Calls that write: all of them wait for the same table before the first of them may go on."""

    async def run(*calls: Call, table: str = "users") -> list[httpx.Response]:
        with psycopg.connect(superuser_url) as holder:
            holder.execute(f"LOCK TABLE {table} IN EXCLUSIVE MODE".encode())
            asked = [asyncio.create_task(call) for call in calls]
            await asyncio.to_thread(wait_until_blocked, superuser_url, len(asked))
        return await asyncio.gather(*asked)

    return run
