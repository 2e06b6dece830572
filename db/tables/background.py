"""Background work: notices to be delivered, and rebuilds in progress."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, belongs_to, empty_list, moment_now


class Notice(Base):
    """`key` identifies the subject, so each is delivered once. `refs` names the rows that hold the words."""

    __tablename__ = "notices"
    __table_args__ = (
        UniqueConstraint("tenant_id", "user_id", "kind", "key"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        Index("notices_to_be_told", "tenant_id", "user_id", "due_at", postgresql_where=text("told_at IS NULL")),
        {"info": {"fixed": {"kind", "key", "refs", "due_at"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    kind: Mapped[str]
    key: Mapped[str]
    refs: Mapped[list[str]] = empty_list()
    due_at: Mapped[datetime]
    lease_until: Mapped[datetime | None]
    told_at: Mapped[datetime | None]
    created_at: Mapped[datetime] = moment_now()


class Rebuild(Base):
    """A rebuild of everything derived for one user, done up to the source `made_until`."""

    __tablename__ = "rebuilds"
    __table_args__ = (belongs_to("users", "user_id", ondelete="CASCADE"),)

    user_id: Mapped[str] = mapped_column(primary_key=True)
    made_until: Mapped[str] = mapped_column(server_default="")
    began_at: Mapped[datetime]
