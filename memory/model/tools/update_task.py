"""The tool that opens a task, or moves one on."""

from datetime import date
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from db.vocabulary import EventKind, TaskStatus
from memory.errors import Refused
from memory.model.tools.base import Caller, Tool
from memory.model.tools.notes import write_note
from memory.model.tools.record_decision import Ref


class UpdateTask(BaseModel):
    """Open a task for something the user asked for or promised that will outlast this conversation, or move one on by \
its id. A new task needs a title."""

    task_id: str | None = Field(None, max_length=64, description="The tsk_… that changes; none for a new task.")
    title: str | None = Field(None, min_length=3, max_length=200, description="What must happen, in one sentence.")
    status: TaskStatus | None = None
    details: str | None = Field(None, max_length=2000)
    due: date | None = Field(None, description="Only if somebody named a day.")
    refs: list[Ref] = Field(default=[], max_length=20, description="Ids of what it rests on, as you were shown them.")


async def update_task(wish: UpdateTask, caller: Caller) -> str:
    if wish.due and wish.due < caller.now.astimezone(ZoneInfo(caller.choices.timezone)).date():
        raise Refused(f"Not kept: {wish.due} has passed; ask which day was meant.")
    content = wish.model_dump(mode="json", exclude={"refs"})
    task_id = await write_note(caller, EventKind.TASK_UPDATE, content, wish.refs)
    return f"Noted: [{task_id}]"


TOOL = Tool("update_task", UpdateTask, update_task)
