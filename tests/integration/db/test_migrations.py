"""Migrations: they make what the models say, and they go down and up again on a database with rows."""

import asyncio
from collections.abc import Callable

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import Database, driver_url, one_connection
from db.errors import DatabaseUnfit
from db.fitness import check_fitness
from db.migrate import migrate, newest_revision
from db.queries.events.conversations import start_conversation
from db.queries.events.events import NewEvent, append_events
from db.queries.facts.facts import NewVersion, add_version, new_fact, present_facts
from db.queries.people.people import welcome
from db.tables import Base
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, EventKind, Sensitivity, Visibility
from tests.conftest import NOON

pytestmark = pytest.mark.slow

ADA = Viewer.in_private("home", "test:ada")


def test_migrations_and_models_agree(server: EmbeddedServer, worker_database: str) -> None:
    engine = create_engine(driver_url(server.url(OWNER, worker_database)))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        differences = compare_metadata(context, Base.metadata)
    engine.dispose()

    assert differences == []


async def test_down_to_base_and_up_to_head_works_on_a_database_with_rows(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await furnish(application)

    said: list[str] = []
    await migrate(owner, application, to="base", progress=said.append)
    assert tables_in(owner) == {"alembic_version"}
    await migrate(owner, application, progress=said.append)

    assert tables_in(owner) == {*Base.metadata.tables, "alembic_version"}
    assert await furnish(application) == ["has rows"]
    assert len(said) == 2 * int(newest_revision())


async def test_each_step_down_keeps_the_rows_of_the_steps_below(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await furnish(application)
    for revision in ("0008", "0007", "0008", "0006", "0005", "0004", "0003", "0004", "0002"):
        await migrate(owner, application, to=revision, progress=lambda _: None)
    await migrate(owner, application, progress=lambda _: None)

    database = Database(application)
    async with database.transaction(ADA) as session:
        assert [(fact.words, fact.subject) for fact in await present_facts(session, ADA)] == [("has rows", "rows")]
    await database.close()


async def test_migrating_twice_at_once_is_migrating_once(server: EmbeddedServer, clone: Callable[[], str]) -> None:
    name = clone()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await migrate(owner, application, to="base", progress=lambda _: None)
    said: list[str] = []
    await asyncio.gather(*(migrate(owner, application, progress=said.append) for _ in range(3)))

    assert len(said) == int(newest_revision())


async def test_an_old_schema_is_refused_with_what_to_do(server: EmbeddedServer, clone: Callable[[], str]) -> None:
    name = clone()
    await migrate(server.url(OWNER, name), server.url(APPLICATION, name), to="0003", progress=lambda _: None)

    with pytest.raises(DatabaseUnfit, match=r"at schema 0003.*keepsake migrate"):
        async with one_connection(server.url(APPLICATION, name)) as connection:
            await check_fitness(connection, newest_revision())


async def test_the_owner_is_no_member_of_the_function_roles_afterwards(owner_url: str) -> None:
    with psycopg.connect(owner_url) as owner:
        for role in ("keepsake_warden", "keepsake_eraser"):
            assert owner.execute("SELECT pg_has_role(current_user, %s, 'USAGE')", (role,)).fetchone() == (False,)


async def furnish(application: str) -> list[str]:
    """A user with a conversation, events, and a fact."""
    database = Database(application)
    async with database.transaction(ADA) as session:
        await welcome(session, ADA, name="Ada", timezone="UTC", now=NOON)
        await start_conversation(session, ADA, conversation_id="cnv_1", agent_id="keepsake", now=NOON)
        words = {"text": "remember that it has rows"}
        event = NewEvent("evt_1", NOON, ActorType.HUMAN, ADA.person, EventKind.MESSAGE, words)
        await append_events(session, ADA, "cnv_1", [event])
        new = NewVersion(
            content="has rows",
            subject="rows",
            value=None,
            sealed=None,
            space=ADA.place,
            visibility=Visibility.PRIVATE,
            sensitivity=Sensitivity.NONE,
            author=ADA.person,
            approval=Approval.ORDER,
            source_event_id="evt_1",
            span=(17, 25),
        )
        fact_id = await new_fact(
            session,
            ADA,
            category=Category.OTHER,
            attribute=None,
            importance=0.5,
            visibility=Visibility.PRIVATE,
            now=NOON,
        )
        await add_version(session, ADA, fact_id, new, NOON)
        found = [fact.words for fact in await present_facts(session, ADA)]
    await database.close()
    return found


def tables_in(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        )
        return {name for (name,) in found}


async def test_a_revision_that_does_not_exist_is_refused_in_words(owner_url: str, app_url: str) -> None:
    for revision in ("4711", "", "heads of state"):
        with pytest.raises(DatabaseUnfit, match="cannot go to"):
            await migrate(owner_url, app_url, to=revision, progress=lambda _: None)


async def test_the_application_may_not_be_the_owner(owner_url: str) -> None:
    with pytest.raises(DatabaseUnfit, match="role of its own"):
        await migrate(owner_url, owner_url, progress=lambda _: None)
