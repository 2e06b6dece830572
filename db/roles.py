"""The roles of the wall: who may log in, who looks across people, who erases, and what each is granted.

owner             owns the tables, runs migrations, sees no person's row (FORCE ROW LEVEL SECURITY)
application       what the program connects as; neither superuser, nor BYPASSRLS, nor an owner of anything
keepsake_warden   NOLOGIN; owns the few functions that must look across people; they return ids, and wrapped keys
keepsake_eraser   NOLOGIN; owns the few functions that may delete, blank or seal an event, and what derives from it
"""

from psycopg import sql
from sqlalchemy import Table, text
from sqlalchemy.ext.asyncio import AsyncConnection

from db.errors import DatabaseUnfit
from db.tables import Base
from db.tables.base import EVERYTHING, FIXED

WARDEN = "keepsake_warden"
ERASER = "keepsake_eraser"
# Wall functions that the application calls. Policies and triggers call the others.
CALLABLE = (
    "accept_invitation",
    "admit_key",
    "blank_event",
    "blank_words",
    "choose_channel",
    "cited_artifacts",
    "claim_notices",
    "claim_updates",
    "clear_doors",
    "clear_inbox",
    "consolidation_state",
    "data_keys",
    "due_embeddings",
    "due_artifacts",
    "due_bundles",
    "due_extractions",
    "due_purges",
    "due_reminders",
    "due_summaries",
    "embedding_progress",
    "enter_group",
    "estimates",
    "erase_event",
    "erase_events",
    "erase_spaces",
    "finish_update",
    "hold_updates",
    "inbox_state",
    "keep_answer",
    "key_list",
    "move_group",
    "names_here",
    "open_link",
    "outdated_embeddings",
    "private_chats",
    "seal_event",
    "session_of",
    "summary_chain",
    "take_over",
    "usage_sums",
    "who_forgot",
    "wrapped_otherwise",
)


async def make_roles(connection: AsyncConnection, application: str, password: str | None) -> None:
    """Create missing roles. The owner may then hand functions to warden and eraser, but never acts as them."""
    for role in (WARDEN, ERASER):
        if not await _exists(connection, role):
            await _create(connection, role, sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role)))
    if not await _exists(connection, application):
        phrase = sql.SQL(" PASSWORD {}").format(sql.Literal(password)) if password else sql.SQL("")
        create = sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(application)) + phrase
        await _create(connection, application, create)


async def lend_function_roles(connection: AsyncConnection) -> None:
    """Let the owner give functions to these roles during a migration."""
    if (await connection.execute(text("SELECT to_regnamespace('wall') IS NULL"))).scalar_one():
        await connection.execute(text("CREATE SCHEMA wall"))
    for role in (WARDEN, ERASER):
        await connection.execute(text(f"GRANT {role} TO CURRENT_USER"))
        await connection.execute(text(f"GRANT CREATE ON SCHEMA wall TO {role}"))


async def take_back_function_roles(connection: AsyncConnection) -> None:
    """Revoke that after a migration: as a member of these roles, the owner could read people's rows."""
    for role in (WARDEN, ERASER):
        await connection.execute(text(f"REVOKE CREATE ON SCHEMA wall FROM {role}"))
        await connection.execute(text(f"REVOKE {role} FROM CURRENT_USER"))


async def grant_application(connection: AsyncConnection, application: str) -> None:
    """Grant exactly what each table declares."""
    role = sql.Identifier(application).as_string()
    await connection.execute(text(f"GRANT USAGE ON SCHEMA public, wall TO {role}"))
    await connection.execute(text(f"GRANT SELECT ON alembic_version TO {role}"))
    for function in CALLABLE:
        await connection.execute(text(f"GRANT EXECUTE ON FUNCTION wall.{function} TO {role}"))
    for table in Base.metadata.sorted_tables:
        await connection.execute(text(f"REVOKE ALL ON {table.name} FROM {role}"))
        await connection.execute(text(f"GRANT {', '.join(granted(table))} ON {table.name} TO {role}"))


def granted(table: Table) -> list[str]:
    """The rights of the application role on a table. UPDATE covers only the columns that may change."""
    fixed = FIXED | table.info.get("fixed", set()) | {column.name for column in table.primary_key}
    changeable = [column.name for column in table.columns if column.name not in fixed and not column.computed]
    rights = sorted(table.info.get("granted", EVERYTHING))
    return [f"UPDATE ({', '.join(changeable)})" if right == "UPDATE" else right for right in rights]


async def no_temporary_tables(connection: AsyncConnection) -> None:
    """Forbid temporary tables: one could shadow a table of ours."""
    await connection.execute(
        text("DO $$ BEGIN EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database()); END $$")
    )


async def _exists(connection: AsyncConnection, role: str) -> bool:
    result = await connection.execute(text("SELECT FROM pg_roles WHERE rolname = :role"), {"role": role})
    return result.first() is not None


async def _create(connection: AsyncConnection, role: str, statement: sql.Composable) -> None:
    may_create = await connection.execute(
        text("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    )
    if not may_create.scalar_one():
        raise DatabaseUnfit(
            f"The role {role} is missing and the role of KEEPSAKE_OWNER_URL may not create it. "
            f"Ask an administrator to grant CREATEROLE, or see docs/postgresql.md for the statements to run."
        )
    await connection.execute(text(statement.as_string().replace(":", r"\:")))
