"""What happened: conversations and their immutable events, the ground truth of everything else."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, ScopedColumns, belongs_to, empty_list, found_by, moment_now

SEALED = text("sensitivity = 'high'")
OPEN = text("ended_at IS NULL AND chat IS NOT NULL")
TELLING = "telling"  # tags a message that may contain facts about its writer
# Tags a message from an import or an agent's key. Facts from it are stored only after approval.
SECONDHAND = "secondhand"
IMPORTED = "imported"  # tags a message from another program's records, which may be imported again


class Conversation(Base):
    __tablename__ = "conversations"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="SET NULL (user_id)"),
        found_by("space_id", "started_at"),
        found_by("user_id", "started_at"),
        Index("one_open_conversation_in_a_chat", "tenant_id", "chat", unique=True, postgresql_where=OPEN),
        Index("conversations_that_tell", "tenant_id", postgresql_where=text("telling > extracted")),
        {"info": {"fixed": {"next_seq", "next_message_seq", "telling", "started_at", "chat", "kept"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str | None]
    channel: Mapped[str]
    agent_id: Mapped[str]
    chat: Mapped[str | None]
    kept: Mapped[bool] = mapped_column(server_default="true")
    next_seq: Mapped[int] = mapped_column(server_default="0")
    next_message_seq: Mapped[int] = mapped_column(server_default="0")
    telling: Mapped[int] = mapped_column(server_default="0")
    """The number of messages up to the newest one tagged as `telling`."""
    extracted: Mapped[int] = mapped_column(server_default="0")
    summarised: Mapped[int] = mapped_column(server_default="0")
    digest_from: Mapped[int] = mapped_column(server_default="0")
    """Messages before this number are not summarised (again)."""
    started_at: Mapped[datetime] = moment_now()
    ended_at: Mapped[datetime | None]


class Event(ScopedColumns, Base):
    """`seq`, `message_seq`, `space_id` and `channel` are set by the database from the conversation."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("tenant_id", "conversation_id", "seq"),
        UniqueConstraint("tenant_id", "conversation_id", "message_seq"),
        UniqueConstraint("tenant_id", "update_id"),
        belongs_to("conversations", "conversation_id"),
        belongs_to("users", "user_id"),
        found_by("user_id", "ts"),
        found_by("space_id", "ts"),
        Index(None, "tags", postgresql_using="gin"),
        Index("events_sealed_by_user_idx", "tenant_id", "user_id", "ts", postgresql_where=SEALED),
        Index("events_sealed_by_space_idx", "tenant_id", "space_id", "ts", postgresql_where=SEALED),
        Index(
            "events_that_tell",
            "tenant_id",
            "conversation_id",
            "message_seq",
            postgresql_where=text(f"tags @> '{{{TELLING}}}'::text[]"),
        ),
        {"info": {"granted": APPEND_ONLY}},
    )

    conversation_id: Mapped[str]
    seq: Mapped[int]
    message_seq: Mapped[int | None]
    ts: Mapped[datetime]
    actor_type: Mapped[str]
    actor_id: Mapped[str]
    kind: Mapped[str]
    tags: Mapped[list[str]] = empty_list()
    content: Mapped[dict[str, Any]]
    refs: Mapped[list[str]] = empty_list()
    update_id: Mapped[int | None] = mapped_column(BigInteger)
