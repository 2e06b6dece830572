"""Memory: facts and their versions, proposals, snapshots, tombstones and topics."""

from datetime import datetime
from typing import Any

from sqlalchemy import REAL, BigInteger, ForeignKeyConstraint, Identity, Index, text
from sqlalchemy.dialects.postgresql import INT4RANGE, Range
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, belongs_to, found_by, moment_now

CARD = frozenset(
    "kind fact_id category attribute subject content value sensitivity sealed content_hash fact_version author "
    "source_event_id span expires_at".split()
)


class Fact(Base):
    """A remembered fact. Its id never changes; its content is in its versions. The database copies here what the wall
    must read of the newest version: place, visibility, sensitivity, and when it was deleted."""

    __tablename__ = "facts"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id"),
        found_by("space_id", "visibility"),
        Index(
            "one_value_an_attribute",
            "tenant_id",
            "user_id",
            "attribute",
            unique=True,
            postgresql_where=text(
                "deleted_at IS NULL AND attribute IN"
                " ('name', 'preferred_name', 'occupation', 'location', 'communication_style', 'faith')"
            ),
        ),
        Index(
            "facts_that_wait_for_the_purge",
            "tenant_id",
            "deleted_at",
            postgresql_where=text("deleted_at IS NOT NULL"),
        ),
        {"info": {"fixed": {"category", "attribute", "sensitivity", "visibility", "deleted_at"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    category: Mapped[str]
    attribute: Mapped[str | None]
    visibility: Mapped[str] = mapped_column(server_default="private")
    sensitivity: Mapped[str] = mapped_column(server_default="none")
    importance: Mapped[float] = mapped_column(REAL, server_default="0.5")
    recalled_at: Mapped[datetime | None]
    recall_count: Mapped[int] = mapped_column(server_default="0")
    created_at: Mapped[datetime] = moment_now()
    deleted_at: Mapped[datetime | None]


class FactVersion(Base):
    """The whole state of a fact from this change on. The database sets `version`; `change` orders all changes.
    Sensitive words are only in `sealed`, encrypted."""

    __tablename__ = "fact_versions"
    __table_args__ = (
        belongs_to("facts", "fact_id", ondelete="CASCADE"),
        belongs_to("events", "source_event_id", ondelete="SET NULL (source_event_id)"),
        found_by("source_event_id"),
        {"info": {"granted": APPEND_ONLY}},
    )

    fact_id: Mapped[str] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True)
    change: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    content: Mapped[str | None]
    subject: Mapped[str | None]
    value: Mapped[dict[str, Any] | None]
    sealed: Mapped[bytes | None]
    space_id: Mapped[str]
    visibility: Mapped[str] = mapped_column(server_default="private")
    sensitivity: Mapped[str] = mapped_column(server_default="none")
    forgotten: Mapped[bool] = mapped_column(server_default="false")
    undoes: Mapped[int | None]
    source_event_id: Mapped[str | None]
    span: Mapped[Range[int] | None] = mapped_column(INT4RANGE)
    author: Mapped[str]
    approved_by: Mapped[str]
    approval: Mapped[str]
    created_at: Mapped[datetime] = moment_now()


class SnapshotItem(Base):
    """A fact version that a conversation began with: shown in its prompt, or left out for lack of room."""

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
    shown: Mapped[bool] = mapped_column(server_default="true")


class Proposal(Base):
    """A card: its words never change, so that an approval means what was shown."""

    __tablename__ = "proposals"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("facts", "fact_id", ondelete="CASCADE"),
        belongs_to("events", "source_event_id", ondelete="SET NULL (source_event_id)"),
        belongs_to("events", "reply_event_id", ondelete="SET NULL (reply_event_id)"),
        found_by("user_id", "status"),
        Index(
            "the_same_is_not_asked_twice",
            "tenant_id",
            "user_id",
            "content_hash",
            unique=True,
            postgresql_where=text("status = 'waiting'"),
        ),
        {"info": {"fixed": CARD}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    channel: Mapped[str] = mapped_column(server_default="private")
    kind: Mapped[str]
    fact_id: Mapped[str | None]
    category: Mapped[str]
    attribute: Mapped[str | None]
    subject: Mapped[str | None]
    content: Mapped[str | None]
    value: Mapped[dict[str, Any] | None]
    sensitivity: Mapped[str] = mapped_column(server_default="none")
    sealed: Mapped[bytes | None]
    content_hash: Mapped[str]
    fact_version: Mapped[int | None]
    source_event_id: Mapped[str | None]
    span: Mapped[Range[int] | None] = mapped_column(INT4RANGE)
    author: Mapped[str] = mapped_column(server_default="assistant")
    reply_event_id: Mapped[str | None]
    shown_at: Mapped[datetime | None]
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
