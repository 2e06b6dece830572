"""What is remembered: facts and their versions, what waits for consent, and what must not come back."""

from datetime import datetime
from typing import Any

from sqlalchemy import REAL, ForeignKeyConstraint
from sqlalchemy.dialects.postgresql import INT4RANGE, Range
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, belongs_to, found_by, moment_now


class Fact(Base):
    """The thing that is remembered; its words are in its versions, its id never changes."""

    __tablename__ = "facts"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id"),
        found_by("space_id", "visibility"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    category: Mapped[str]
    subject: Mapped[str | None]
    attribute: Mapped[str | None]
    visibility: Mapped[str] = mapped_column(server_default="private")
    sensitivity: Mapped[str] = mapped_column(server_default="none")
    importance: Mapped[float] = mapped_column(REAL, server_default="0.5")
    recalled_at: Mapped[datetime | None]
    recall_count: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = moment_now()
    deleted_at: Mapped[datetime | None]


class FactVersion(Base):
    __tablename__ = "fact_versions"
    __table_args__ = (
        belongs_to("facts", "fact_id", ondelete="CASCADE"),
        belongs_to("events", "source_event_id", ondelete="SET NULL (source_event_id)"),
        found_by("source_event_id"),
        {"info": {"granted": APPEND_ONLY}},
    )

    fact_id: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    content: Mapped[str]
    value: Mapped[dict[str, Any] | None]
    source_event_id: Mapped[str | None]
    span: Mapped[Range[int] | None] = mapped_column(INT4RANGE)
    author: Mapped[str]
    approved_by: Mapped[str]
    created_at: Mapped[datetime] = moment_now()


class SnapshotItem(Base):
    """One fact version that a conversation has pinned."""

    __tablename__ = "snapshot_items"
    __table_args__ = (
        belongs_to("conversations", "conversation_id", ondelete="CASCADE"),
        ForeignKeyConstraint(
            ["tenant_id", "fact_id", "version"],
            ["fact_versions.tenant_id", "fact_versions.fact_id", "fact_versions.version"],
            ondelete="CASCADE",
        ),
        found_by("fact_id"),
    )

    conversation_id: Mapped[str] = mapped_column(primary_key=True)
    fact_id: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int]


class Proposal(Base):
    __tablename__ = "proposals"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("facts", "fact_id", ondelete="CASCADE"),
        belongs_to("events", "source_event_id", ondelete="SET NULL (source_event_id)"),
        found_by("user_id", "status"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    kind: Mapped[str]
    fact_id: Mapped[str | None]
    category: Mapped[str]
    subject: Mapped[str | None]
    content: Mapped[str]
    content_hash: Mapped[str]
    source_event_id: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default="waiting")
    decided_by: Mapped[str | None]
    decided_at: Mapped[datetime | None]
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = moment_now()


class Tombstone(Base):
    """Where forgotten words stood, and a salted hash of them; never the words."""

    __tablename__ = "tombstones"
    __table_args__ = (
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("events", "event_id", ondelete="SET NULL (event_id)"),
        found_by("user_id"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    event_id: Mapped[str | None]
    span: Mapped[Range[int] | None] = mapped_column(INT4RANGE)
    salt: Mapped[bytes]
    hash: Mapped[bytes]
    created_at: Mapped[datetime] = moment_now()


class Topic(Base):
    __tablename__ = "topics"
    __table_args__ = (belongs_to("users", "user_id", ondelete="CASCADE"),)

    user_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    count: Mapped[int] = mapped_column(server_default="1")
    last_seen: Mapped[datetime]
