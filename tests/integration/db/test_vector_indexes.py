"""Crowded spaces have an index of nearest vectors of their own; it finds what comparing all finds, behind the wall."""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from random import Random

import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import Database
from db.queries.people.people import welcome
from db.queries.retrieval.recall import RecallFilter, candidates
from db.vector_indexes import index_crowded_spaces, vector_index_name
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.company import aloud, found_together
from tests.conftest import NOON
from tests.talk import Talk, WordEmbedder

MODEL, CROWD = "scripted", 60


@dataclass
class Hall:
    """A space of two that said much, in a database that nobody else uses."""

    memory: Memory
    ada: Viewer
    ben: Viewer
    space: str
    owner_url: str
    superuser_url: str
    told: list[str]

    async def index(self, crowded: int = CROWD) -> None:
        await index_crowded_spaces(self.owner_url, self.told.append, crowded=crowded)

    async def nearest(self, viewer: Viewer, word: str, **limits: object) -> list[tuple[str, float]]:
        async with self.memory.unit(viewer, read_only=True) as unit:
            vector = WordEmbedder().vector(word)
            pool = await candidates(
                unit.session,
                viewer,
                terms=["nothing"],
                vector=vector,
                model=MODEL,
                only=RecallFilter(**limits),  # type: ignore[arg-type]
            )
        return sorted((row.id, round(row.similarity or 0, 6)) for row in pool.rows)

    def ask(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.superuser_url, autocommit=True) as admin:
            return admin.execute(query.encode()).fetchall()


@pytest.fixture
async def hall(server: EmbeddedServer, clone: Callable[[], str], tenant: str) -> AsyncIterator[Hall]:
    name = clone()
    database = Database(server.url(APPLICATION, name))
    memory = Memory(database, Keyring((b"a key for tests, of 32 bytes ...",)))
    ada, ben = (Viewer.in_private(tenant, f"test:{person}") for person in ("ada", "ben"))
    for viewer in (ada, ben):
        async with database.transaction(viewer) as session:
            await welcome(session, viewer, name="x", timezone="UTC", now=NOON)
    space = await found_together(memory, ada, ben)
    chance = Random(3)
    for viewer in (ada, ben):
        words = [" ".join(chance.choices(["boat", "garden", "oven", "kiln", "sea"], k=3)) for _ in range(50)]
        await Talk(memory, aloud(viewer, space)).say(*(f"{word} {at}" for at, word in enumerate(words)))
        await Talk(memory, viewer).say("My own boat", "My own oven")
        await Talk(memory, viewer).vectors(WordEmbedder()).backfill(viewer)
    yield Hall(memory, ada, ben, space, server.url(OWNER, name), server.url("postgres", name), [])
    await database.close()


async def test_with_the_index_the_same_is_found_as_without(hall: Hall) -> None:
    viewers = [hall.ada, replace(hall.ada, space=hall.space), aloud(hall.ada, hall.space), aloud(hall.ben, hall.space)]
    before = [await hall.nearest(viewer, "garden kiln") for viewer in viewers]
    await hall.index()
    after = [await hall.nearest(viewer, "garden kiln") for viewer in viewers]

    assert after == before
    assert [len(found) for found in after] == [52, 102, 100, 100]
    assert hall.told == [f"Indexing a space of 100 chunks for {MODEL}; this may take minutes"]


async def test_the_index_is_what_a_search_in_a_crowded_space_reads(hall: Hall) -> None:
    await hall.index()
    name = vector_index_name(hall.ada.tenant, hall.space, MODEL)
    viewer = aloud(hall.ada, hall.space)
    async with hall.memory.unit(viewer, read_only=True) as unit:
        session = unit.session
        connection = await session.connection()
        await connection.exec_driver_sql("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        plan = await connection.exec_driver_sql(
            "EXPLAIN SELECT chunk_no FROM embeddings AS e WHERE e.tenant_id = %(tenant)s AND e.space_id = %(space)s"
            f" AND e.model = '{MODEL}' AND e.size = 5"
            " ORDER BY e.embedding::halfvec(5) <=> '[1,0,0,0,0.1]'::halfvec LIMIT 20",
            {"tenant": viewer.tenant, "space": hall.space},
        )
        assert name in "\n".join(plan.scalars())


async def test_a_limited_search_compares_one_by_one(hall: Hall) -> None:
    await hall.index()

    assert await hall.nearest(aloud(hall.ada, hall.space), "boat", kinds=["message"])
    assert await hall.nearest(aloud(hall.ada, hall.space), "boat", kinds=["decision"]) == []


async def test_a_stranger_finds_nothing_in_a_crowded_space(hall: Hall) -> None:
    await hall.index()
    eve = Viewer(hall.ada.tenant, "test:eve", hall.space, Channel.TEAM)

    assert await hall.nearest(eve, "boat") == []
    assert await hall.nearest(replace(eve, tenant="another"), "boat") == []


async def test_what_is_personal_is_compared_one_by_one_however_much_it_is(hall: Hall) -> None:
    await hall.index(crowded=1)

    assert hall.told == [f"Indexing a space of 100 chunks for {MODEL}; this may take minutes"]


async def test_an_index_is_made_once_and_goes_when_nobody_needs_it(hall: Hall) -> None:
    made = "SELECT count(*) FROM pg_class WHERE relname LIKE 'embeddings_near_%'"
    await hall.index()
    await hall.index()
    assert (len(hall.told), hall.ask(made)) == (1, [(1,)])

    await hall.index(crowded=1_000)
    assert hall.ask(made) == [(0,)]


async def test_an_index_whose_making_broke_off_is_made_anew(hall: Hall) -> None:
    await hall.index()
    name = vector_index_name(hall.ada.tenant, hall.space, MODEL)
    hall.ask(f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{name}'::regclass RETURNING 1")
    before = await hall.nearest(aloud(hall.ada, hall.space), "boat")
    await hall.index()

    assert hall.ask(f"SELECT indisvalid FROM pg_index WHERE indexrelid = '{name}'::regclass") == [(True,)]
    assert await hall.nearest(aloud(hall.ada, hall.space), "boat") == before


async def test_the_program_may_not_ask_which_spaces_are_crowded(hall: Hall) -> None:
    async with hall.memory.unit(hall.ada) as unit:
        connection = await unit.session.connection()
        with pytest.raises(Exception, match="permission denied"):
            await connection.exec_driver_sql("SELECT * FROM wall.crowded_spaces(1)")
        await unit.session.rollback()
