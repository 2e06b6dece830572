"""Users, spaces, memberships and invitations."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, belongs_to, empty_list, found_by, moment_now


class User(Base):
    __tablename__ = "users"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    timezone: Mapped[str] = mapped_column(server_default="UTC")
    language: Mapped[str] = mapped_column(server_default="en")
    mode: Mapped[str] = mapped_column(server_default="confirm")
    never_remember: Mapped[list[str]] = empty_list()
    reminders: Mapped[bool] = mapped_column(server_default="false")
    data_key: Mapped[bytes | None]
    forgot_at: Mapped[datetime | None]
    left_pages_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = moment_now()


class Space(Base):
    __tablename__ = "spaces"
    __table_args__ = (
        belongs_to("users", "created_by", ondelete="SET NULL (created_by)"),
        Index("one_space_for_a_chat", "tenant_id", "chat", unique=True, postgresql_where=text("chat IS NOT NULL")),
        {"info": {"fixed": {"kind", "created_by", "chat"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    subject: Mapped[str] = mapped_column(server_default="")
    chat: Mapped[str | None]
    channel: Mapped[str] = mapped_column(server_default="public")
    created_by: Mapped[str | None]
    created_at: Mapped[datetime] = moment_now()


class SpaceMember(Base):
    __tablename__ = "space_members"
    __table_args__ = (
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id"),
    )

    space_id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str] = mapped_column(server_default="member")
    joined_at: Mapped[datetime] = moment_now()


class Invitation(Base):
    """Lets one person into a space, once; only a hash of its code is kept."""

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("tenant_id", "hash"),
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    hash: Mapped[bytes]
    expires_at: Mapped[datetime]
    created_at: Mapped[datetime] = moment_now()
