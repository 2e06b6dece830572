"""Which databases and roles Keepsake refuses to run on, and what it says."""

import secrets
from collections.abc import Callable, Iterator

import psycopg
import pytest

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION, OWNER, make_database
from db.engine import Database, one_connection
from db.errors import DatabaseAway, DatabaseUnfit
from db.fitness import check_fitness, check_server
from db.migrate import migrate, newest_revision
from db.queries.people.people import welcome
from db.viewer import Viewer
from tests.conftest import NOON


async def fitness_of(url: str) -> str:
    async with one_connection(url) as connection:
        return (await check_fitness(connection, newest_revision())).role


async def test_the_application_role_is_fit(app_url: str) -> None:
    assert await fitness_of(app_url) == APPLICATION


@pytest.fixture
def role(superuser_url: str) -> Iterator[tuple[str, psycopg.Connection]]:
    name = f"role_{secrets.token_hex(4)}"
    with psycopg.connect(superuser_url, autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {name} LOGIN")
        admin.execute(f"GRANT SELECT ON alembic_version TO {name}")
        yield name, admin
        admin.execute(f"REASSIGN OWNED BY {name} TO keepsake_owner")
        admin.execute(f"DROP OWNED BY {name}")
        admin.execute(f"DROP ROLE {name}")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("ALTER ROLE {} SUPERUSER", "is a superuser"),
        ("ALTER ROLE {} BYPASSRLS", "has BYPASSRLS"),
        ("ALTER ROLE {} CREATEROLE", "may create roles"),
        ("ALTER ROLE {} REPLICATION", "may replicate"),
        ("GRANT keepsake_owner TO {}", "is a member of keepsake_owner, which owns the database"),
        ("GRANT keepsake_owner TO {} WITH INHERIT FALSE", "is a member of keepsake_owner, which owns the database"),
        ("GRANT pg_read_server_files TO {}", "is a member of pg_read_server_files, which reaches around"),
        ("ALTER TABLE facts OWNER TO {}", "owns the database or a part of it"),
        ("ALTER FUNCTION wall.viewer_user() OWNER TO {}", "owns the database or a part of it"),
        ("GRANT keepsake_eraser TO {}", "is a member of keepsake_eraser, which acts for everyone"),
        ("GRANT keepsake_warden TO {}", "is a member of keepsake_warden, which acts for everyone"),
    ],
)
async def test_a_role_that_could_see_around_the_wall_is_refused(
    server: EmbeddedServer, worker_database: str, role: tuple[str, psycopg.Connection], change: str, reason: str
) -> None:
    name, admin = role
    url = server.url(name, worker_database)
    assert await fitness_of(url) == name

    admin.execute(change.format(name).encode())
    with pytest.raises(DatabaseUnfit, match=reason):
        await fitness_of(url)


async def test_a_database_whose_wall_was_taken_down_is_refused(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    name = clone()
    with psycopg.connect(server.url("postgres", name)) as admin:
        admin.execute("ALTER TABLE facts DISABLE ROW LEVEL SECURITY")
        admin.execute("ALTER TABLE events NO FORCE ROW LEVEL SECURITY")
    with pytest.raises(DatabaseUnfit, match="Row-level security is off on events, facts"):
        await fitness_of(server.url(APPLICATION, name))


async def test_a_database_without_the_schema_is_refused_with_what_to_do(server: EmbeddedServer) -> None:
    name = f"t_{secrets.token_hex(4)}"
    make_database(server, name)
    with pytest.raises(DatabaseUnfit, match=r"at schema none.*keepsake migrate"):
        await fitness_of(server.url(APPLICATION, name))


async def test_the_owner_makes_the_application_role_that_the_address_names(
    server: EmbeddedServer, clone: Callable[[], str]
) -> None:
    """What a user of their own PostgreSQL does: one owner address, one application address, `keepsake migrate`."""
    database, role = clone(), f"app_{secrets.token_hex(4)}"
    url = server.url(role, database)
    await migrate(server.url(OWNER, database), url, progress=lambda _: None)

    assert await fitness_of(url) == role
    opened = Database(url)
    ada = Viewer.in_private("home", "ada")
    async with opened.transaction(ada) as session:
        await welcome(session, ada, name="Ada", timezone="UTC", now=NOON)
    await opened.close()


async def test_an_owner_that_may_not_create_roles_is_told_so(server: EmbeddedServer, clone: Callable[[], str]) -> None:
    database, owner = clone(), f"owner_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {owner} LOGIN")
    with pytest.raises(DatabaseUnfit, match="may not create it"):
        await migrate(server.url(owner, database), server.url("nobody_yet", database), progress=lambda _: None)


async def test_a_database_that_is_down_is_away() -> None:
    with pytest.raises(DatabaseAway, match="does not answer"):
        await fitness_of("postgresql://keepsake@127.0.0.1:1/keepsake")


async def test_missing_pgvector_is_told_with_what_to_do(server: EmbeddedServer) -> None:
    database, owner = f"t_{secrets.token_hex(4)}", f"owner_{secrets.token_hex(4)}"
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE ROLE {owner} LOGIN CREATEROLE")
        admin.execute(f"CREATE DATABASE {database} OWNER {owner}")
    with pytest.raises(DatabaseUnfit, match="CREATE EXTENSION vector"):
        await migrate(server.url(owner, database), server.url(APPLICATION, database), progress=lambda _: None)


@pytest.mark.parametrize(
    ("pretence", "words"),
    [
        ("CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql RETURN '140012'", "is too old: Keepsake"),
        ("CREATE VIEW old.pg_available_extensions AS SELECT NULL::text AS name, '' AS installed_version,"
         " '' AS default_version WHERE false", "has no pgvector"),
        ("CREATE VIEW old.pg_available_extensions AS SELECT 'vector' AS name, '0.6.2' AS installed_version,"
         " '0.6.2' AS default_version", "pgvector 0.6.2 is too old"),
    ],
)  # fmt: skip
async def test_a_server_that_is_too_old_is_told_with_what_it_needs(
    server: EmbeddedServer, clone: Callable[[], str], pretence: str, words: str
) -> None:
    """The server pretends: what we ask of its catalogue is answered by a schema that stands before it."""
    url = server.url("postgres", clone())
    with psycopg.connect(url) as admin:
        admin.execute("CREATE SCHEMA old")
        admin.execute(pretence.encode())
    with pytest.raises(DatabaseUnfit, match=words):
        async with one_connection(f"{url}&options=-csearch_path%3Dold,pg_catalog") as connection:
            await check_server(connection)
