"""The units that recall searches, and their vectors, one row for each model."""

from datetime import datetime

from pgvector import HalfVector
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import REAL, Computed, Index
from sqlalchemy.dialects.postgresql import TSVECTOR
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, Spoken, belongs_to, empty_list, found_by


class Chunk(Spoken, Base):
    __tablename__ = "chunks"
    __table_args__ = (
        belongs_to("events", "event_id", ondelete="CASCADE"),
        belongs_to("summaries", "summary_id", ondelete="CASCADE"),
        belongs_to("artifacts", "artifact_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("user_id", "ts"),
        found_by("space_id", "ts"),
        found_by("event_id"),
        Index(None, "tsv", postgresql_using="gin"),
    )

    event_id: Mapped[str | None]
    summary_id: Mapped[str | None]
    artifact_id: Mapped[str | None]
    ts: Mapped[datetime]
    kind: Mapped[str]
    tags: Mapped[list[str]] = empty_list()
    token_est: Mapped[int]
    importance: Mapped[float] = mapped_column(REAL, server_default="0")
    text: Mapped[str]
    text_hash: Mapped[bytes]
    terms: Mapped[str]
    tsv: Mapped[str | None] = mapped_column(TSVECTOR, Computed("to_tsvector('simple', terms)", persisted=True))


class Embedding(Base):
    """Carries the scope of its chunk, so that the wall needs no join where every row counts."""

    __tablename__ = "embeddings"
    __table_args__ = (
        belongs_to("chunks", "chunk_id", ondelete="CASCADE"),
        found_by("user_id", "model"),
    )

    chunk_id: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    channel: Mapped[str]
    sensitivity: Mapped[str] = mapped_column(server_default="none")
    embedding: Mapped[HalfVector] = mapped_column(HALFVEC())
