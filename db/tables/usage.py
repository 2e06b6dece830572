"""The cost of model calls: numbers only, no words."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import APPEND_ONLY, Base, belongs_to, found_by


class Usage(Base):
    """One model call. Its cost is NULL if the price is unknown."""

    __tablename__ = "usage"
    __table_args__ = (
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("conversations", "conversation_id", ondelete="SET NULL (conversation_id)"),
        found_by("user_id", "ts"),
        found_by("ts"),
        found_by("conversation_id"),
        {"info": {"granted": APPEND_ONLY | {"DELETE"}}},
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    user_id: Mapped[str]
    conversation_id: Mapped[str | None]
    ts: Mapped[datetime]
    model: Mapped[str]
    purpose: Mapped[str]
    input_tokens: Mapped[int] = mapped_column(BigInteger)
    cache_read_tokens: Mapped[int] = mapped_column(BigInteger)
    cache_write_tokens: Mapped[int] = mapped_column(BigInteger)
    output_tokens: Mapped[int] = mapped_column(BigInteger)
    cost_microdollars: Mapped[int | None] = mapped_column(BigInteger)
    milliseconds: Mapped[int]
