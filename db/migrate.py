"""Brings a database to the schema of this program, as its owner: roles, extension, migrations, grants."""

from collections.abc import Callable
from pathlib import Path

from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from alembic import command
from db.engine import driver_url, one_connection
from db.errors import DatabaseUnfit
from db.fitness import check_server
from db.nearest import index_crowded_spaces
from db.roles import (
    grant_application,
    lend_function_roles,
    make_roles,
    no_temporary_tables,
    take_back_function_roles,
)

HOUSE = Path(__file__).resolve().parent.parent
LOCK = 7_305_102_946  # any number, the same in every process: one migrates, the others wait

Progress = Callable[[str], None]


async def migrate(owner_url: str, application_url: str, *, to: str = "head", progress: Progress = print) -> None:
    """Upgrade or downgrade in one transaction: all of it, or nothing. Spaces that became crowded are indexed then."""
    application = driver_url(application_url)
    if not application.username or application.username == driver_url(owner_url).username:
        raise DatabaseUnfit("DATABASE_URL must name a role of its own, not the role of KEEPSAKE_OWNER_URL.")
    async with one_connection(owner_url) as connection:
        await connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        await check_server(connection)
        await _make_extension(connection)
        await make_roles(connection, application.username, application.password)
        await lend_function_roles(connection)
        await connection.run_sync(_run, to, progress)
        if to == "head":
            await grant_application(connection, application.username)
            await no_temporary_tables(connection)
        await take_back_function_roles(connection)
    if to == "head":
        await index_crowded_spaces(owner_url, progress)


def newest_revision() -> str:
    """The revision this program was written for."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None
    return head


def _config() -> Config:
    config = Config(HOUSE / "alembic.ini")
    config.set_main_option("script_location", str(HOUSE / "alembic").replace("%", "%%"))
    return config


def _run(connection: Connection, to: str, progress: Progress) -> None:
    config = _config()
    config.attributes["connection"] = connection
    config.attributes["progress"] = progress
    present = MigrationContext.configure(connection).get_current_revision() or ""
    go = command.upgrade if to == "head" or (to.isdigit() and to > present) else command.downgrade
    try:
        go(config, to or "?")
    except CommandError as error:
        raise DatabaseUnfit(f"The schema cannot go to {to or 'nowhere'}: {error}") from error


async def _make_extension(connection: AsyncConnection) -> None:
    found = await connection.execute(text("SELECT FROM pg_extension WHERE extname = 'vector'"))
    if found.first() is not None:
        return
    allowed = await connection.execute(
        text(
            "SELECT r.rolsuper OR COALESCE(bool_or(v.trusted), false) FROM pg_roles AS r"
            " LEFT JOIN pg_available_extension_versions AS v ON v.name = 'vector'"
            " WHERE r.rolname = current_user GROUP BY r.rolsuper"
        )
    )
    if not allowed.scalar_one():
        raise DatabaseUnfit(
            "The extension pgvector is not in this database, and only a superuser may add it: CREATE EXTENSION vector;"
        )
    await connection.execute(text("CREATE EXTENSION vector"))
