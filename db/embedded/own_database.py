"""Creates Keepsake's own database on the embedded server, and its owner."""

import psycopg
from psycopg import sql

from db.embedded.server import EmbeddedServer
from db.engine import translate_driver_errors

OWNER = "keepsake_owner"
APPLICATION = "keepsake_app"
DATABASE = "keepsake"
MAKING = 7_305_102_947  # an advisory lock, any number: one program creates the database, the others wait


def make_database(server: EmbeddedServer, name: str = DATABASE) -> None:
    """Create an empty database with pgvector, unless it exists. Its owner is not a superuser."""
    with translate_driver_errors(), psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as superuser:
        superuser.execute("SELECT pg_advisory_lock(%s)", (MAKING,))
        if superuser.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (OWNER,)).fetchone() is None:
            superuser.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEROLE").format(sql.Identifier(OWNER)))
        if superuser.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            superuser.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER))
            )
        with psycopg.connect(server.url("postgres", name), autocommit=True) as inside:
            inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
