"""Checks that Keepsake can run on a database: its version, its extension, its schema, and our role in it."""

from dataclasses import dataclass

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from db.errors import DatabaseUnfit
from db.tables import Base

OLDEST_POSTGRESQL = 15
OLDEST_PGVECTOR = (0, 7)

# Properties of our login role, or of a role it may SET, that would let it bypass the wall.
WAYS_AROUND_THE_WALL = """
    WITH owners AS (
        SELECT relowner AS owner FROM pg_class WHERE relnamespace::regnamespace::text IN ('public', 'wall')
        UNION SELECT proowner FROM pg_proc WHERE pronamespace::regnamespace::text = 'wall'
        UNION SELECT nspowner FROM pg_namespace WHERE nspname = 'wall'
        UNION SELECT datdba FROM pg_database WHERE datname = current_database())
    SELECT r.rolname, reason FROM pg_roles AS r CROSS JOIN LATERAL (VALUES
        ('is a superuser', r.rolsuper),
        ('has BYPASSRLS', r.rolbypassrls),
        ('may create roles', r.rolcreaterole),
        ('may replicate', r.rolreplication),
        ('reaches around PostgreSQL to its files', r.rolname IN (
            'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files')),
        ('acts for everyone', r.rolname IN ('keepsake_warden', 'keepsake_eraser')),
        ('owns the database or a part of it', r.oid IN (SELECT owner FROM owners)
            AND r.rolname NOT IN ('keepsake_warden', 'keepsake_eraser'))
    ) AS ways(reason, open)
    WHERE open AND pg_has_role(session_user, r.oid, 'MEMBER')
    ORDER BY r.rolname <> session_user, r.rolname, reason
"""
HOLES_IN_THE_WALL = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname = ANY (:tables)
    AND NOT (relrowsecurity AND relforcerowsecurity)
"""


@dataclass(frozen=True, slots=True)
class Fitness:
    """Facts about the database for `keepsake doctor`."""

    postgresql: str
    pgvector: str
    role: str
    revision: str


async def check_server(connection: AsyncConnection) -> str:
    """Return the PostgreSQL version. Refuse a server that is too old or lacks pgvector."""
    row = (
        await connection.execute(
            text(
                "SELECT current_setting('server_version'), current_setting('server_version_num')::int / 10000,"
                " (SELECT COALESCE(installed_version, default_version) FROM pg_available_extensions"
                "  WHERE name = 'vector')"
            )
        )
    ).one()
    version, major, pgvector = row
    if major < OLDEST_POSTGRESQL:
        raise DatabaseUnfit(f"PostgreSQL {version} is too old: Keepsake needs {OLDEST_POSTGRESQL} or newer.")
    if pgvector is None:
        raise DatabaseUnfit(
            f"This PostgreSQL {version} has no pgvector. Install it on the server (version 0.7 or newer); "
            "the package is often called postgresql-NN-pgvector."
        )
    if tuple(int(part) for part in pgvector.split(".")[:2]) < OLDEST_PGVECTOR:
        raise DatabaseUnfit(f"pgvector {pgvector} is too old: Keepsake needs 0.7 or newer, which has halfvec.")
    return str(version)


async def check_fitness(connection: AsyncConnection, newest: str) -> Fitness:
    """Refuse a database where the wall would not hold, or with another schema version."""
    version = await check_server(connection)
    role = (await connection.execute(text("SELECT session_user"))).scalar_one()
    ways = (await connection.execute(text(WAYS_AROUND_THE_WALL))).all()
    if ways:
        reasons = ", ".join(
            reason if name == role else f"is a member of {name}, which {reason}" for name, reason in ways
        )
        raise DatabaseUnfit(
            f"The database role {role} {reasons}: it could read around the wall between people, so Keepsake "
            "will not run as it. Let DATABASE_URL name a plain role; docs/postgresql.md shows how."
        )
    holes = (await connection.execute(text(HOLES_IN_THE_WALL), {"tables": list(Base.metadata.tables)})).scalars().all()
    if holes:
        raise DatabaseUnfit(
            f"Row-level security is off on {', '.join(sorted(holes))}, so people are not walled off from each other. "
            "The schema was changed by hand; restore it with ALTER TABLE … ENABLE and FORCE ROW LEVEL SECURITY."
        )
    revision = await _revision(connection)
    if revision != newest:
        raise DatabaseUnfit(
            f"The database is at schema {revision or 'none'}, this program needs {newest}. "
            "Run `keepsake migrate` (with KEEPSAKE_OWNER_URL set)."
        )
    pgvector = (
        await connection.execute(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
    ).scalar_one()
    return Fitness(postgresql=version, pgvector=pgvector, role=role, revision=revision)


async def _revision(connection: AsyncConnection) -> str | None:
    exists = await connection.execute(text("SELECT to_regclass('public.alembic_version') IS NOT NULL"))
    if not exists.scalar_one():
        return None
    return (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar()
