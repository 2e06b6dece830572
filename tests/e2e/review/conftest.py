"""One browser for all tests of a worker, which therefore share one loop; each looks through a window of its own."""

import psycopg
import pytest_asyncio

from db.embedded import EmbeddedServer
from db.engine import Database
from memory.unit import Memory
from tests.browser import browser, database
from tests.daemon import KEYRING, Daemon
from tests.lived import Lived, lived

__all__ = ["browser", "database"]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def story(
    served: Daemon, database: Database, server: EmbeddedServer, worker_database: str
) -> tuple[Daemon, Lived]:
    """A memory for those who only look at it: to make one takes longer than many a look. Nobody else's background
    work shall find its tenant."""
    daemon = served.of("looked-at", Memory(database, KEYRING))
    told = await lived(daemon)
    with psycopg.connect(server.url("postgres", worker_database), autocommit=True) as admin:
        admin.execute("DELETE FROM tenants WHERE tenant_id = %s", [daemon.tenant])
    return daemon, told
