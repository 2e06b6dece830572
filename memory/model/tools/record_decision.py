"""The tool that writes down what was decided, with what it rests on."""

from typing import Annotated

from pydantic import BaseModel, Field

from db.vocabulary import DecisionScope, EventKind
from memory.model.tools.base import Caller, Tool
from memory.model.tools.notes import write_note

Reason = Annotated[str, Field(max_length=500)]
Ref = Annotated[str, Field(max_length=64)]


class RecordDecision(BaseModel):
    """Write down a decision that the work will rest on, once it is settled. Not for facts about the user. To change \
an earlier decision, name it in supersedes."""

    decision: str = Field(min_length=5, max_length=1000, description="What was decided, in one sentence.")
    scope: DecisionScope = Field(DecisionScope.PROJECT, description="What it holds for.")
    rationale: list[Reason] = Field(default=[], max_length=10)
    constraints: list[Reason] = Field(default=[], max_length=10)
    alternatives: list[Reason] = Field(default=[], max_length=10, description="What was turned down.")
    refs: list[Ref] = Field(
        default=[], max_length=20, description="Ids of the evidence as you were shown them: chk_…, art_…, dec_…."
    )
    supersedes: str | None = Field(None, max_length=64, description="The dec_… that no longer holds.")


async def record_decision(wish: RecordDecision, caller: Caller) -> str:
    content = wish.model_dump(mode="json", exclude={"refs"})
    decision_id = await write_note(caller, EventKind.DECISION, content, wish.refs or [caller.event_id])
    return f"Decided: [{decision_id}]"


TOOL = Tool("record_decision", RecordDecision, record_decision)
