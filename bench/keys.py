"""What a distributed PostgreSQL would ask of the schema, counted in the catalogue of a migrated database.

    python -m bench.keys

Such a system keeps all rows of one tenant on one node. It needs the tenant in every key; and what it does not do, or
does differently, must be known: triggers, functions of other roles, numbers that a table hands out, row-level security.
"""

import asyncio
from collections.abc import Sequence

import psycopg

from bench.runtime import bench_memory
from bench.report import Figure, report
from db.embedded.own_database import DATABASE

OURS = "connamespace = 'public'::regnamespace AND conrelid <> 'alembic_version'::regclass"
FIRST = """SELECT count(*) FILTER (WHERE a.attname = 'tenant_id'), count(*) FROM pg_constraint AS c
    JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
    WHERE {ours} AND c.contype = ANY (%s)"""
# Both ends of a foreign key lie on one node when both begin with the tenant.
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
    "functions that act as another role": """SELECT count(*), 'SECURITY DEFINER' FROM pg_proc
        WHERE prosecdef AND pronamespace = 'wall'::regnamespace""",
    "columns that a table numbers": """SELECT count(*), string_agg(attrelid::regclass || '.' || attname, ', ')
        FROM pg_attribute WHERE attidentity <> '' AND attrelid::regclass::text !~ '^pg_'""",
}


def main(_: Sequence[str] | None = None) -> None:
    asyncio.run(measure())


async def measure() -> None:
    async with bench_memory() as (_, server):
        with psycopg.connect(server.url("postgres", DATABASE)) as admin:
            report("keys", counted(admin))


def counted(admin: psycopg.Connection) -> list[Figure]:
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
        rest.append(Figure(what, float(found[0]), "", shortened(found[1] or "")))
    return [*kinds, *rest]


def _spread(told: tuple[float, str]) -> tuple[float, str, str]:
    return told[0], "", told[1]


def shortened(names: str) -> str:
    return ", ".join(dict.fromkeys(names.split(", ")))


if __name__ == "__main__":
    main()
