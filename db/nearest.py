"""Indexes of nearest vectors (HNSW), one for each crowded shared space and model; all else is compared one by one.

Such an index behind a condition that few rows meet loses most of what it should find, so none spans several spaces. In
its own space everybody reads nearly everything, and from about a hundred thousand chunks on comparing all of them takes
longer than a reply waits.
"""

from collections.abc import Callable
from hashlib import sha256

from psycopg import sql
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from db.engine import one_connection

CROWDED = 100_000  # chunks of one space
MEMORY = "1GB"  # a graph that does not fit into it takes four times as long
NEEDS = (0, 8)  # the pgvector that goes on searching until enough rows pass the wall

Progress = Callable[[str], None]


def nearest_index(tenant: str, space: str, model: str) -> str:
    """Its name: whoever searches knows by it whether there is one."""
    return f"embeddings_near_{sha256(chr(0).join((tenant, space, model)).encode()).hexdigest()[:24]}"


async def index_crowded_spaces(owner_url: str, progress: Progress, *, crowded: int = CROWDED) -> None:
    """As the owner of the tables: make the indexes that are missing, and remove those that nobody needs any more.
    People go on writing meanwhile."""
    async with one_connection(owner_url) as connection:
        version = await connection.execute(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
        if tuple(map(int, version.scalar_one().split(".")[:2])) < NEEDS:
            return
        rows = await connection.execute(text("SELECT * FROM wall.crowded_spaces(:fewest)"), {"fewest": crowded})
        wanted = {nearest_index(row.tenant_id, row.space_id, row.model): row for row in rows}
        present = await _indexes(connection)
    async with one_connection(owner_url, autocommit=True) as connection:
        await connection.execute(text(f"SET maintenance_work_mem = '{MEMORY}'"))
        for name in sorted(present.keys() - {name for name in wanted if present.get(name)}):
            await connection.execute(text(f"DROP INDEX CONCURRENTLY IF EXISTS {name}"))
        for name in sorted(name for name in wanted if not present.get(name)):
            row = wanted[name]
            progress(f"Indexing a space of {row.chunks} chunks for {row.model}; this may take minutes")
            await connection.execute(text(_create(name, row.tenant_id, row.space_id, row.model, row.size)))


async def _indexes(connection: AsyncConnection) -> dict[str, bool]:
    """Those that are there, and whether each is whole: one whose making broke off is of no use."""
    found = await connection.execute(
        text(
            "SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
            " WHERE i.indrelid = 'embeddings'::regclass AND c.relname LIKE 'embeddings\\_near\\_%'"
        )
    )
    return {row.relname: row.indisvalid for row in found}


def _create(name: str, tenant: str, space: str, model: str, size: int) -> str:
    statement = sql.SQL(
        f"CREATE INDEX CONCURRENTLY {name} ON embeddings USING hnsw ((embedding::halfvec({size:d})) halfvec_cosine_ops)"
        f" WHERE tenant_id = {{}} AND space_id = {{}} AND model = {{}} AND size = {size:d}"
    )
    return statement.format(tenant, space, model).as_string().replace(":", r"\:")
