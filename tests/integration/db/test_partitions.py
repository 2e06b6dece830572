"""deploy/partitions.sql on a database with a row in every table: the program and the wall stay as they are."""

from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import Database, one_connection
from db.errors import WriteRefused
from db.fitness import check_fitness
from db.migrate import migrate, newest_revision
from db.queries.retrieval.chunks import add_embeddings
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting.forget import erase
from memory.retrieval.hits import RecallResult
from memory.retrieval.recall import recall
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory
from tests.conftest import NOON
from tests.furniture import ROWS, furnish

SCRIPT = (Path(__file__).resolve().parents[3] / "deploy" / "partitions.sql").read_bytes()
MOVED = ("events", "chunks", "embeddings")
PARTS = 4


@pytest.fixture
def name(clone: Callable[[], str]) -> str:
    return clone()


@pytest.fixture
async def runtime(server: EmbeddedServer, name: str) -> AsyncIterator[Memory]:
    """Ada and Ben moved in before the partitions came."""
    database = Database(server.url(APPLICATION, name))
    for person in ("ada", "ben"):
        await furnish(database, "home", person)
    with psycopg.connect(server.url(OWNER, name), autocommit=True) as owner:
        owner.execute(f"SET keepsake.partitions = {PARTS}".encode())
        owner.execute(SCRIPT)
        owner.execute("DROP SCHEMA retired CASCADE")
    yield Memory(database, Keyring((b"a key for tests, of 32 bytes ...",)))
    await database.close()


ADA, BEN = (Viewer.in_private("home", f"test:{person}") for person in ("ada", "ben"))


def rows(server: EmbeddedServer, name: str, query: str) -> list[Any]:
    with psycopg.connect(server.url("postgres", name)) as admin:
        return admin.execute(query.encode()).fetchall()


async def say(memory: Memory, viewer: Viewer, conversation: str, words: str) -> str:
    prepared = prepare(EventDraft(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": words}), NOON)
    async with memory.unit(viewer, now=NOON) as unit:
        await record(unit, conversation, [prepared])
        await add_embeddings(unit.session, viewer, "m", [(chunk.id, [1.0, 2.0]) for chunk in prepared.chunks])
    return prepared.event.id


async def ask(memory: Memory, viewer: Viewer, question: str) -> RecallResult:
    nothing = VectorIndex(memory, "home", None)
    return await recall(memory, nothing, viewer, question, now=NOON, limit=5, deadline=timedelta(minutes=5))


async def test_everybody_sees_their_own_rows_and_nobody_elses(runtime: Memory) -> None:
    for viewer in (ADA, BEN):
        async with runtime.unit(viewer, read_only=True) as unit:
            for table in MOVED:
                found = await unit.session.execute(text(f"SELECT * FROM {table}"))
                told = [str(row) for row in found]
                assert len(told) == 1, table
                assert viewer.person.removeprefix("test:") in told[0]


async def test_what_is_said_is_numbered_found_and_lies_with_its_owner(
    runtime: Memory, server: EmbeddedServer, name: str
) -> None:
    for number in range(3):
        await say(runtime, ADA, "cnv_ada", f"the kiln was fired {number} times")
    hers, his = [(await ask(runtime, viewer, "who fired the kiln?")).hits for viewer in (ADA, BEN)]
    seqs = rows(server, name, "SELECT seq FROM events WHERE user_id = 'test:ada' ORDER BY seq")
    numbers = rows(server, name, "SELECT no FROM chunks")
    places = {
        table: rows(server, name, f"SELECT DISTINCT tableoid FROM {table} WHERE user_id = 'test:ada'")
        for table in MOVED
    }

    assert len(hers) == 4  # with what stands beside them
    assert not his
    assert seqs == [(0,), (1,), (2,), (3,)]
    assert len(set(numbers)) == len(numbers) == 5
    assert {table: len(found) for table, found in places.items()} == dict.fromkeys(MOVED, 1)


async def test_an_erased_person_leaves_nothing_and_another_stays(
    runtime: Memory, server: EmbeddedServer, name: str
) -> None:
    await say(runtime, BEN, "cnv_ben", "the kiln was fired")
    await erase(runtime, "home", "test:ben")

    for table in (*ROWS, "postings", "shelves"):
        left = [str(row) for row in rows(server, name, f"SELECT * FROM {table}")]
        assert not [row for row in left if "ben" in row], table
        assert left, table


async def test_a_version_forgets_the_event_that_was_erased(runtime: Memory, server: EmbeddedServer, name: str) -> None:
    async with runtime.unit(ADA) as unit:
        await unit.session.execute(text("SELECT wall.erase_event('evt_ada')"))

    sources = "SELECT source_event_id FROM fact_versions ORDER BY fact_id"
    assert rows(server, name, sources) == [(None,), ("evt_ben",)]


async def test_the_wall_stands_on_each_partition_and_events_stay_append_only(
    runtime: Memory, server: EmbeddedServer, name: str
) -> None:
    with pytest.raises(WriteRefused, match="permission denied"):
        async with runtime.unit(ADA) as unit:
            await unit.session.execute(text("SELECT * FROM events_0"))
    with psycopg.connect(server.url(OWNER, name), autocommit=True) as owner:
        for part in range(PARTS):
            assert owner.execute(f"SELECT count(*) FROM chunks_{part}".encode()).fetchone() == (0,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
                owner.execute(f"TRUNCATE events_{part} CASCADE".encode())
    unguarded = """SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND relname <> 'alembic_version' AND NOT (relrowsecurity AND relforcerowsecurity)"""
    assert rows(server, name, unguarded) == []


async def test_every_unique_key_ends_with_the_user_and_the_program_finds_the_database_fit(
    runtime: Memory, server: EmbeddedServer, name: str
) -> None:
    keys = rows(
        server,
        name,
        """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
           WHERE conrelid::regclass::text IN ('events', 'chunks', 'embeddings') AND contype IN ('p', 'u')""",
    )
    await migrate(server.url(OWNER, name), server.url(APPLICATION, name), progress=lambda _: None)
    async with one_connection(server.url(APPLICATION, name)) as connection:
        await check_fitness(connection, newest_revision())

    assert len(keys) == 7
    assert [key for key, told in keys if not told.endswith(", user_id)") or "(tenant_id, " not in told] == []
