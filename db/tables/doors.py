"""What stands at the doors: the inbox of updates, where events stand outside, API keys, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, belongs_to, empty_list, found_by, moment_now


class InboxItem(Base):
    __tablename__ = "inbox"
    __table_args__ = (
        Index(None, "tenant_id", "chat_id", "update_id", postgresql_where=text("state <> 'done'")),
        Index(None, "tenant_id", "done_at", postgresql_where=text("done_at IS NOT NULL")),
    )

    update_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[str]
    chat_id: Mapped[str]
    payload: Mapped[bytes | None]
    state: Mapped[str] = mapped_column(server_default="waiting")
    attempts: Mapped[int] = mapped_column(server_default="0")
    lease_until: Mapped[datetime | None]
    received_at: Mapped[datetime] = moment_now()
    holder: Mapped[str | None]
    failures: Mapped[int] = mapped_column(server_default="0")
    why: Mapped[str | None]
    answer: Mapped[bytes | None]
    sent: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default="{}")
    preview: Mapped[int | None] = mapped_column(BigInteger)
    done_at: Mapped[datetime | None]


class Post(Base):
    """A message of a chat outside, and the event that it is."""

    __tablename__ = "posts"
    __table_args__ = (
        belongs_to("events", "event_id", ondelete="CASCADE"),
        found_by("event_id"),
        found_by("user_id"),
        {"info": {"granted": APPEND_ONLY | {"DELETE"}}},
    )

    chat: Mapped[str] = mapped_column(primary_key=True)
    message_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    user_id: Mapped[str]
    event_id: Mapped[str]


class ApiKey(Base):
    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str | None]
    agent_id: Mapped[str | None]
    hash: Mapped[bytes] = mapped_column(unique=True)
    scopes: Mapped[list[str]] = empty_list()
    created_at: Mapped[datetime] = moment_now()
    revoked_at: Mapped[datetime | None]


class AuditEntry(Base):
    """Who changed what and when, without the words."""

    __tablename__ = "audit_log"
    __table_args__ = (
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id", "ts"),
        {"info": {"granted": APPEND_ONLY}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    ts: Mapped[datetime]
    actor: Mapped[str]
    action: Mapped[str]
    target: Mapped[str]
    details: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
