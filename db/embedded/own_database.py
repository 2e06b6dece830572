"""The database that Keepsake makes for itself on the embedded server, and the roles it uses there."""

import psycopg
from psycopg import sql

from db.embedded.server import EmbeddedServer
from db.engine import driver_errors_translated

OWNER = "keepsake_owner"
APPLICATION = "keepsake_app"
DATABASE = "keepsake"
MAKING = 7_305_102_947  # any number: one program makes the database, the others wait


def make_database(server: EmbeddedServer, name: str = DATABASE) -> None:
    """An empty database with pgvector, owned by a role that is no superuser; what exists already stays."""
    with driver_errors_translated(), psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as superuser:
        superuser.execute("SELECT pg_advisory_lock(%s)", (MAKING,))
        if superuser.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (OWNER,)).fetchone() is None:
            superuser.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE").format(sql.Identifier(OWNER)))
        if superuser.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            superuser.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER))
            )
        with psycopg.connect(server.url("postgres", name), autocommit=True) as inside:
            inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
