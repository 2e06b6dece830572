"""Reads and writes a person's rows as JSON, for export and import."""

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Date, DateTime, LargeBinary, insert, literal, select
from sqlalchemy.dialects.postgresql import INT4RANGE, Range
from sqlalchemy.ext.asyncio import AsyncSession

from db.table_registry import TABLE_OWNERSHIP, belonging_to
from db.tables import Base
from db.viewer import Viewer

UNCOUNTED = {"conversations", "tombstones"}
ORDER = {"events": ("conversation_id", "seq"), "fact_versions": ("fact_id", "version")}


async def rows_of(session: AsyncSession, viewer: Viewer, name: str) -> Sequence[dict[str, Any]]:
    """Every row of this person in a table, in an order that can be imported."""
    table = Base.metadata.tables[name]
    order = ORDER.get(name, tuple(column.name for column in table.primary_key))
    shown = [column for column in table.columns if column.name not in TABLE_OWNERSHIP[name].hidden]
    query = select(*shown).where(belonging_to(table, viewer.tenant, viewer.person))
    rows = await session.execute(query.order_by(*(table.c[column] for column in order)))
    return [{column: _to_json(value) for column, value in row.items()} for row in rows.mappings()]


async def write_rows(session: AsyncSession, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert one row per statement, because the database numbers events and versions in that order."""
    for row in rows:
        await session.execute(insert(Base.metadata.tables[name]).values(**row))


def typed(name: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a JSON row to the types of its columns. Raises what the conversion raises."""
    columns = Base.metadata.tables[name].c
    return {column: _from_json(columns[column], value) for column, value in row.items() if value is not None}


def writable_columns(name: str) -> set[str]:
    columns = Base.metadata.tables[name].columns
    return {column.name for column in columns if not column.computed and not column.identity}


async def is_empty(session: AsyncSession, viewer: Viewer) -> bool:
    """True if this person has no data yet. Empty conversations and tombstones do not count."""
    for name in (name for name, ownership in TABLE_OWNERSHIP.items() if ownership.restored and name not in UNCOUNTED):
        table = Base.metadata.tables[name]
        theirs = select(literal(1)).select_from(table).where(belonging_to(table, viewer.tenant, viewer.person)).limit(1)
        if (await session.execute(theirs)).first() is not None:
            return False
    return True


def _to_json(value: Any) -> Any:
    match value:
        case datetime() | date():
            return value.isoformat()
        case bytes() | memoryview():
            return {"base64": b64encode(bytes(value)).decode()}
        case Range():
            return {"from": value.lower, "to": value.upper}
        case _:
            return value


def _from_json(column: Column[Any], value: Any) -> Any:
    match column.type:
        case LargeBinary():
            return b64decode(value["base64"])
        case INT4RANGE():
            return Range(value["from"], value["to"])
        case DateTime():
            return datetime.fromisoformat(value)
        case Date():
            return date.fromisoformat(value)
        case _:
            return value
