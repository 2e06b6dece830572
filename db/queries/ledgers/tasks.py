"""Tasks: open, in progress or done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import case, or_, update
from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.facts.facts import BLANK
from db.queries.ledgers.ledger_rows import Ledger
from db.tables import Task
from db.viewer import Viewer
from db.vocabulary import Channel, Sensitivity, TaskStatus


@dataclass(frozen=True, slots=True)
class TaskRow:
    """`title` is None while it is sealed."""

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


LEDGER = Ledger(Task, TaskRow, status=TaskStatus)


async def add_task(session: AsyncSession, viewer: Viewer, **values: Any) -> None:
    await LEDGER.add(session, viewer, values)


async def change_task(session: AsyncSession, viewer: Viewer, task_id: str, **values: Any) -> None:
    await session.execute(update(Task).where(Task.tenant_id == viewer.tenant, Task.id == task_id).values(**values))


async def task(session: AsyncSession, viewer: Viewer, task_id: str, *, to_change: bool = False) -> TaskRow | None:
    """One task. `to_change` locks it until the transaction ends."""
    query = LEDGER.visible(viewer).where(Task.id == task_id)
    return await LEDGER.first(session, query.with_for_update() if to_change else query)


async def open_tasks(session: AsyncSession, viewer: Viewer, *, limit: int) -> Sequence[TaskRow]:
    """Tasks that are not done: those in progress first, then by due day, then the oldest."""
    waiting = case((Task.status == TaskStatus.DOING, 0), else_=1)
    query = LEDGER.visible(viewer).where(Task.status != TaskStatus.DONE)
    return await LEDGER.rows(session, query.order_by(waiting, Task.due.nulls_last(), Task.ts, Task.id).limit(limit))


async def own_tasks(session: AsyncSession, viewer: Viewer) -> Sequence[TaskRow]:
    return await LEDGER.own(session, viewer)


async def remove_tasks(
    session: AsyncSession, viewer: Viewer, task_ids: Sequence[str], *, of_events: Sequence[str] = ()
) -> Sequence[str]:
    """Remove these tasks of the viewer, and those with words from these events. Return their ids."""
    from_events = or_(Task.event_id.in_(of_events), Task.refs.overlap(list(of_events)))
    return await LEDGER.remove(session, viewer, or_(Task.id.in_(task_ids), from_events))
