"""Shared by all tables: the tenant first in every key, and the column types in use."""

from datetime import datetime
from typing import Any

from sqlalchemy import DateTime, ForeignKeyConstraint, Index, MetaData, Text, func
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "pk": "%(table_name)s_pkey",
    "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
    "uq": "%(table_name)s_%(column_0_N_name)s_key",
    "ix": "%(table_name)s_%(column_0_N_name)s_idx",
}
EVERYTHING = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"})
APPEND_ONLY = frozenset({"SELECT", "INSERT"})
# Owner, place and creation time of a row. A row never moves, so these may not be updated.
FIXED = frozenset({"tenant_id", "id", "user_id", "space_id", "channel", "conversation_id", "agent_id", "created_at"})


class Base(DeclarativeBase):
    """`__table_args__` may carry `info`: the rights `granted` to the application role (all by default), and the
    columns that are `fixed` in addition to `FIXED`."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012  (SQLAlchemy reads it from the class)
        str: Text,
        datetime: DateTime(timezone=True),
        list[str]: ARRAY(Text),
        dict[str, Any]: JSONB(none_as_null=True),
    }

    tenant_id: Mapped[str] = mapped_column(primary_key=True, sort_order=-20)


class ScopedColumns:
    """Owner and place of a row, as the `spoken` policies of the wall read them."""

    id: Mapped[str] = mapped_column(primary_key=True, sort_order=-19)
    space_id: Mapped[str]
    user_id: Mapped[str]
    channel: Mapped[str]
    sensitivity: Mapped[str] = mapped_column(server_default="none")


def moment_now() -> Mapped[datetime]:
    return mapped_column(server_default=func.now())


def empty_list() -> Mapped[list[str]]:
    return mapped_column(server_default="{}")


def belongs_to(table: str, column: str, *, ondelete: str | None = None) -> ForeignKeyConstraint:
    """A reference that stays inside the tenant."""
    return ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


def found_by(*columns: str) -> Index:
    """An index on these columns. Like every key, it begins with the tenant."""
    return Index(None, "tenant_id", *columns)
