"""A database at revision 0020, as the last program with the older migrations left it (tests/data/schema_0020.sql)."""

import secrets
from pathlib import Path

import psycopg

from db.embedded import EmbeddedServer
from db.embedded.own_database import make_database

DUMP = Path(__file__).parent / "data" / "schema_0020.sql"
TENANT = "home"
CALLS = 8  # of ada's: what is kept of them replayed as identical when the dump was made


def restored(server: EmbeddedServer) -> str:
    """A new database with all that stands in the dump; gives its name. Its roles must be in the cluster already."""
    name = empty(server)
    with psycopg.connect(server.url("postgres", name), autocommit=True) as superuser:
        superuser.execute(DUMP.read_bytes())
    return name


def empty(server: EmbeddedServer) -> str:
    """A new database as the program makes it, before its first migration."""
    name = f"t_{secrets.token_hex(6)}"
    make_database(server, name)
    return name
