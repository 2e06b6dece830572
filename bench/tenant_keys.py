"""How well the schema fits a distributed PostgreSQL, counted in the catalogue of a migrated database.

    python -m bench.tenant_keys

Such a system keeps all rows of a tenant on one node, so it needs the tenant in every key. It may not support triggers,
SECURITY DEFINER functions, identity columns or row-level security in the same way, so these are counted too.
"""

import asyncio
from collections.abc import Sequence

import psycopg

from bench.database import bench_memory
from bench.report import Figure, report
from db.embedded.own_database import DATABASE

OURS = "connamespace = 'public'::regnamespace AND conrelid <> 'alembic_version'::regclass"
FIRST = """SELECT count(*) FILTER (WHERE a.attname = 'tenant_id'), count(*) FROM pg_constraint AS c
    JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE {ours} AND c.contype = ANY (%s)"""
# Both ends of a foreign key are on one node if both begin with the tenant.
TOGETHER = """SELECT count(*) FILTER (WHERE a.attname = 'tenant_id' AND b.attname = 'tenant_id'), count(*)
    FROM pg_constraint AS c JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    JOIN pg_attribute AS b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1] WHERE {ours} AND c.contype = 'f'"""
INDEXES = """SELECT count(*) FILTER (WHERE a.attname = 'tenant_id'), count(*) FROM pg_index AS i
    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
    WHERE i.indisunique AND i.indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
        AND i.indrelid <> 'alembic_version'::regclass"""
COUNTED = {
    "tables behind the wall": """SELECT count(*), string_agg(DISTINCT CASE WHEN relrowsecurity THEN 'row-level security'
        END, '') FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relrowsecurity""",
    "triggers": """SELECT count(*), string_agg(tgrelid::regclass::text, ', ' ORDER BY tgrelid::regclass::text)
        FROM (SELECT DISTINCT tgrelid, tgname FROM pg_trigger WHERE NOT tgisinternal) AS t""",
    "SECURITY DEFINER functions": """SELECT count(*), 'SECURITY DEFINER' FROM pg_proc
        WHERE prosecdef AND pronamespace = 'wall'::regnamespace""",
    "identity columns": """SELECT count(*), string_agg(attrelid::regclass || '.' || attname, ', ')
        FROM pg_attribute WHERE attidentity <> '' AND attrelid::regclass::text !~ '^pg_'""",
}


def main(_: Sequence[str] | None = None) -> None:
    asyncio.run(measure())


async def measure() -> None:
    async with bench_memory() as (_, server):
        with psycopg.connect(server.url("postgres", DATABASE)) as admin:
            report("tenant_keys", figures_of(admin))


def figures_of(admin: psycopg.Connection) -> list[Figure]:
    def both(query: str, *values: object) -> tuple[float, str]:
        found = admin.execute(query.format(ours=OURS).encode(), values).fetchone()
        assert found
        return float(found[0]), f"of {found[1]}"

    kinds = [
        Figure("primary and unique keys that begin with the tenant", *_spread(both(FIRST, ["p", "u"]))),
        Figure("unique indexes that do", *_spread(both(INDEXES))),
        Figure("foreign keys that do, at both ends", *_spread(both(TOGETHER))),
    ]
    rest = []
    for what, query in COUNTED.items():
        found = admin.execute(query.encode()).fetchone()
        assert found
        rest.append(Figure(what, float(found[0]), "", without_repeats(found[1] or "")))
    return [*kinds, *rest]


def _spread(counts: tuple[float, str]) -> tuple[float, str, str]:
    return counts[0], "", counts[1]


def without_repeats(names: str) -> str:
    return ", ".join(dict.fromkeys(names.split(", ")))


if __name__ == "__main__":
    main()
