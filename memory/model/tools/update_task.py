"""The tool that opens or updates a task."""

from datetime import date
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from db.vocabulary import EventKind, TaskStatus
from memory.errors import Refused
from memory.model.tools.base import Caller, Tool
from memory.model.tools.ledger_entries import write_ledger_entry
from memory.model.tools.record_decision import Ref
from memory.refusals import Refusal


class UpdateTask(BaseModel):
    """Open a task for something that the user asked for or promised and that outlasts this conversation, or update \
one by its id. A new task needs a title."""

    task_id: str | None = Field(
        None, max_length=64, description="The id (tsk_…) of the task to change; omit it for a new task."
    )
    title: str | None = Field(None, min_length=3, max_length=200, description="What must happen, in one sentence.")
    status: TaskStatus | None = None
    details: str | None = Field(None, max_length=2000)
    due: date | None = Field(None, description="Only if someone named a day.")
    refs: list[Ref] = Field(default=[], max_length=20, description="Ids of its sources, as shown to you.")


async def update_task(args: UpdateTask, caller: Caller) -> str:
    if args.due and args.due < caller.now.astimezone(ZoneInfo(caller.choices.timezone)).date():
        raise Refused(Refusal.TASK_DAY_PASSED, due=args.due)
    content = args.model_dump(mode="json", exclude={"refs"})
    task_id = await write_ledger_entry(caller, EventKind.TASK_UPDATE, content, args.refs)
    return f"Noted: [{task_id}]"


TOOL = Tool("update_task", UpdateTask, update_task)
