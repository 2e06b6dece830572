"""Tasks: opened and updated by events, and kept across conversations until they are done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from db.ids import timed_id
from db.queries.ledgers import tasks as queries
from db.queries.ledgers.tasks import TaskRow
from db.vocabulary import Sensitivity, TaskStatus
from memory.errors import NotFound, Refused
from memory.events.contents import LONGEST_REF, Content, choice_of, day_of, refs_of, text_of
from memory.privacy.channels import UNSHARED_CHANNELS, ensure_loadable
from memory.refusals import Refusal
from memory.unit import Unit

LONGEST_TITLE, LONGEST_DETAILS = 200, 4000


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A new task or, with an id, a change to one. Missing fields stay as they are."""

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
    """Parse the content of a task event. Raises Refused if it is invalid."""
    draft = TaskDraft(
        task_id=text_of(content, "task_id", longest=LONGEST_REF),
        title=text_of(content, "title", longest=LONGEST_TITLE),
        status=choice_of(content, "status", TaskStatus),
        details=text_of(content, "details", longest=LONGEST_DETAILS),
        due=day_of(content, "due"),
        refs=refs_of(content),
    )
    if draft.task_id is None and draft.title is None:
        raise Refused(Refusal.TASK_UNTITLED, field="title")
    if draft.task_id is not None and draft == TaskDraft(task_id=draft.task_id):
        raise Refused(Refusal.TASK_UNCHANGED, field="title")
    return draft


async def save_task(
    unit: Unit, draft: TaskDraft, *, event_id: str | None, ts: datetime, sensitivity: Sensitivity
) -> TaskRow:
    """Open or update a task in the transaction of its event."""
    if draft.task_id is None:
        ensure_loadable(unit.viewer, sensitivity)
        return await _open(unit, draft, event_id, ts, sensitivity)
    row = await queries.task(unit.session, unit.viewer, draft.task_id, to_change=True)
    if row is None:
        raise NotFound(Refusal.TASK_NOT_FOUND, field="task_id")
    before = (await unit.vault.open_rows([row]))[0]
    values: dict[str, Any] = {"status": draft.status or before.status, "due": draft.due or before.due}
    if draft.has_words:
        _ensure_own_words(unit, before)
        values |= await _changed_words(unit, draft, before, event_id, sensitivity)
    await queries.change_task(unit.session, unit.viewer, before.id, **values)
    return await find(unit, before.id)


async def open_tasks(unit: Unit, *, limit: int) -> list[TaskRow]:
    """Tasks in progress, then open ones, each by due day and then by age."""
    return await unit.vault.open_rows(await queries.open_tasks(unit.session, unit.viewer, limit=limit))


async def find(unit: Unit, task_id: str) -> TaskRow:
    row = await queries.task(unit.session, unit.viewer, task_id)
    if row is None:
        raise NotFound(Refusal.TASK_NOT_FOUND)
    return (await unit.vault.open_rows([row]))[0]


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
    """The changed text columns. A sensitive task stays sensitive."""
    if before.title is None:
        raise Refused(Refusal.SEALED)
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
    """Add the event to the refs: when it is forgotten, its words leave the task too."""
    return list(dict.fromkeys([*refs, *([event_id] if event_id else [])]))


def _ensure_own_words(unit: Unit, task: TaskRow) -> None:
    """Explain refusals in advance: the database would refuse without a clear message.

    Others may change a task's status but not its words, and a task of a shared channel is reworded there.
    """
    if task.owner != unit.viewer.user:
        raise Refused(Refusal.TASK_NOT_YOURS)
    are_unshared = {task.channel, unit.viewer.channel} <= UNSHARED_CHANNELS
    is_same_place = (task.channel, task.space) == (unit.viewer.channel, unit.viewer.space)
    if not are_unshared and not is_same_place:
        raise Refused(Refusal.TASK_SAID_ALOUD)
