"""Facts, the profile, and proposals."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from api.schemas.shared import Name, PageOut, RequestBody, RowOut, SingleLine
from memory import Approval, Attribute, Category, FactRow, ProposalKind, Sensitivity, Visibility
from memory.facts.facts import LONGEST, LONGEST_SUBJECT, SHORTEST
from memory.facts.proposals import Card


class CreateMemoryIn(RequestBody):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"content": "Alec is my boss at TechCorp", "category": "person", "subject": "Alec"}]
        }
    )

    content: str = Field(min_length=SHORTEST, max_length=LONGEST)
    category: Category
    subject: str | None = Field(None, max_length=LONGEST_SUBJECT, description="Must occur in the content.")
    attribute: Attribute | None = Field(None, description="The part of the profile it fills.")
    separate: bool = Field(False, description="Add a second fact about a known subject instead of changing the first.")


class UpdateMemoryIn(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "Sarah works on the Design team"}]})

    content: str = Field(min_length=SHORTEST, max_length=LONGEST)


class VisibilityIn(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"visibility": "private"}]})

    visibility: Visibility
    space_id: Name | None = Field(None, description="The space to share it with.")


class ForgetIn(RequestBody):
    """Forgets everything named here at once and for good."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topics": ["tea"], "preference_keys": ["occupation"], "clear_summary": False}]}
    )

    topics: list[SingleLine] = Field(default_factory=list, max_length=100)
    preference_keys: list[str] = Field(default_factory=list, max_length=20, description="As in `preferences`.")
    clear_summary: bool = False
    subject: str | None = Field(None, min_length=1, max_length=LONGEST_SUBJECT)
    since: datetime | None = None
    until: datetime | None = None


class MemoryOut(BaseModel):
    """The current version of a fact."""

    id: str = Field(examples=["aMS15nB0"])
    category: Category
    subject: str | None
    content: str
    version: int
    created_at: datetime
    updated_at: datetime | None
    attribute: Attribute | None
    visibility: Visibility
    sensitivity: Sensitivity
    shared_by: str | None = Field(description="The owner, if it is another member's fact.")

    @classmethod
    def of(cls, row: FactRow, viewer: str | None, **more: Any) -> Self:
        return cls(
            id=row.id,
            category=row.category,
            subject=row.subject,
            content=row.words,
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
            attribute=row.attribute,
            visibility=row.visibility,
            sensitivity=row.sensitivity,
            shared_by=None if row.owner == viewer else row.owner,
            **more,
        )


class ChangedOut(MemoryOut):
    previous_content: str | None = Field(None, description="The text before the change.")


class VersionOut(RowOut):
    version: int
    content: str = Field(validation_alias="words")
    subject: str | None
    created_at: datetime = Field(validation_alias="updated_at")
    author: str
    approval: Approval
    forgotten: bool
    source_event_id: str | None


class HistoryOut(MemoryOut):
    versions: list[VersionOut]


class DeletedOut(BaseModel):
    success: bool = True
    deleted: MemoryOut
    undo_until: datetime = Field(description="Until then it can be restored; afterwards it is purged.")


class ProfileOut(BaseModel):
    id: str
    summary: str
    key_topics: list[str]
    preferences: dict[str, Any]
    created_at: datetime | None
    updated_at: datetime | None


class PreferencesOut(BaseModel):
    memory: ProfileOut


class MemoriesOut(PageOut):
    memory: ProfileOut
    memories: list[MemoryOut]


class FactsOut(PageOut):
    facts: list[MemoryOut]


class ErasedOut(BaseModel):
    success: bool = True
    message: str = "All memory has been permanently deleted"


class ForgottenOut(BaseModel):
    success: bool = True
    removed: list[str] = Field(examples=[["topics: tea", "preference: occupation"]])


class ProposalOut(BaseModel):
    """A proposed change that waits for its owner's decision."""

    id: str
    kind: ProposalKind
    category: Category
    content: str
    subject: str | None
    attribute: Attribute | None
    memory_id: str | None = Field(description="The fact it would change.")
    previous_content: str | None
    content_hash: str = Field(description="Hash of the text shown; needed to accept it.")
    author: str
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, card: Card) -> Self:
        row = card.row
        return cls(
            id=row.id,
            kind=row.kind,
            category=row.category,
            content=row.content or "█",
            subject=row.subject,
            attribute=row.attribute,
            memory_id=row.fact_id,
            previous_content=card.about.words if card.about else None,
            content_hash=row.content_hash,
            author=row.author,
            created_at=row.created_at,
            expires_at=row.expires_at,
        )


class ProposedOut(BaseModel):
    """Not stored: the owner will be asked."""

    proposal: ProposalOut


class ProposalsOut(PageOut):
    proposals: list[ProposalOut]


class AcceptIn(RequestBody):
    model_config = ConfigDict(json_schema_extra={"examples": [{"content_hash": "0" * 64}]})

    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$", description="Hash of the text that was shown.")
    content: str | None = Field(None, min_length=SHORTEST, max_length=LONGEST, description="Store this text instead.")


class RejectedOut(BaseModel):
    success: bool = True
    id: str
