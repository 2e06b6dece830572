"""Events and bundles, as 002 has them."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from api.schemas.shared import In, Name, Ref, Refs, SessionIn
from memory import ActorType, EventKind
from memory.context.sections import DEFAULT_INTENT, DEFAULT_TOKENS, INTENTS

Tag = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f\x7f]+$")]


DEEPEST = 64


def _ensure_shallow(content: dict[str, Any]) -> dict[str, Any]:
    """Whoever reads it later does so level by level."""
    level: list[Any] = [content]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
        level = [each for each in level if isinstance(each, dict | list)]
        if not level:
            return content
    raise ValueError(f"At most {DEEPEST} levels stand in each other here")


Shallow = Annotated[dict[str, Any], AfterValidator(_ensure_shallow)]


class Actor(In):
    type: ActorType
    id: Name = Field(description="Who: `user`, or the user's own id, is the user; of an agent or a tool its name.")


class EventIn(SessionIn):
    """One thing that happened. What looks like a secret is taken out before anything is written."""

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
        "none", description="At least so careful; what is found sensitive is so anyway. A secret is never stored."
    )
    tags: list[Tag] = Field(default_factory=list, max_length=50)
    content: Shallow = Field(
        description="`text` of a message; `tool` and `excerpt_text` of a tool result, of which 64 KB stay and the rest "
        "becomes an artifact; `name` and `text` or `base64` of a file; `decision` (and, as lists of texts, "
        "`rationale`, `constraints`, `alternatives`, `consequences`; `supersedes`, an id) of a decision; `title` of a "
        "new task, or `task_id` of one that changes, with `status` (open, doing, done), `details` or `due` "
        "(2026-11-30) of a task_update."
    )
    refs: Refs = Field(default_factory=list)


class EventOut(BaseModel):
    event_id: str = Field(examples=["evt_01M7JX6Q92Y5GJXQVECZN6M81A"])
    chunk_ids: list[str] = Field(description="What recall can find of it; nothing where it is sensitive.")
    created_at: datetime
    redacted: list[str] = Field(description="Kinds of secrets that were left out.", examples=[["password"]])
    entered: str | None = Field(description="The decision or task that it wrote down.", examples=[None])
    artifact_id: str | None = Field(description="Holds all of a long output, or of a file.", examples=[None])


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
        description=f"Why it is needed: {', '.join(INTENTS)}. It decides what counts in recall and which sections are "
        "of use; `scoring` in the provenance tells the weights. Another counts as default.",
    )
    query_text: str = Field("", max_length=20_000)
    max_tokens: int = Field(DEFAULT_TOKENS, ge=2_000, le=DEFAULT_TOKENS)
    tags: list[Tag] = Field(default_factory=list, max_length=50, description="Recall only what carries all of these.")


class ItemOut(BaseModel):
    type: Literal["text", "decision"]
    text: str = Field(description="In `recent_window` who spoke stands before the words.")
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
