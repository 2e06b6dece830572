"""A database for one benchmark: its own server in a temporary folder, migrated, and gone at the end."""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from db.embedded import EmbeddedServer, join_server
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database
from db.migrate import migrate
from memory.privacy.encryption import Keyring, new_key
from memory.unit import Memory


@asynccontextmanager
async def bench_memory() -> AsyncIterator[tuple[Memory, EmbeddedServer]]:
    with tempfile.TemporaryDirectory() as place:
        server = join_server(Path(place), progress=lambda _: None)
        try:
            make_database(server)
            await migrate(server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE), progress=lambda _: None)
            memory = Memory(Database(server.url(APPLICATION, DATABASE)), Keyring((new_key(),)))
            yield memory, server
            await memory.database.close()
        finally:
            server.leave()
