"""The step below the ledgers: sealed words do not become plain, and what one step keeps twice the other keeps once."""

from collections.abc import Callable
from dataclasses import replace

import psycopg

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import Database
from db.migrate import migrate
from db.queries.people.people import welcome
from db.viewer import Viewer
from db.vocabulary import ArtifactKind, Sensitivity
from memory.ledgers import artifacts, decisions, tasks
from memory.ledgers.decisions import DecisionDraft
from memory.ledgers.tasks import TaskDraft
from memory.privacy.encryption import Keyring
from memory.unit import Memory
from tests.conftest import NOON

ADA = Viewer.in_private("home", "test:ada")


async def furnish(memory: Memory) -> None:
    async with memory.unit(ADA, now=NOON) as unit:
        await welcome(unit.session, ADA, name="ada", timezone="UTC", now=NOON)
        first = DecisionDraft("tea")
        for level in (Sensitivity.NONE, Sensitivity.HIGH):
            entry = {"event_id": None, "ts": NOON, "sensitivity": level}
            made = await decisions.enter(unit, first, **entry)  # type: ignore[arg-type]
            await decisions.enter(unit, replace(first, decision="more tea", supersedes=made.id), **entry)  # type: ignore[arg-type]
            await tasks.enter(unit, TaskDraft(title="drink it"), **entry)  # type: ignore[arg-type]
        for kind in (ArtifactKind.DOCUMENT, ArtifactKind.BLOB):
            await artifacts.keep(unit, b"a list", kind=kind)
        await artifacts.keep(unit, b"I have diabetes", kind=ArtifactKind.DOCUMENT)


async def test_the_ledgers_go_down_and_up_with_rows_in_them(server: EmbeddedServer, clone: Callable[[], str]) -> None:
    name = clone()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    database = Database(application)
    await furnish(Memory(database, Keyring((b"a key for tests, of 32 bytes ...",))))
    await database.close()
    await migrate(owner, application, to="0010", progress=lambda _: None)

    with psycopg.connect(server.url("postgres", name)) as admin:
        counted = {
            table: admin.execute(f"SELECT count(*) FROM {table}".encode()).fetchall()
            for table in ("decisions", "tasks", "artifacts")
        }
    assert counted == {"decisions": [(2,)], "tasks": [(1,)], "artifacts": [(1,)]}
    await migrate(owner, application, progress=lambda _: None)
