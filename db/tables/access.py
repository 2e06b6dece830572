"""Tables of the front ends: the inbox, posts in chats, API keys and requests, web sessions, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import ARRAY, BigInteger, Index, UniqueConstraint, text
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
    """A message in an external chat, and the event it shows."""

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


class Tenant(Base):
    """A deployment or API customer with rows here. Only its name is stored."""

    __tablename__ = "tenants"
    __table_args__ = ({"info": {"granted": APPEND_ONLY}},)

    created_at: Mapped[datetime] = moment_now()


class ApiKey(Base):
    """`paced_until` is the rate limiter's state: when the last call would have come at the steady rate."""

    __tablename__ = "api_keys"
    __table_args__ = (
        UniqueConstraint("tenant_id", "hash"),
        {"info": {"fixed": {"hash", "scopes", "name", "last_used_at", "paced_until"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str | None]
    agent_id: Mapped[str | None]
    hash: Mapped[bytes]
    scopes: Mapped[list[str]] = empty_list()
    name: Mapped[str] = mapped_column(server_default="")
    created_at: Mapped[datetime] = moment_now()
    last_used_at: Mapped[datetime | None]
    paced_until: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class ApiRequest(Base):
    """A write with an idempotency key, and its sealed answer."""

    __tablename__ = "requests"
    __table_args__ = (
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("created_at"),
        {"info": {"fixed": {"hash"}}},
    )

    user_id: Mapped[str] = mapped_column(primary_key=True)
    key_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    hash: Mapped[bytes]
    status: Mapped[int | None]
    answer: Mapped[bytes | None]
    created_at: Mapped[datetime]


class WebSession(Base):
    """A link to the review page. Opening it turns it into a session with a cookie."""

    __tablename__ = "web_sessions"
    __table_args__ = (
        UniqueConstraint("tenant_id", "hash"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id"),
        found_by("expires_at"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    hash: Mapped[bytes | None]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


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
