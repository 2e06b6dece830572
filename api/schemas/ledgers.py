"""Decisions, tasks, artifacts and handoffs."""

from datetime import date, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from api.schemas.shared import Name, PageOut, Reasons, Ref, Refs, RequestBody, RowOut, ScopedIn
from memory import ArtifactKind, DecisionScope, DecisionStatus, TaskStatus

LEDGER = "ledger"


class LedgerIn(ScopedIn):
    session_id: Name = Field(LEDGER, description="The conversation it belongs to.")


class DecisionIn(LedgerIn):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "agent_id": "agentA",
                    "decision": "The service keeps its data in PostgreSQL",
                    "scope": "project",
                    "rationale": ["one store to back up"],
                    "refs": [],
                }
            ]
        }
    )

    decision: str = Field(min_length=1, max_length=2000)
    scope: DecisionScope = DecisionScope.PROJECT
    rationale: Reasons = Field(default_factory=list)
    constraints: Reasons = Field(default_factory=list)
    alternatives: Reasons = Field(default_factory=list)
    consequences: Reasons = Field(default_factory=list)
    refs: Refs = Field(default_factory=list, description="Ids of the events and chunks it is based on.")
    supersedes: Ref | None = Field(None, description="Id of the decision it replaces.")


class DecisionOut(RowOut):
    decision_id: str = Field(validation_alias="id")
    ts: datetime
    status: DecisionStatus
    scope: DecisionScope
    decision: str = Field(validation_alias="words")
    rationale: list[str]
    constraints: list[str]
    alternatives: list[str]
    consequences: list[str]
    refs: list[str]
    supersedes: str | None
    superseded_by: str | None


class DecisionsOut(PageOut):
    decisions: list[DecisionOut]


class TaskIn(LedgerIn):
    """Creates a task, or changes the one named by `task_id`. A new task needs a title."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent_id": "agentA", "title": "Write the README", "status": "open"}]}
    )

    task_id: Ref | None = None
    title: str | None = Field(None, min_length=1, max_length=200)
    status: TaskStatus | None = None
    details: str | None = Field(None, max_length=4000)
    due: date | None = None
    refs: Refs = Field(default_factory=list)


class TaskOut(RowOut):
    task_id: str = Field(validation_alias="id")
    ts: datetime
    status: TaskStatus
    title: str = Field(validation_alias="words")
    details: str
    due: date | None
    refs: list[str]


class ArtifactOut(BaseModel):
    """The whole artifact, as `text` or else as `base64`."""

    artifact_id: str
    kind: ArtifactKind
    created_at: datetime
    meta: dict[str, Any]
    refs: list[str]
    size: int = Field(description="Bytes.")
    text: str | None
    base64: str | None


class HandoffIn(ScopedIn):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"agent_id": "agentA", "to_agent": "agentB", "goal": "Finish the README"}]}
    )

    to_agent: Ref
    goal: str = Field(min_length=1, max_length=2000)
    notes: str = Field("", max_length=8000)
    refs: Refs = Field(default_factory=list)


class HandoffOut(RowOut):
    handoff_id: str = Field(validation_alias="id")
    from_agent: str
    to_agent: str
    created_at: datetime = Field(validation_alias="ts")
    packet: dict[str, Any]
    token_est: int
    refs: list[str]


class ViewIn(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "Answer in *one* sentence."}]})

    content: str = Field(max_length=20_000, description="Markdown. An empty text removes the view.")


class ViewOut(RowOut):
    name: str
    scope: str
    content: str
    version: int
    updated_at: datetime = Field(validation_alias="created_at")
