"""`migrate`: from nothing, from 0020 and on, and what it refuses in words."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER
from db.engine import driver_url, one_connection
from db.errors import DatabaseUnfit
from db.fitness import check_fitness
from db.migrate import HOUSE, OLDEST, known_revisions, migrate, newest_revision
from db.tables import Base
from tests.old_database import empty
from tests.schema_catalogue import differences, schema_of
from tests.tables import table

LAST_WITH_OLDER = "706b43e3621872fbb8cabdf27808c4e07140b1f6"


def test_the_schema_and_the_models_agree(server: EmbeddedServer, worker_database: str) -> None:
    engine = create_engine(driver_url(server.url(OWNER, worker_database)))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        found = compare_metadata(context, Base.metadata)
    engine.dispose()

    assert found == []


def test_the_revisions_begin_with_the_base_and_follow_each_other() -> None:
    assert known_revisions()[0] == OLDEST == "0020"
    assert known_revisions() == [f"{number:04}" for number in range(20, int(newest_revision()) + 1)]


async def test_an_empty_database_gets_the_newest_schema_and_says_so_in_one_line(server: EmbeddedServer) -> None:
    name, said = empty(server), list[str]()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await migrate(owner, application, progress=said.append)

    assert said == [f"Creating the schema ({newest_revision()})"]
    assert tables_in(owner) == {*Base.metadata.tables, "alembic_version"}
    async with one_connection(application) as connection:
        assert (await check_fitness(connection, newest_revision())).revision == newest_revision()


async def test_an_empty_database_can_be_sent_to_the_newest_revision_by_its_number(server: EmbeddedServer) -> None:
    name = empty(server)
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await migrate(owner, application, to=newest_revision(), progress=lambda _: None)
    said: list[str] = []
    await migrate(owner, application, progress=said.append)

    assert said == []
    async with one_connection(application) as connection:
        assert (await check_fitness(connection, newest_revision())).role == APPLICATION


async def test_migrating_three_times_at_once_is_migrating_once(server: EmbeddedServer) -> None:
    name, said = empty(server), list[str]()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    await asyncio.gather(*(migrate(owner, application, progress=said.append) for _ in range(3)))

    assert said == [f"Creating the schema ({newest_revision()})"]


async def test_down_to_the_base_and_up_again_brings_the_same_schema(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name, said = clone(), list[str]()
    owner, application = server.url(OWNER, name), server.url(APPLICATION, name)
    with psycopg.connect(server.url("postgres", name), autocommit=True) as superuser:
        await migrate(owner, application, progress=said.append)
        before = schema_of(superuser)
        await migrate(owner, application, to=OLDEST, progress=said.append)
        await migrate(owner, application, progress=said.append)

        assert differences(before, schema_of(superuser)) == []
    assert len(said) == 2 * (len(known_revisions()) - 1)


async def test_a_database_below_the_base_is_refused_with_the_commit_that_can_upgrade_it(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    stamp(server, name, "0019")
    with psycopg.connect(server.url("postgres", name), autocommit=True) as superuser:
        before = schema_of(superuser)
        for to in ("head", "0019", OLDEST):
            with pytest.raises(
                DatabaseUnfit, match=rf"at schema 0019.*commit {LAST_WITH_OLDER}, run `keepsake migrate`"
            ):
                await migrate(server.url(OWNER, name), server.url(APPLICATION, name), to=to, progress=lambda _: None)

        assert differences(before, schema_of(superuser)) == []


async def test_a_database_of_a_newer_program_is_refused(server: EmbeddedServer, clone: Callable[[], str]) -> None:
    name = clone()
    stamp(server, name, "9999")

    with pytest.raises(DatabaseUnfit, match="at schema 9999, which a newer program made"):
        await migrate(server.url(OWNER, name), server.url(APPLICATION, name), progress=lambda _: None)


async def test_a_database_with_our_tables_and_no_revision_is_refused(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    stamp(server, name, None)

    with pytest.raises(DatabaseUnfit, match=r"no revision of its schema and has tables already \(api_keys, artifacts"):
        await migrate(server.url(OWNER, name), server.url(APPLICATION, name), progress=lambda _: None)


async def test_a_program_does_not_start_on_an_old_schema_and_says_what_to_do(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    stamp(server, name, "0003")

    with pytest.raises(DatabaseUnfit, match=r"at schema 0003.*keepsake migrate"):
        async with one_connection(server.url(APPLICATION, name)) as connection:
            await check_fitness(connection, newest_revision())


async def test_the_owner_is_no_member_of_the_function_roles_afterwards_and_they_may_make_nothing(
    owner_url: str,
) -> None:
    with psycopg.connect(owner_url) as owner:
        for role in ("keepsake_warden", "keepsake_eraser"):
            assert owner.execute("SELECT pg_has_role(current_user, %s, 'USAGE')", (role,)).fetchone() == (False,)
            assert owner.execute("SELECT has_schema_privilege(%s, 'wall', 'CREATE')", (role,)).fetchone() == (False,)


@table("revision", ["4711", "", "heads of state", "base", "0003", "0019", "-1", "20"])
async def test_a_revision_that_this_program_does_not_know_is_refused_in_words(
    owner_url: str, app_url: str, revision: str
) -> None:
    with pytest.raises(
        DatabaseUnfit, match=f"cannot go to {revision or 'nowhere'}: for this database there is {OLDEST}"
    ):
        await migrate(owner_url, app_url, to=revision, progress=lambda _: None)


async def test_an_empty_database_goes_to_no_older_revision(server: EmbeddedServer) -> None:
    name = empty(server)
    for revision in ("base", "0019"):
        with pytest.raises(
            DatabaseUnfit, match=f"cannot go to {revision}: for this database there is {newest_revision()}"
        ):
            await migrate(server.url(OWNER, name), server.url(APPLICATION, name), to=revision, progress=lambda _: None)

    assert tables_in(server.url(OWNER, name)) == set()


@table(
    ("revision", "told"),
    [
        (None, "An empty database is made by `keepsake migrate`"),
        ("0019", f"commit {LAST_WITH_OLDER}"),
        ("9999", "a newer program made"),
    ],
)
def test_the_bare_alembic_command_refuses_what_it_cannot_upgrade(
    server: EmbeddedServer, clone: Callable[[], str], revision: str | None, told: str
) -> None:
    name = empty(server) if revision is None else clone()
    if revision is not None:
        stamp(server, name, revision)
    ran = alembic("upgrade", "head", url=server.url(OWNER, name))

    assert (ran.returncode, told in ran.stderr) == (1, True), ran.stderr


def test_the_bare_alembic_command_leaves_the_newest_schema_as_it_is(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    ran = alembic("upgrade", "head", url=server.url(OWNER, clone()))

    assert (ran.returncode, ran.stdout) == (0, "")


def alembic(*arguments: str, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "alembic", *arguments],
        cwd=HOUSE,
        env={**os.environ, "KEEPSAKE_OWNER_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )


async def test_the_application_may_not_be_the_owner(owner_url: str) -> None:
    with pytest.raises(DatabaseUnfit, match="role of its own"):
        await migrate(owner_url, owner_url, progress=lambda _: None)


def stamp(server: EmbeddedServer, name: str, revision: str | None) -> None:
    """As if another program had left it at this revision."""
    with psycopg.connect(server.url(OWNER, name), autocommit=True) as owner:
        owner.execute("DELETE FROM alembic_version")
        if revision is not None:
            owner.execute("INSERT INTO alembic_version VALUES (%s)", (revision,))


def tables_in(url: str) -> set[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        )
        return {name for (name,) in found}
