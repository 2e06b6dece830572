"""Brings a database to the schema of this program, as its owner: roles, extension, schema or migrations, grants."""

from collections.abc import Callable
from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from alembic import command
from db.engine import driver_url, one_connection
from db.errors import DatabaseUnfit
from db.fitness import check_server
from db.roles import (
    grant_application,
    lend_function_roles,
    make_roles,
    no_temporary_tables,
    take_back_function_roles,
)
from db.schema import load_schema
from db.tables import Base
from db.vector_indexes import index_crowded_spaces

HOUSE = Path(__file__).resolve().parent.parent
LOCK = 7_305_102_946  # any number, the same in every process: one migrates, the others wait
OLDEST = "0020"  # the revision of the first database created from db/schema
UPGRADES_OLDER = "706b43e3621872fbb8cabdf27808c4e07140b1f6"  # the last commit with the migrations up to `OLDEST`

Progress = Callable[[str], None]


async def migrate(owner_url: str, application_url: str, *, to: str = "head", progress: Progress = print) -> None:
    """Create, upgrade or downgrade in one transaction, all or nothing. Index crowded spaces afterwards."""
    application = driver_url(application_url)
    if not application.username or application.username == driver_url(owner_url).username:
        raise DatabaseUnfit("DATABASE_URL must name a role of its own, not the role of KEEPSAKE_OWNER_URL.")
    async with one_connection(owner_url) as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        await check_server(connection)
        await _make_extension(connection)
        await make_roles(connection, application.username, application.password)
        present = await connection.run_sync(check_revisions, to)
        await lend_function_roles(connection)
        await connection.run_sync(_create if present is None else _move, to, progress)
        if to == "head":
            await grant_application(connection, application.username)
            await no_temporary_tables(connection)
        await take_back_function_roles(connection)
    if to == "head":
        await index_crowded_spaces(owner_url, progress)


def newest_revision() -> str:
    """The revision this program was written for."""
    return known_revisions()[-1]


def known_revisions() -> list[str]:
    """The revisions this program can migrate between, oldest first."""
    return [script.revision for script in _scripts().walk_revisions()][::-1]


def check_revisions(connection: Connection, to: str) -> str | None:
    """Return the revision of the database, None if it is empty. Refuse one that cannot be migrated to `to`."""
    revisions = known_revisions()
    present = MigrationContext.configure(connection).get_current_revision()
    if present is None:
        _check_empty(connection)
        revisions = revisions[-1:]
    elif present < OLDEST:
        raise DatabaseUnfit(
            f"The database is at schema {present}, and this program upgrades from {OLDEST} on. "
            f"Check out commit {UPGRADES_OLDER}, run `keepsake migrate` there, and come back."
        )
    elif present not in revisions:
        raise DatabaseUnfit(
            f"The database is at schema {present}, which a newer program made: "
            f"this one knows {OLDEST} to {revisions[-1]}."
        )
    if to not in ("head", *revisions):
        between = revisions[0] if len(revisions) == 1 else f"{revisions[0]} to {revisions[-1]}"
        raise DatabaseUnfit(
            f"The schema cannot go to {to or 'nowhere'}: for this database there is {between}, or head."
        )
    return present


def _check_empty(connection: Connection) -> None:
    existing = Base.metadata.tables.keys() & inspect(connection).get_table_names("public")
    if existing:
        raise DatabaseUnfit(
            f"The database has no revision of its schema and has tables already ({', '.join(sorted(existing))}). "
            "Let KEEPSAKE_OWNER_URL and DATABASE_URL name an empty database, or restore this one from its backup."
        )


def _create(connection: Connection, to: str, progress: Progress) -> None:
    scripts = _scripts()
    progress(f"Creating the schema ({newest_revision()})")
    load_schema(connection)
    MigrationContext.configure(connection).stamp(scripts, to)


def _move(connection: Connection, to: str, progress: Progress) -> None:
    config = _config()
    config.attributes["connection"] = connection
    config.attributes["progress"] = progress
    present = MigrationContext.configure(connection).get_current_revision() or ""
    go = command.upgrade if to == "head" or to > present else command.downgrade
    try:
        go(config, to)
    except CommandError as error:
        raise DatabaseUnfit(f"The schema cannot go to {to}: {error}") from error


def _config() -> Config:
    config = Config(HOUSE / "alembic.ini")
    config.set_main_option("script_location", str(HOUSE / "alembic").replace("%", "%%"))
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


async def _make_extension(connection: AsyncConnection) -> None:
    extension = await connection.execute(text("SELECT FROM pg_extension WHERE extname = 'vector'"))
    if extension.first() is not None:
        return
    may_create = await connection.execute(
        text(
            "SELECT r.rolsuper OR COALESCE(bool_or(v.trusted), false) FROM pg_roles AS r"
            " LEFT JOIN pg_available_extension_versions AS v ON v.name = 'vector'"
            " WHERE r.rolname = current_user GROUP BY r.rolsuper"
        )
    )
    if not may_create.scalar_one():
        raise DatabaseUnfit(
            "The extension pgvector is not in this database, and only a superuser may add it: CREATE EXTENSION vector;"
        )
    await connection.execute(text("CREATE EXTENSION vector"))
