"""What stands in a database, as a superuser sees it: every value of every table."""

import json
from collections.abc import Iterator
from typing import Any

import psycopg


def everything(url: str) -> Iterator[tuple[str, str, str]]:
    """Every value of every table, as a superuser sees it: table, column and text."""
    with psycopg.connect(url) as admin:
        tables = admin.execute(
            """SELECT c.oid::regclass::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
               WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname !~ '^pg_|^information_schema$'"""
        ).fetchall()
        for (table,) in tables:
            found = admin.execute(f"SELECT * FROM {table}".encode())
            names = [column.name for column in found.description or ()]
            for row in found:
                yield from ((table, name, spelled(value)) for name, value in zip(names, row, strict=True))


def spelled(value: Any) -> str:
    match value:
        case bytes():
            return value.decode("latin-1")
        case dict() | list():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)


def holding(url: str, words: str) -> set[tuple[str, str]]:
    """The columns in which these words stand."""
    return {(table, column) for table, column, value in everything(url) if words in value}
