"""The tool that records a decision and its evidence."""

from typing import Annotated

from pydantic import BaseModel, Field

from db.vocabulary import DecisionScope, EventKind
from memory.model.tools.base import Caller, Tool
from memory.model.tools.ledger_entries import write_ledger_entry

Reason = Annotated[str, Field(max_length=500)]
Ref = Annotated[str, Field(max_length=64)]


class RecordDecision(BaseModel):
    """Record a settled decision that later work depends on. Not for facts about the user. To change an earlier \
decision, name it in supersedes."""

    decision: str = Field(min_length=5, max_length=1000, description="What was decided, in one sentence.")
    scope: DecisionScope = Field(DecisionScope.PROJECT, description="Where it applies.")
    rationale: list[Reason] = Field(default=[], max_length=10)
    constraints: list[Reason] = Field(default=[], max_length=10)
    alternatives: list[Reason] = Field(default=[], max_length=10, description="Rejected alternatives.")
    refs: list[Ref] = Field(
        default=[], max_length=20, description="Ids of the evidence, as shown to you: chk_…, art_…, dec_…."
    )
    supersedes: str | None = Field(None, max_length=64, description="The id (dec_…) of the decision it replaces.")


async def record_decision(args: RecordDecision, caller: Caller) -> str:
    content = args.model_dump(mode="json", exclude={"refs"})
    decision_id = await write_ledger_entry(caller, EventKind.DECISION, content, args.refs or [caller.event_id])
    return f"Decided: [{decision_id}]"


TOOL = Tool("record_decision", RecordDecision, record_decision)
