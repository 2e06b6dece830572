"""HNSW indexes, one for each crowded shared space and model. All other vectors are compared one by one.

An HNSW index misses most results if a filter excludes most rows, so no index spans several spaces. Within one shared
space, every member reads nearly everything. From about 100,000 chunks on, comparing all of them takes longer than a
reply can wait.
"""

from collections.abc import Callable
from hashlib import sha256

from psycopg import sql
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from db.engine import one_connection

CROWDED = 100_000  # chunks of one space
MEMORY = "1GB"  # building a graph that does not fit takes four times as long
NEEDS = (0, 8)  # pgvector with iterative scans, which search on until enough rows pass the wall

Progress = Callable[[str], None]


def vector_index_name(tenant: str, space: str, model: str) -> str:
    """The index name. A search looks it up to see if the index exists."""
    return f"embeddings_near_{sha256(chr(0).join((tenant, space, model)).encode()).hexdigest()[:24]}"


async def index_crowded_spaces(owner_url: str, progress: Progress, *, crowded: int = CROWDED) -> None:
    """Create missing indexes and drop unused ones, as the owner of the tables, without blocking writers."""
    async with one_connection(owner_url) as connection:
        version = await connection.execute(text("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))
        if tuple(map(int, version.scalar_one().split(".")[:2])) < NEEDS:
            return
        rows = await connection.execute(text("SELECT * FROM wall.crowded_spaces(:fewest)"), {"fewest": crowded})
        wanted = {vector_index_name(row.tenant_id, row.space_id, row.model): row for row in rows}
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
    """The existing indexes by name; False if the build of one was interrupted."""
    indexes = await connection.execute(
        text(
            "SELECT c.relname, i.indisvalid FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
            " WHERE i.indrelid = 'embeddings'::regclass AND c.relname LIKE 'embeddings\\_near\\_%'"
        )
    )
    return {row.relname: row.indisvalid for row in indexes}


def _create(name: str, tenant: str, space: str, model: str, size: int) -> str:
    statement = sql.SQL(
        f"CREATE INDEX CONCURRENTLY {name} ON embeddings USING hnsw ((embedding::halfvec({size:d})) halfvec_cosine_ops)"
        f" WHERE tenant_id = {{}} AND space_id = {{}} AND model = {{}} AND size = {size:d}"
    )
    return statement.format(tenant, space, model).as_string().replace(":", r"\:")
