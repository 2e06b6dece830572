"""What is remembered, as 001 and 004 have it, and what waits for its owner's word."""

from datetime import datetime
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field

from api.schemas.shared import In, Line, Name, PageOut, RowOut
from memory import Approval, Attribute, Category, FactRow, ProposalKind, Sensitivity, Visibility
from memory.facts.facts import LONGEST, LONGEST_SUBJECT, SHORTEST
from memory.facts.proposals import Card


class CreateMemoryIn(In):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"content": "Alec is my boss at TechCorp", "category": "person", "subject": "Alec"}]
        }
    )

    content: str = Field(min_length=SHORTEST, max_length=LONGEST)
    category: Category
    subject: str | None = Field(None, max_length=LONGEST_SUBJECT, description="Counts when it stands in the content.")
    attribute: Attribute | None = Field(None, description="The part of the profile that it tells.")
    separate: bool = Field(False, description="Another thing about a subject that is known already, not a change.")


class UpdateMemoryIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "Sarah works on the Design team"}]})

    content: str = Field(min_length=SHORTEST, max_length=LONGEST)


class VisibilityIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"visibility": "private"}]})

    visibility: Visibility
    space_id: Name | None = Field(None, description="With whom it is shared.")


class ForgetIn(In):
    """All that is named is forgotten at once, without a way back."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"topics": ["tea"], "preference_keys": ["occupation"], "clear_summary": False}]}
    )

    topics: list[Line] = Field(default_factory=list, max_length=100)
    preference_keys: list[str] = Field(default_factory=list, max_length=20, description="As in `preferences`.")
    clear_summary: bool = False
    subject: str | None = Field(None, min_length=1, max_length=LONGEST_SUBJECT)
    since: datetime | None = None
    until: datetime | None = None


class MemoryOut(BaseModel):
    """One fact as it stands."""

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
    shared_by: str | None = Field(description="Whose it is, where it is another member's.")

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
    previous_content: str | None = Field(None, description="The words before.")


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
    undo_until: datetime = Field(description="Until then it can be brought back; then it is gone for good.")


class ProfileOut(BaseModel):
    """The profile of 001."""

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
    """A fact that waits for its owner's word."""

    id: str
    kind: ProposalKind
    category: Category
    content: str
    subject: str | None
    attribute: Attribute | None
    memory_id: str | None = Field(description="The fact that it would change.")
    previous_content: str | None
    content_hash: str = Field(description="Of what is shown; an acceptance names it.")
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
    """Not stored: the owner is asked."""

    proposal: ProposalOut


class ProposalsOut(PageOut):
    proposals: list[ProposalOut]


class AcceptIn(In):
    model_config = ConfigDict(json_schema_extra={"examples": [{"content_hash": "0" * 64}]})

    content_hash: str = Field(pattern=r"^[0-9a-f]{64}$", description="Of what was shown.")
    content: str | None = Field(None, min_length=SHORTEST, max_length=LONGEST, description="Other words instead.")


class RejectedOut(BaseModel):
    success: bool = True
    id: str
