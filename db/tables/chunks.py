"""The units that recall searches: their place, their terms, and one vector for each model."""

from datetime import datetime

from pgvector import HalfVector
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import REAL, BigInteger, Computed, Identity, Index, SmallInteger, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from db.tables.base import Base, ScopedColumns, belongs_to, empty_list, found_by

LONGEST_INDEXED = 1024  # dimensions that still fit into an index entry
KEPT_BY_THE_DATABASE = frozenset({"SELECT"})


class Shelf(Base):
    """Everything that read access depends on. Policies of postings and vectors check only the shelf."""

    __tablename__ = "shelves"
    __table_args__ = (
        UniqueConstraint("tenant_id", "user_id", "space_id", "channel", "sensitivity"),
        belongs_to("spaces", "space_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        found_by("space_id"),
        {"info": {"granted": KEPT_BY_THE_DATABASE}},
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    space_id: Mapped[str]
    user_id: Mapped[str]
    channel: Mapped[str]
    sensitivity: Mapped[str]
    chunks: Mapped[int] = mapped_column(BigInteger, server_default="0")
    words: Mapped[int] = mapped_column(BigInteger, server_default="0")


class Chunk(ScopedColumns, Base):
    """`thread`, `seq` and `part` order the chunks of a conversation or a document, so neighbours can be found.
    `speaker` names the person who said it, where it could be one of several."""

    __tablename__ = "chunks"
    __table_args__ = (
        UniqueConstraint("tenant_id", "no"),
        belongs_to("events", "event_id", ondelete="CASCADE"),
        belongs_to("summaries", "summary_id", ondelete="CASCADE"),
        belongs_to("artifacts", "artifact_id", ondelete="CASCADE"),
        belongs_to("users", "user_id", ondelete="CASCADE"),
        belongs_to("shelves", "shelf_id", ondelete="CASCADE"),
        found_by("user_id", "ts"),
        found_by("space_id", "ts"),
        found_by("event_id"),
        found_by("thread", "seq", "part"),
        found_by("shelf_id", "kind"),
        Index("chunks_speakers_idx", "tenant_id", "shelf_id", "speaker", postgresql_where=text("speaker <> ''")),
        {"info": {"fixed": {"no", "shelf_id", "thread", "seq", "part"}}},
    )

    no: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    shelf_id: Mapped[int] = mapped_column(BigInteger)
    event_id: Mapped[str | None]
    summary_id: Mapped[str | None]
    artifact_id: Mapped[str | None]
    thread: Mapped[str]
    seq: Mapped[int] = mapped_column(server_default="0")
    part: Mapped[int] = mapped_column(server_default="0")
    ts: Mapped[datetime]
    kind: Mapped[str]
    actor_id: Mapped[str] = mapped_column(server_default="")
    speaker: Mapped[str] = mapped_column(server_default="")
    tags: Mapped[list[str]] = empty_list()
    token_est: Mapped[int]
    importance: Mapped[float] = mapped_column(REAL, server_default="0")
    text: Mapped[str]
    text_hash: Mapped[bytes]
    terms: Mapped[str]


class Posting(Base):
    """How often a chunk holds a term. The database writes and removes postings with their chunk."""

    __tablename__ = "postings"
    __table_args__ = ({"info": {"granted": KEPT_BY_THE_DATABASE}},)

    shelf_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    term: Mapped[str] = mapped_column(primary_key=True)
    chunk_no: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    times: Mapped[int] = mapped_column(SmallInteger)
    length: Mapped[int]


class Embedding(Base):
    """A chunk's vector from one model. A row without a vector marks a chunk the model cannot embed."""

    __tablename__ = "embeddings"
    __table_args__ = (
        belongs_to("chunks", "chunk_id", ondelete="CASCADE"),
        found_by("shelf_id", "model"),
        Index(
            "embeddings_in_order_idx",
            "tenant_id",
            "model",
            "shelf_id",
            "chunk_no",
            postgresql_include=["embedding", "size"],
            postgresql_where=text(f"size <= {LONGEST_INDEXED}"),
        ),
        Index(
            "embeddings_too_long_for_an_index_idx",
            "tenant_id",
            "model",
            "shelf_id",
            postgresql_where=text(f"size > {LONGEST_INDEXED}"),
        ),
        {"info": {"granted": frozenset({"SELECT", "INSERT", "DELETE"})}},
    )

    chunk_id: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    shelf_id: Mapped[int] = mapped_column(BigInteger)
    space_id: Mapped[str]
    chunk_no: Mapped[int] = mapped_column(BigInteger)
    embedding: Mapped[HalfVector | None] = mapped_column(HALFVEC())
    size: Mapped[int | None] = mapped_column(Computed("vector_dims(embedding)", persisted=True))
