"""Databases for benchmarks: an embedded server in a temporary folder, migrated, and removed at the end."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from db.embedded import EmbeddedServer, join_server
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database
from db.migrate import migrate
from memory.privacy.encryption import Keyring, new_key
from memory.unit import Memory


@contextmanager
def embedded_server(folder: Path) -> Iterator[EmbeddedServer]:
    server = join_server(folder, progress=lambda _: None)
    try:
        yield server
    finally:
        server.leave()


async def create_database(server: EmbeddedServer) -> None:
    make_database(server)
    await migrate(server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE), progress=lambda _: None)


@contextmanager
def migrated_database(folder: Path) -> Iterator[str]:
    """Yield the URL for the application's role."""
    with embedded_server(folder) as server:
        asyncio.run(create_database(server))
        yield server.url(APPLICATION, DATABASE)


@asynccontextmanager
async def bench_memory() -> AsyncIterator[tuple[Memory, EmbeddedServer]]:
    with tempfile.TemporaryDirectory() as folder, embedded_server(Path(folder)) as server:
        await create_database(server)
        memory = Memory(Database(server.url(APPLICATION, DATABASE)), Keyring((new_key(),)))
        yield memory, server
        await memory.database.close()
