"""The agent's ledgers, the owner's views, and the bundles that were built for model calls."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, ScopedColumns, belongs_to, empty_list, found_by, moment_now


class Decision(ScopedColumns, Base):
    """Never rewritten. The database sets `status` and `superseded_by` when a successor names it in `supersedes`.
    Sensitive words are only in `sealed`, encrypted."""

    __tablename__ = "decisions"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        UniqueConstraint("tenant_id", "space_id", "id"),
        ForeignKeyConstraint(
            ["tenant_id", "space_id", "superseded_by"],
            ["decisions.tenant_id", "decisions.space_id", "decisions.id"],
            ondelete="SET NULL (superseded_by)",
        ),
        UniqueConstraint("tenant_id", "supersedes"),
        ForeignKeyConstraint(
            ["tenant_id", "space_id", "supersedes"],
            ["decisions.tenant_id", "decisions.space_id", "decisions.id"],
            ondelete="SET NULL (supersedes)",
        ),
        belongs_to("events", "event_id", ondelete="CASCADE"),
        found_by("user_id", "status", "ts"),
        found_by("space_id", "ts"),
        found_by("event_id"),
        {"info": {"granted": APPEND_ONLY | {"DELETE"}}},
    )

    ts: Mapped[datetime]
    status: Mapped[str] = mapped_column(server_default="active")
    scope: Mapped[str]
    decision: Mapped[str | None]
    rationale: Mapped[list[str]] = empty_list()
    constraints: Mapped[list[str]] = empty_list()
    alternatives: Mapped[list[str]] = empty_list()
    consequences: Mapped[list[str]] = empty_list()
    refs: Mapped[list[str]] = empty_list()
    superseded_by: Mapped[str | None]
    supersedes: Mapped[str | None]
    event_id: Mapped[str | None]
    sealed: Mapped[bytes | None]


class Task(ScopedColumns, Base):
    """`event_id` is the event with its current words; `refs` names the earlier events too."""

    __tablename__ = "tasks"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("events", "event_id", ondelete="CASCADE"),
        found_by("user_id", "status", "ts"),
        found_by("space_id", "status"),
        found_by("event_id"),
        {"info": {"fixed": {"ts"}}},
    )

    ts: Mapped[datetime]
    status: Mapped[str] = mapped_column(server_default="open")
    title: Mapped[str | None]
    details: Mapped[str] = mapped_column(server_default="")
    due: Mapped[date | None]
    refs: Mapped[list[str]] = empty_list()
    event_id: Mapped[str | None]
    sealed: Mapped[bytes | None]


class Artifact(ScopedColumns, Base):
    """Bytes too long for an event, or a document of a space. The same bytes are stored once. Sensitive `data` is
    sealed, and its `sha256` is keyed with its owner's key."""

    __tablename__ = "artifacts"
    __table_args__ = (
        UniqueConstraint("tenant_id", "user_id", "space_id", "channel", "kind", "sha256"),
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        Index("artifacts_that_grow_old", "tenant_id", "ts", postgresql_where=text("kind <> 'document'")),
        {"info": {"fixed": {"kind"}}},
    )

    ts: Mapped[datetime]
    kind: Mapped[str]
    data: Mapped[bytes] = mapped_column("bytes")
    sha256: Mapped[bytes]
    meta: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    refs: Mapped[list[str]] = empty_list()
    is_text: Mapped[bool] = mapped_column(server_default="false")


class Handoff(ScopedColumns, Base):
    __tablename__ = "handoffs"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id", "to_agent", "ts"),
        {"info": {"granted": APPEND_ONLY | {"DELETE"}}},
    )

    ts: Mapped[datetime]
    from_agent: Mapped[str]
    to_agent: Mapped[str]
    packet: Mapped[dict[str, Any]]
    token_est: Mapped[int]
    refs: Mapped[list[str]] = empty_list()


class View(Base):
    """Markdown that the owner reads and edits; an edit is a new version."""

    __tablename__ = "views"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
    )

    space_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    scope: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[str]
    created_at: Mapped[datetime] = moment_now()


class StoredBundle(Base):
    __tablename__ = "bundles"
    __table_args__ = (
        belongs_to("conversations", "conversation_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id", "ts"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    conversation_id: Mapped[str]
    ts: Mapped[datetime]
    request: Mapped[dict[str, Any]]
    hashes: Mapped[dict[str, Any]]
    provenance: Mapped[dict[str, Any]]
    token_est: Mapped[int] = mapped_column(server_default="0")
    token_used: Mapped[int] = mapped_column(server_default="0")


class ProgramText(Base):
    """A prompt text of the program itself, by its hash. It contains no person's words."""

    __tablename__ = "program_texts"
    __table_args__ = ({"info": {"granted": APPEND_ONLY}},)

    hash: Mapped[str] = mapped_column(primary_key=True)
    text: Mapped[str]
