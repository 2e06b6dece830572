"""Tasks: what is open, who may move it, and how it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Select, case, delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Task
from db.viewer import Viewer
from db.vocabulary import Channel, Sensitivity, TaskStatus

BLANK = "█"
COLUMNS: tuple[Any, ...] = (
    Task.id,
    Task.user_id.label("owner"),
    Task.space_id.label("space"),
    Task.channel,
    Task.sensitivity,
    Task.ts,
    Task.status,
    Task.title,
    Task.details,
    Task.due,
    Task.refs,
    Task.event_id,
    Task.sealed,
)


@dataclass(frozen=True, slots=True)
class TaskRow:
    """`title` is missing where it is sealed and was not, or cannot be, opened."""

    id: str
    owner: str
    space: str
    channel: Channel
    sensitivity: Sensitivity
    ts: datetime
    status: TaskStatus
    title: str | None
    details: str
    due: date | None
    refs: Sequence[str]
    event_id: str | None
    sealed: bytes | None

    @property
    def words(self) -> str:
        return self.title or BLANK


async def add_task(session: AsyncSession, viewer: Viewer, **values: Any) -> None:
    scope = {
        "tenant_id": viewer.tenant,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": viewer.channel,
    }
    await session.execute(insert(Task).values(**scope, **values))


async def change_task(session: AsyncSession, viewer: Viewer, task_id: str, **values: Any) -> None:
    await session.execute(update(Task).where(Task.tenant_id == viewer.tenant, Task.id == task_id).values(**values))


async def task(session: AsyncSession, viewer: Viewer, task_id: str, *, to_change: bool = False) -> TaskRow | None:
    """One task; `to_change` keeps others from changing it until the transaction ends."""
    query = _selected(viewer).where(Task.id == task_id)
    found = await _rows(session, query.with_for_update() if to_change else query)
    return found[0] if found else None


async def open_tasks(session: AsyncSession, viewer: Viewer, *, limit: int) -> Sequence[TaskRow]:
    """What is not done yet: what is being done first, then by the day it is due, then the oldest."""
    waiting = case((Task.status == TaskStatus.DOING, 0), else_=1)
    query = _selected(viewer).where(Task.status != TaskStatus.DONE)
    return await _rows(session, query.order_by(waiting, Task.due.nulls_last(), Task.ts, Task.id).limit(limit))


async def own_tasks(session: AsyncSession, viewer: Viewer) -> Sequence[TaskRow]:
    return await _rows(session, _selected(viewer).where(Task.user_id == viewer.person).order_by(Task.id))


async def remove_tasks(
    session: AsyncSession, viewer: Viewer, task_ids: Sequence[str], *, of_events: Sequence[str] = ()
) -> Sequence[str]:
    """These tasks of the viewer's, and those that have words of these events; gives their ids."""
    gone = await session.execute(
        delete(Task)
        .where(
            Task.tenant_id == viewer.tenant,
            Task.user_id == viewer.person,
            or_(Task.id.in_(task_ids), Task.event_id.in_(of_events), Task.refs.overlap(list(of_events))),
        )
        .returning(Task.id)
    )
    return list(gone.scalars())


def _selected(viewer: Viewer) -> Select[Any]:
    return select(*COLUMNS).where(Task.tenant_id == viewer.tenant)


async def _rows(session: AsyncSession, query: Select[Any]) -> Sequence[TaskRow]:
    return [_row(found._asdict()) for found in await session.execute(query)]


def _row(found: dict[str, Any]) -> TaskRow:
    words = {
        "channel": Channel(found["channel"]),
        "sensitivity": Sensitivity(found["sensitivity"]),
        "status": TaskStatus(found["status"]),
    }
    return TaskRow(**{**found, **words})
