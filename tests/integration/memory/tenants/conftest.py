"""Two tenants in a database of their own, with a person of the same name in each."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import Database
from db.queries.people.people import welcome
from db.queries.people.tenants import know_tenant
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from memory.consolidation.passes import Passes
from memory.unit import Memory
from tests.background_jobs import Bench
from tests.conftest import NOON

NORTH, SOUTH = "north", "south"


@pytest.fixture
def worker_database(clone: Callable[[], str]) -> str:
    """Whoever works for all tenants must not find those of other tests."""
    return clone()


@pytest.fixture
async def database(app_url: str) -> AsyncIterator[Database]:
    opened = Database(app_url)
    yield opened
    await finish_late_work()
    await opened.close()


async def found(database: Database, tenant: str, now: datetime = NOON) -> Viewer:
    """A tenant, and Ada in it."""
    ada = Viewer.in_private(tenant, "test:ada")
    async with database.transaction(ada) as session:
        await know_tenant(session, ada, now)
        await welcome(session, ada, name="Ada", timezone="UTC", now=now)
    return ada


@pytest.fixture
async def north(database: Database) -> Viewer:
    return await found(database, NORTH)


@pytest.fixture
async def south(database: Database) -> Viewer:
    return await found(database, SOUTH)


@pytest.fixture
def whose(north: Viewer) -> Viewer:
    return north


def everywhere(bench: Bench, memory: Memory | None = None) -> Passes:
    """The passes of a process that belongs to the tenant of the bench, for all tenants."""
    jobs = bench.jobs
    return Passes(jobs, tenants=partial((memory or jobs.memory).tenants, jobs.settings.tenant))


class Breaking(Database):
    """A database in which everything of one tenant breaks."""

    def __init__(self, url: str, tenant: str, breaks: Callable[[], Exception]) -> None:
        super().__init__(url)
        self.tenant, self.breaks = tenant, breaks

    @asynccontextmanager
    async def transaction(self, viewer: Viewer, **kind: Any) -> AsyncIterator[AsyncSession]:
        async with super().transaction(viewer, **kind) as session:
            if viewer.tenant == self.tenant:
                raise self.breaks()
            yield session
