"""Tasks: opened and moved on by events, and standing across conversations until they are done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from db.ids import timed_id
from db.queries.ledgers import tasks as queries
from db.queries.ledgers.tasks import TaskRow
from db.vocabulary import Channel, Sensitivity, TaskStatus
from memory.errors import NotFound, Refused
from memory.events.contents import LONGEST_REF, Content, choice_of, day_of, refs_of, text_of
from memory.privacy.channels import ensure_loadable
from memory.unit import Unit

LONGEST_TITLE, LONGEST_DETAILS = 200, 4000
ALONE = frozenset({Channel.PRIVATE, Channel.AGENT})


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A new task, or with an id the change of one; what is missing stays as it is."""

    task_id: str | None = None
    title: str | None = None
    status: TaskStatus | None = None
    details: str | None = None
    due: date | None = None
    refs: tuple[str, ...] = ()

    @property
    def has_words(self) -> bool:
        return bool(self.title or self.details or self.refs)


def read_task(content: Content) -> TaskDraft:
    """What the content of an event says about a task; raises where it says nothing."""
    draft = TaskDraft(
        task_id=text_of(content, "task_id", longest=LONGEST_REF),
        title=text_of(content, "title", longest=LONGEST_TITLE),
        status=choice_of(content, "status", TaskStatus),
        details=text_of(content, "details", longest=LONGEST_DETAILS),
        due=day_of(content, "due"),
        refs=refs_of(content),
    )
    if draft.task_id is None and draft.title is None:
        raise Refused("Not kept: a new task needs a title; to change one, name its task_id.", field="title")
    if draft.task_id is not None and draft == TaskDraft(task_id=draft.task_id):
        raise Refused("Not kept: say what changes about the task: title, status, details or due.", field="title")
    return draft


async def enter(
    unit: Unit, draft: TaskDraft, *, event_id: str | None, ts: datetime, sensitivity: Sensitivity
) -> TaskRow:
    """Open a task or move it on, in the transaction that writes its event."""
    if draft.task_id is None:
        ensure_loadable(unit.viewer, sensitivity)
        return await _open(unit, draft, event_id, ts, sensitivity)
    row = await queries.task(unit.session, unit.viewer, draft.task_id, to_change=True)
    if row is None:
        raise NotFound("There is no such task.", field="task_id")
    before = (await unit.vault.opened([row]))[0]
    values: dict[str, Any] = {"status": draft.status or before.status, "due": draft.due or before.due}
    if draft.has_words:
        _ensure_own_words(unit, before)
        values |= await _changed_words(unit, draft, before, event_id, sensitivity)
    await queries.change_task(unit.session, unit.viewer, before.id, **values)
    return await find(unit, before.id)


async def open_tasks(unit: Unit, *, limit: int) -> list[TaskRow]:
    """What is being done, then what is open, by the day it is due and then by age."""
    return await unit.vault.opened(await queries.open_tasks(unit.session, unit.viewer, limit=limit))


async def find(unit: Unit, task_id: str) -> TaskRow:
    row = await queries.task(unit.session, unit.viewer, task_id)
    if row is None:
        raise NotFound("There is no such task.")
    return (await unit.vault.opened([row]))[0]


async def _open(unit: Unit, draft: TaskDraft, event_id: str | None, ts: datetime, sensitivity: Sensitivity) -> TaskRow:
    task_id = timed_id("tsk", ts)
    await queries.add_task(
        unit.session,
        unit.viewer,
        id=task_id,
        event_id=event_id,
        ts=ts,
        status=draft.status or TaskStatus.OPEN,
        due=draft.due,
        refs=_refs(draft.refs, event_id),
        **await _words(unit, task_id, draft.title or "", draft.details or "", sensitivity),
    )
    return await find(unit, task_id)


async def _changed_words(
    unit: Unit, draft: TaskDraft, before: TaskRow, event_id: str | None, sensitivity: Sensitivity
) -> dict[str, Any]:
    """What was sensitive stays so."""
    if before.title is None:
        raise Refused("That task is sealed, and the key that opens it is missing.")
    level = Sensitivity.most(before.sensitivity, sensitivity)
    ensure_loadable(unit.viewer, level)
    title, details = draft.title or before.title, draft.details or before.details
    words = await _words(unit, before.id, title, details, level)
    return {**words, "event_id": event_id, "refs": _refs((*before.refs, *draft.refs), event_id)}


async def _words(unit: Unit, task_id: str, title: str, details: str, sensitivity: Sensitivity) -> dict[str, Any]:
    if sensitivity != Sensitivity.HIGH:
        return {"title": title, "details": details, "sealed": None, "sensitivity": sensitivity}
    sealed = await unit.vault.seal(task_id, {"title": title, "details": details})
    return {"title": None, "details": "", "sealed": sealed, "sensitivity": sensitivity}


def _refs(refs: Sequence[str], event_id: str | None) -> list[str]:
    """With the event itself: whatever gave a task words can take them along when it is forgotten."""
    return list(dict.fromkeys([*refs, *([event_id] if event_id else [])]))


def _ensure_own_words(unit: Unit, task: TaskRow) -> None:
    """A clear word before the database's own no: others move a task, and what was said aloud is reworded aloud."""
    if task.owner != unit.viewer.user:
        raise Refused("Only who wrote the task down can reword it; you can move it on.")
    alone = task.channel in ALONE and unit.viewer.channel in ALONE
    here = (task.channel, task.space) == (unit.viewer.channel, unit.viewer.space)
    if not alone and not here:
        raise Refused("That task was said aloud. Reword it where it was said.")
