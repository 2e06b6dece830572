"""The rolling digests of conversations, each a version built on the one before."""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, Spoken, belongs_to, empty_list, moment_now


class Summary(Spoken, Base):
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
            postgresql_where=text("status = 'processing'"),
        ),
        Index(
            "no_range_is_summarised_twice",
            "tenant_id",
            "conversation_id",
            "start_seq",
            "end_seq",
            unique=True,
            postgresql_where=text("status = 'completed'"),
        ),
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
    created_at: Mapped[datetime] = moment_now()
