"""One daemon for all tests of a worker, each with a tenant of its own."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.house import APPLICATION
from memory.unit import Memory
from tests.daemon import Daemon, beside

Rows = Callable[[str], list[tuple[Any, ...]]]


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
