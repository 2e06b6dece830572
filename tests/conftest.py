"""A real PostgreSQL for all tests: one embedded server a run, one database a worker, one tenant a test.

The wall between tenants is what keeps tests apart, as it keeps customers apart; a test that changes the schema itself
asks for a database of its own.
"""

import asyncio
import fcntl
import gc
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import certifi
import psycopg
import pytest
from hypothesis import settings

from db import engine
from db.embedded import EmbeddedServer, cluster, join_server, keeper
from db.embedded.own_database import APPLICATION, OWNER, make_database
from db.engine import Database
from db.ids import timed_id
from db.migrate import migrate
from db.queries.events.conversations import start_conversation
from db.queries.people.people import welcome
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.waiting import STUCK, until

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
TEMPLATE = "template_keepsake"
# Nothing in the test database must survive a power cut.
FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


# How long an example takes says how busy the machine is. The same examples come in every run, so that a run that is red
# is red again.
settings.register_profile("house", parent=settings.default, deadline=None, derandomize=True)
settings.load_profile("house")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first: no worker is busy with it alone when the others have ended."""
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_collection_finish() -> None:
    """What was collected is there to the end: to look for garbage in it over and over takes time."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session", autouse=True)
def one_authority(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody here speaks TLS: a client that knows one authority is made at once; to learn all of them takes 40 ms."""
    first, end, _ = Path(certifi.where()).read_text().partition("-----END CERTIFICATE-----\n")
    only = tmp_path_factory.mktemp("authority") / "only.pem"
    only.write_text(first + end)
    os.environ["SSL_CERT_FILE"] = str(only)


@pytest.fixture(scope="session", autouse=True)
def patient() -> None:
    """A database that is slow to answer because the machine is busy does not hang."""
    engine.BEGIN_TIMEOUT = STUCK
    engine.STATEMENT_SECONDS = engine.POOL_SECONDS = STUCK
    engine.CONNECT_ARGS["connect_timeout"] = int(STUCK)
    cluster.KEEPER_SECONDS = int(STUCK)
    cluster.MAX_STARTS = 600


def wait_until_stopped(data: Path) -> None:
    """Until the embedded server of a data folder is gone."""
    until(lambda: keeper.server_pid(data) is None, lambda: f"the server of {data} does not stop")


def wait_until_blocked(superuser_url: str, writers: int = 1) -> None:
    """Until so many transactions in the database of this worker wait for another one."""
    blocked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with psycopg.connect(superuser_url, autocommit=True) as watch:
        until(lambda: watch.execute(blocked).fetchone() == (writers,), lambda: f"nobody, or not all of {writers}, wait")


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all workers of this run."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def server(run_folder: Path) -> Iterator[EmbeddedServer]:
    joined = join_server(run_folder / "server", progress=lambda _: None, settings=FAST)
    yield joined
    joined.leave()


def is_done(admin: psycopg.Connection, statement: str) -> bool:
    """Not while somebody else is in the database that it is about: one who leaves it, or autovacuum."""
    try:
        admin.execute(statement.encode())
    except psycopg.errors.ObjectInUse:
        return False
    return True


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    with (folder / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def template(server: EmbeddedServer, run_folder: Path) -> str:
    """A database built by the migrations, to be cloned."""
    done = run_folder / "template.done"
    with one_at_a_time(run_folder):
        if not done.exists():
            make_database(server, TEMPLATE)
            asyncio.run(
                migrate(server.url(OWNER, TEMPLATE), server.url(APPLICATION, TEMPLATE), progress=lambda _: None)
            )
            done.touch()
    return TEMPLATE


@pytest.fixture(scope="session")
def clone(server: EmbeddedServer, template: str, run_folder: Path) -> Callable[[], str]:
    """Makes a database that nobody else uses, and gives its name."""

    def make() -> str:
        name = f"t_{secrets.token_hex(6)}"
        create = f'CREATE DATABASE "{name}" TEMPLATE "{template}" OWNER {OWNER}'
        with one_at_a_time(run_folder), psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
            until(lambda: is_done(admin, create), lambda: "somebody is in the template, and does not leave it")
        return name

    return make


@pytest.fixture(scope="session")
def worker_database(clone: Callable[[], str]) -> str:
    return clone()


@pytest.fixture
def app_url(server: EmbeddedServer, worker_database: str) -> str:
    return server.url(APPLICATION, worker_database)


@pytest.fixture
def owner_url(server: EmbeddedServer, worker_database: str) -> str:
    return server.url(OWNER, worker_database)


@pytest.fixture
def superuser_url(server: EmbeddedServer, worker_database: str) -> str:
    return server.url("postgres", worker_database)


@pytest.fixture(scope="session")
async def database(server: EmbeddedServer, worker_database: str) -> AsyncIterator[Database]:
    """One for all tests of a worker, as one program has one: to connect and to compile its statements takes longer than
    most of what a test does with it."""
    database = Database(server.url(APPLICATION, worker_database))
    yield database
    await database.close()


@pytest.fixture(autouse=True)
def tidied(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("asyncio"):
        request.getfixturevalue("nothing_left_running")


@pytest.fixture
async def nothing_left_running() -> AsyncIterator[None]:
    """All tests of a worker share one event loop. What a test started in it, and did not end, ends with the test; what
    fixtures of a wider scope started goes on."""
    before = asyncio.all_tasks()
    yield
    await finish_late_work()
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


@pytest.fixture
def memory(database: Database) -> Memory:
    return Memory(database, Keyring((b"a key for tests, of 32 bytes ...",)))


@pytest.fixture(scope="session")
def superuser(server: EmbeddedServer, worker_database: str) -> Iterator[psycopg.Connection]:
    """Sees and changes all in the database of this worker. Each statement is committed by itself."""
    with psycopg.connect(server.url("postgres", worker_database), autocommit=True) as connection:
        yield connection


@pytest.fixture
def tenant(request: pytest.FixtureRequest) -> Iterator[str]:
    """Digits only: hexadecimal ones spell "ada" now and then, the name by which tests find her rows. Once the test is
    over it is no longer known, so that nobody works for it in the background of another."""
    superuser = request.getfixturevalue("superuser") if "worker_database" in request.fixturenames else None
    name = f"test-{secrets.randbelow(10**12):012}"
    yield name
    if superuser:
        superuser.execute("DELETE FROM tenants WHERE starts_with(tenant_id, %s)", [name])


Meet = Callable[[str], Awaitable[Viewer]]


@pytest.fixture
def meet(database: Database, tenant: str) -> Meet:
    """Makes a person known, alone with the assistant."""

    async def make(name: str) -> Viewer:
        viewer = Viewer.in_private(tenant, f"test:{name}")
        async with database.transaction(viewer) as session:
            await welcome(session, viewer, name=name, timezone="UTC", now=NOON)
        return viewer

    return make


@pytest.fixture
async def ada(meet: Meet) -> Viewer:
    return await meet("ada")


@pytest.fixture
async def ben(meet: Meet) -> Viewer:
    return await meet("ben")


Converse = Callable[[Viewer], Awaitable[str]]


@pytest.fixture
def start(database: Database) -> Converse:
    """Starts a conversation and gives its id."""

    async def make(viewer: Viewer) -> str:
        conversation_id = timed_id("cnv", NOON)
        async with database.transaction(viewer) as session:
            await start_conversation(session, viewer, conversation_id=conversation_id, agent_id="keepsake", now=NOON)
        return conversation_id

    return make
