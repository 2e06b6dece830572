"""Adds, reads and removes the rows of a ledger: decisions, tasks, artifacts and handoffs.

A row belongs to a person, a space and a channel. It is read as a dataclass with the names of its columns, except for
`owner` and `space`.
"""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, Select, delete, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.viewer import Viewer
from db.vocabulary import Channel, Sensitivity

Row = TypeVar("Row")
Reader = Callable[[Any], Any]

RENAMED = {"owner": "user_id", "space": "space_id"}


class Ledger(Generic[Row]):
    def __init__(self, table: Any, row: type[Row], **readers: Reader) -> None:
        """`readers` convert column values to field values, for example to a word of the vocabulary."""
        names = [field.name for field in fields(row)]  # type: ignore[arg-type]
        converters: dict[str, Reader] = {"channel": Channel, "sensitivity": Sensitivity, **readers}
        self._table = table
        self._row = row
        self._readers = {name: converters[name] for name in names if name in converters}
        self._columns = [
            getattr(table, RENAMED[name]).label(name) if name in RENAMED else getattr(table, name) for name in names
        ]

    def visible(self, viewer: Viewer) -> Select[Any]:
        """Every row that this viewer may read; the wall decides which."""
        return select(*self._columns).where(self._table.tenant_id == viewer.tenant)

    async def rows(self, session: AsyncSession, query: Select[Any]) -> Sequence[Row]:
        return [self._read(row._asdict()) for row in await session.execute(query)]

    async def first(self, session: AsyncSession, query: Select[Any]) -> Row | None:
        rows = await self.rows(session, query)
        return rows[0] if rows else None

    async def by_id(self, session: AsyncSession, viewer: Viewer, id: str) -> Row | None:
        return await self.first(session, self.visible(viewer).where(self._table.id == id))

    async def own(self, session: AsyncSession, viewer: Viewer) -> Sequence[Row]:
        """The viewer's own rows, ordered by id."""
        mine = self.visible(viewer).where(self._table.user_id == viewer.person)
        return await self.rows(session, mine.order_by(self._table.id))

    async def add(self, session: AsyncSession, viewer: Viewer, values: dict[str, Any]) -> None:
        await session.execute(insert(self._table).values(**entered_by(viewer), **values))

    async def remove(self, session: AsyncSession, viewer: Viewer, *conditions: ColumnElement[bool]) -> Sequence[str]:
        """Remove the viewer's own rows that meet these conditions. Return their ids."""
        mine = (self._table.tenant_id == viewer.tenant, self._table.user_id == viewer.person)
        gone = await session.execute(delete(self._table).where(*mine, *conditions).returning(self._table.id))
        return list(gone.scalars())

    def _read(self, columns: dict[str, Any]) -> Row:
        return self._row(**{**columns, **{name: read(columns[name]) for name, read in self._readers.items()}})


def entered_by(viewer: Viewer) -> dict[str, Any]:
    """The owner and place of a new row."""
    return {
        "tenant_id": viewer.tenant,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": viewer.channel,
    }
