"""Events and context bundles."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from api.schemas.shared import Name, Ref, Refs, RequestBody, SessionIn
from memory import ActorType, EventKind
from memory.context.sections import DEFAULT_INTENT, DEFAULT_TOKENS, INTENTS

Tag = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]


DEEPEST = 64


def _ensure_shallow(content: dict[str, Any]) -> dict[str, Any]:
    """Limit the nesting, so that recursive readers do not overflow the stack."""
    level: list[Any] = [content]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return content
    raise ValueError(f"At most {DEEPEST} levels of nesting are allowed")


Shallow = Annotated[dict[str, Any], AfterValidator(_ensure_shallow)]


class Actor(RequestBody):
    type: ActorType
    id: Name = Field(description="`user` or the user's id for the user; the name of an agent or a tool.")


class EventIn(SessionIn):
    """One thing that happened. Anything that looks like a secret is removed before it is stored."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "tenant_id": "t1",
                    "session_id": "s1",
                    "channel": "private",
                    "actor": {"type": "human", "id": "user"},
                    "kind": "message",
                    "sensitivity": "none",
                    "tags": ["topic:onboarding", "repo:legacy"],
                    "content": {"text": "what this project for?"},
                    "refs": [],
                }
            ]
        }
    )

    actor: Actor
    kind: EventKind
    sensitivity: Literal["none", "low", "high", "secret"] = Field(
        "none", description="Minimum sensitivity; the content may be classified higher. A secret is never stored."
    )
    tags: list[Tag] = Field(default_factory=list, max_length=50)
    content: Shallow = Field(
        description="By kind: message: `text`. tool_result: `tool` and `excerpt_text`; beyond 64 KB it becomes an "
        "artifact. artifact: `name`, and `text` or `base64`. decision: `decision`, and optionally `rationale`, "
        "`constraints`, `alternatives`, `consequences` (lists of texts) and `supersedes` (an id). task_update: `title` "
        "for a new task or `task_id` for an existing one, and optionally `status` (open, doing, done), `details` and "
        "`due` (2026-11-30)."
    )
    refs: Refs = Field(default_factory=list)


class EventOut(BaseModel):
    event_id: str = Field(examples=["evt_01M7JX6Q92Y5GJXQVECZN6M81A"])
    chunk_ids: list[str] = Field(description="What recall can find; empty for a sensitive event.")
    created_at: datetime
    redacted: list[str] = Field(description="Kinds of secrets that were removed.", examples=[["password"]])
    entered: str | None = Field(description="Id of the decision or task that it created or changed.", examples=[None])
    artifact_id: str | None = Field(description="Id of the artifact that holds a long output or file.", examples=[None])


class BundleIn(SessionIn):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "tenant_id": "t1",
                    "session_id": "s1",
                    "agent_id": "agentA",
                    "channel": "private",
                    "intent": "repo_onboarding",
                    "query_text": "what this project for?",
                    "max_tokens": 65000,
                }
            ]
        }
    )

    intent: Ref = Field(
        DEFAULT_INTENT,
        description=f"The purpose: {', '.join(INTENTS)}. It sets the weights of recall (`scoring` in the provenance) "
        "and the sections to include. Any other value counts as default.",
    )
    query_text: str = Field("", max_length=20_000)
    max_tokens: int = Field(DEFAULT_TOKENS, ge=2_000, le=DEFAULT_TOKENS)
    tags: list[Tag] = Field(default_factory=list, max_length=50, description="Recall only what has all of these tags.")


class ItemOut(BaseModel):
    type: Literal["text", "decision"]
    text: str = Field(description="In `recent_window`, prefixed with the speaker.")
    refs: list[str]
    decision_id: str | None = None


class SectionOut(BaseModel):
    name: str
    items: list[ItemOut]
    token_est: int


class OmissionOut(BaseModel):
    reason: str
    candidates: list[str]
    artifact_id: str | None = None


class BundleOut(BaseModel):
    acb_id: str = Field(examples=["acb_01M7JX6Q92Y5GJXQVECZN6M81A"])
    budget_tokens: int
    token_used_est: int
    sections: list[SectionOut]
    omissions: list[OmissionOut]
    provenance: dict[str, Any]
