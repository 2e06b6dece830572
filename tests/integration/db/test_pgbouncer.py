"""pgbouncer in transaction mode between the program and PostgreSQL: what docs/operations.md says of it holds."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import BEGIN_TIMEOUT, Database, driver_of, one_connection
from db.errors import DatabaseAway, DatabaseHangs, DatabaseUnfit
from db.fitness import check_fitness
from db.migrate import newest_revision
from db.viewer import Viewer
from db.vocabulary import Approval, Category
from memory.context.build import build_bundle
from memory.context.snapshot import pin_snapshot
from memory.facts import facts
from memory.facts.facts import FactDraft
from memory.privacy.encryption import Keyring
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory
from tests.conftest import NOON, Converse
from tests.pgbouncer import Bouncer, binary, bouncing, version
from tests.talk import PATIENTLY
from tests.waiting import STUCK, eventually, eventually_async

pytestmark = [
    pytest.mark.skipif(binary() is None, reason="pgbouncer is not installed here (Debian: apt install pgbouncer)"),
]

Bouncing = Callable[..., AbstractContextManager[Bouncer]]
SEEN = text("SELECT pg_backend_pid(), array_agg(id) FROM users")


@pytest.fixture(autouse=True)
def patient_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a connection on a busy machine does not take the server for one that hangs."""
    monkeypatch.setattr("db.engine.BEGIN_TIMEOUT", STUCK)


@pytest.fixture
def bounced(server: EmbeddedServer, tmp_path: Path) -> Bouncing:
    return partial(bouncing, server, tmp_path / "bouncer")


@pytest.fixture
def through(worker_database: str) -> Callable[[Bouncer], Database]:
    return lambda bouncer: Database(bouncer.url(APPLICATION, worker_database))


Through = Callable[[Bouncer], Database]


async def test_viewers_who_share_one_server_connection_never_see_each_others_rows(
    bounced: Bouncing, through: Through, ada: Viewer, ben: Viewer
) -> None:
    seen: Counter[tuple[int, str | None, str]] = Counter()

    async def look(database: Database, viewer: Viewer) -> None:
        for _ in range(10):
            async with database.transaction(viewer, read_only=True) as session:
                served_by, ids = (await session.execute(SEEN)).one()
            seen[served_by, viewer.user, ",".join(ids)] += 1

    with bounced(default_pool_size="1") as bouncer:
        database = through(bouncer)
        await asyncio.gather(*(look(database, viewer) for viewer in (ada, ben) * 4))
        await database.close()

    [served_by] = {pid for pid, _, _ in seen}
    assert seen == {(served_by, "test:ada", "test:ada"): 40, (served_by, "test:ben", "test:ben"): 40}


async def test_nothing_of_a_viewer_stays_on_the_connection(
    bounced: Bouncing, through: Through, worker_database: str, ada: Viewer
) -> None:
    """As it would if the viewer were set for the session: then the next one reads as the one before."""
    left = "SELECT current_setting('keepsake.user', true), current_setting('statement_timeout'), count(*) FROM users"
    with bounced(default_pool_size="1") as bouncer:
        database = through(bouncer)
        async with database.transaction(ada) as session:
            assert (await session.execute(text("SELECT count(*) FROM users"))).scalar_one() == 1
        await database.close()
        with psycopg.connect(bouncer.url(APPLICATION, worker_database), autocommit=True) as another:
            assert another.execute(left.encode()).fetchone() == ("", "0", 0)
        with psycopg.connect(bouncer.url(APPLICATION, worker_database), autocommit=True) as careless:
            careless.execute("SELECT set_config('keepsake.tenant', %s, false)", (ada.tenant,))
            careless.execute("SELECT set_config('keepsake.user', %s, false)", (ada.user,))
        with psycopg.connect(bouncer.url(APPLICATION, worker_database), autocommit=True) as another:
            assert another.execute(left.encode()).fetchone() == (ada.user, "0", 1)


async def test_nothing_is_prepared_behind_a_pooler_and_everything_is_in_front_of_postgresql(
    bounced: Bouncing, through: Through, database: Database, ada: Viewer
) -> None:
    async def threshold(asked: Database) -> int | None:
        async with asked.transaction(ada, read_only=True) as session:
            return (await driver_of(await session.connection())).prepare_threshold

    with bounced() as bouncer:
        pooled = through(bouncer)
        assert await threshold(pooled) is None
        await pooled.close()
    assert await threshold(database) == 5


async def test_names_that_were_prepared_fail_behind_an_old_pgbouncer(
    bounced: Bouncing, worker_database: str, ada: Viewer
) -> None:
    """Why nothing is: each of two clients prepares a first statement of its own on the same server connection."""
    told = []
    with bounced(default_pool_size="1") as bouncer:
        url = bouncer.url(APPLICATION, worker_database)
        with psycopg.connect(url, autocommit=True) as one, psycopg.connect(url, autocommit=True) as other:
            for client, words in ((one, "SELECT 1"), (other, "SELECT 2")):
                try:
                    client.execute(words.encode(), prepare=True)
                    told.append("worked")
                except psycopg.errors.DuplicatePreparedStatement:
                    told.append("taken")

    assert told == (["worked", "worked"] if version() >= (1, 24) else ["worked", "taken"])


@pytest.fixture
async def known(memory: Memory, ada: Viewer, start: Converse) -> str:
    conversation = await start(ada)
    async with memory.unit(ada, now=NOON) as unit:
        await facts.remember(unit, FactDraft("Alec is my boss", Category.PERSON), Approval.COMMAND)
        await pin_snapshot(unit, conversation)
    return conversation


@pytest.mark.slow
async def test_bundles_are_built_and_facts_written_by_many_over_two_server_connections(
    bounced: Bouncing, through: Through, memory: Memory, ada: Viewer, known: str
) -> None:
    with bounced(default_pool_size="2") as bouncer:
        database = through(bouncer)
        pooled = Memory(database, Keyring((b"a key for tests, of 32 bytes ...",)))
        vectors = VectorIndex(pooled, ada.tenant, None)

        async def live(numbers: range) -> list[str]:
            """More at once would wait longer than a transaction does before it takes the server for hanging."""
            bundles = []
            for number in numbers:
                async with pooled.unit(ada, now=NOON) as unit:
                    await facts.remember(unit, FactDraft(f"Thing {number} is mine", Category.OTHER), Approval.COMMAND)
                bundle = await build_bundle(pooled, vectors, ada, known, "who is my boss?", now=NOON, options=PATIENTLY)
                bundles.append(str(bundle))
            return bundles

        made = await asyncio.gather(*(live(range(first, 12, 4)) for first in range(4)))
        await database.close()

    assert all("Alec is my boss" in bundle for bundles in made for bundle in bundles)
    async with memory.unit(ada, read_only=True) as unit:
        assert len(await facts.own_facts(unit)) == 13


async def outcome(work: Awaitable[object]) -> str:
    try:
        await work
    except DatabaseAway as trouble:
        return type(trouble).__name__
    return "done"


async def use(database: Database, viewer: Viewer) -> None:
    async with database.transaction(viewer) as session:
        await session.execute(text("SELECT 1"))


LOCK = 4711
WAITS = f"""SELECT 1 FROM pg_locks AS l JOIN pg_database AS d ON d.oid = l.database
    WHERE l.locktype = 'advisory' AND l.objid = {LOCK} AND NOT l.granted AND d.datname = current_database()"""


@asynccontextmanager
async def occupied(database: Database, viewer: Viewer, superuser_url: str) -> AsyncIterator["asyncio.Task[str]"]:
    """As long as this lasts, somebody uses a connection of the server: a transaction waits there for a lock."""

    async def hold() -> None:
        async with database.transaction(viewer) as session:
            await session.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))

    with psycopg.connect(superuser_url, autocommit=True) as admin:
        admin.execute(f"SELECT pg_advisory_lock({LOCK})")
        held = asyncio.create_task(outcome(hold()))
        await eventually(lambda: admin.execute(WAITS).fetchone())
        yield held


@pytest.mark.slow
async def test_a_query_that_waits_too_long_for_a_server_connection_is_turned_away_and_disturbs_nobody(
    bounced: Bouncing, through: Through, ada: Viewer, superuser_url: str
) -> None:
    """By pgbouncer, before we would take the server for one that hangs."""
    wait = 2
    assert wait < BEGIN_TIMEOUT
    with bounced(default_pool_size="1", query_wait_timeout=str(wait)) as bouncer:
        database = through(bouncer)

        async def is_served() -> bool:
            return await outcome(use(database, ada)) == "done"

        await eventually_async(is_served)  # it has its connection to the server
        async with occupied(database, ada, superuser_url) as held:
            waited = await outcome(use(database, ada))
        assert await held == "done"
        await eventually_async(is_served)
        await database.close()

    assert waited == DatabaseAway.__name__


@pytest.mark.slow
async def test_without_that_setting_a_full_pool_is_taken_for_a_server_that_hangs(
    bounced: Bouncing, through: Through, ada: Viewer, superuser_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All lines are cut then, also that of the one who was served: the document warns of it."""
    with bounced(default_pool_size="1") as bouncer:
        database = through(bouncer)
        async with occupied(database, ada, superuser_url) as held:
            monkeypatch.setattr("db.engine.BEGIN_TIMEOUT", BEGIN_TIMEOUT)
            waited = await outcome(use(database, ada))
            assert (waited, await held) == (DatabaseHangs.__name__, DatabaseHangs.__name__)
        await database.close()


async def test_statement_mode_is_refused_before_anything_is_asked(
    bounced: Bouncing, through: Through, ada: Viewer
) -> None:
    with bounced(pool_mode="statement") as bouncer:
        database = through(bouncer)
        with pytest.raises(DatabaseAway, match="transaction blocks not allowed in statement pooling mode"):
            async with database.transaction(ada):
                pass
        await database.close()


async def test_a_pgbouncer_that_logs_in_as_somebody_mightier_is_found_out(
    bounced: Bouncing, worker_database: str
) -> None:
    refused = pytest.raises(DatabaseUnfit, match=r"The database role postgres .* is a superuser")
    with bounced(login="postgres") as bouncer, refused:
        async with one_connection(bouncer.url(APPLICATION, worker_database)) as connection:
            await check_fitness(connection, newest_revision())
