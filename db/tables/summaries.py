"""Derived from conversations: digests, each version built on the one before, and extraction runs."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, ScopedColumns, belongs_to, empty_list, found_by, moment_now

PROCESSING, COMPLETED = text("status = 'processing'"), text("status = 'completed'")


class Summary(ScopedColumns, Base):
    """`new_seq` is the first message this version read itself; its `points` cover the messages from there on.
    `digest` sums up the conversation in a sentence or two. `overall` sums up all conversations of its owner in this
    place, with the `topics` at that time. Sensitive words are only in `sealed`."""

    __tablename__ = "summaries"
    __table_args__ = (
        belongs_to("conversations", "conversation_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        UniqueConstraint("tenant_id", "conversation_id", "id"),
        ForeignKeyConstraint(
            ["tenant_id", "conversation_id", "base_id"],
            ["summaries.tenant_id", "summaries.conversation_id", "summaries.id"],
            ondelete="SET NULL (base_id)",
        ),
        Index(
            "one_summary_is_made_at_a_time",
            "tenant_id",
            "conversation_id",
            unique=True,
            postgresql_where=PROCESSING,
        ),
        Index(
            "no_range_is_summarised_twice",
            "tenant_id",
            "conversation_id",
            "start_seq",
            "end_seq",
            unique=True,
            postgresql_where=COMPLETED,
        ),
        Index("summaries_in_order_idx", "tenant_id", "conversation_id", "end_seq", postgresql_where=COMPLETED),
        Index("summaries_digests_idx", "tenant_id", "space_id", "created_at", postgresql_where=COMPLETED),
    )

    conversation_id: Mapped[str]
    start_seq: Mapped[int]
    end_seq: Mapped[int]
    base_id: Mapped[str | None]
    status: Mapped[str]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    reason: Mapped[str | None]
    text: Mapped[str | None]
    refs: Mapped[list[str]] = empty_list()
    generation_ms: Mapped[int | None]
    new_seq: Mapped[int | None]
    points: Mapped[dict[str, Any] | None]
    digest: Mapped[str | None]
    overall: Mapped[str | None]
    topics: Mapped[list[str]] = empty_list()
    sealed: Mapped[bytes | None]
    created_at: Mapped[datetime] = moment_now()


class Extraction(ScopedColumns, Base):
    """A range of messages that was searched for facts. It holds no words."""

    __tablename__ = "extractions"
    __table_args__ = (
        belongs_to("conversations", "conversation_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id"),
        Index(
            "one_extraction_is_made_at_a_time",
            "tenant_id",
            "conversation_id",
            unique=True,
            postgresql_where=PROCESSING,
        ),
        Index(
            "no_range_is_extracted_twice",
            "tenant_id",
            "conversation_id",
            "start_seq",
            "end_seq",
            unique=True,
            postgresql_where=COMPLETED,
        ),
    )

    conversation_id: Mapped[str]
    start_seq: Mapped[int]
    end_seq: Mapped[int]
    status: Mapped[str]
    lease_until: Mapped[datetime | None]
    attempts: Mapped[int] = mapped_column(server_default="0")
    reason: Mapped[str | None]
    found: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = moment_now()
