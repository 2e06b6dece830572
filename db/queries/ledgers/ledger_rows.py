"""How the rows of a ledger are added, read and removed: decisions, tasks, artifacts and handoffs share it.

A row of a ledger belongs to a person, was entered in a space and on a channel, and is read as a dataclass whose fields
are named as its columns are, but for `owner` and `space`.
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
        """`readers` make of what the database gives what stands in the row, field by field: a word of the vocabulary,
        for one."""
        names = [field.name for field in fields(row)]  # type: ignore[arg-type]
        known: dict[str, Reader] = {"channel": Channel, "sensitivity": Sensitivity, **readers}
        self._table = table
        self._row = row
        self._readers = {name: known[name] for name in names if name in known}
        self._columns = [
            getattr(table, RENAMED[name]).label(name) if name in RENAMED else getattr(table, name) for name in names
        ]

    def visible(self, viewer: Viewer) -> Select[Any]:
        """All that this viewer may read; what that is, the database decides."""
        return select(*self._columns).where(self._table.tenant_id == viewer.tenant)

    async def rows(self, session: AsyncSession, query: Select[Any]) -> Sequence[Row]:
        return [self._read(found._asdict()) for found in await session.execute(query)]

    async def first(self, session: AsyncSession, query: Select[Any]) -> Row | None:
        found = await self.rows(session, query)
        return found[0] if found else None

    async def by_id(self, session: AsyncSession, viewer: Viewer, id: str) -> Row | None:
        return await self.first(session, self.visible(viewer).where(self._table.id == id))

    async def own(self, session: AsyncSession, viewer: Viewer) -> Sequence[Row]:
        """The viewer's own, in the order of their ids."""
        mine = self.visible(viewer).where(self._table.user_id == viewer.person)
        return await self.rows(session, mine.order_by(self._table.id))

    async def add(self, session: AsyncSession, viewer: Viewer, values: dict[str, Any]) -> None:
        await session.execute(insert(self._table).values(**entered_by(viewer), **values))

    async def remove(self, session: AsyncSession, viewer: Viewer, *which: ColumnElement[bool]) -> Sequence[str]:
        """Such rows of the viewer's own; gives their ids."""
        mine = (self._table.tenant_id == viewer.tenant, self._table.user_id == viewer.person)
        gone = await session.execute(delete(self._table).where(*mine, *which).returning(self._table.id))
        return list(gone.scalars())

    def _read(self, found: dict[str, Any]) -> Row:
        return self._row(**{**found, **{name: read(found[name]) for name, read in self._readers.items()}})


def entered_by(viewer: Viewer) -> dict[str, Any]:
    """Whose a new row is, and where it is entered."""
    return {
        "tenant_id": viewer.tenant,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": viewer.channel,
    }
