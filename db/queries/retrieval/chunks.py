"""Chunks of events, documents and summaries, and their embeddings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, literal, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Artifact, Chunk, Embedding, Event, Shelf, Summary
from db.viewer import Viewer
from db.vocabulary import ActorType, ArtifactKind, EventKind, Sensitivity

# Two processes that cut the same source at once produce the same chunks.
OF_EVENTS = """
INSERT INTO chunks (tenant_id, id, space_id, user_id, channel, sensitivity, event_id, thread, seq, part,
                    ts, kind, actor_id, speaker, tags, token_est, importance, text, text_hash, terms)
SELECT e.tenant_id, c.id, e.space_id, e.user_id, e.channel, e.sensitivity, e.id, e.conversation_id, e.seq, c.part,
       e.ts, e.kind, e.actor_id,
       CASE WHEN e.actor_type = 'human' THEN COALESCE(e.content->>'by', NULLIF(e.actor_id, e.user_id), '') ELSE '' END,
       e.tags, c.token_est, c.importance, c.text, c.text_hash, c.terms
FROM {new} JOIN events AS e ON e.tenant_id = :tenant AND e.id = c.source AND e.user_id = :user
ORDER BY e.seq, c.part ON CONFLICT DO NOTHING"""
OF_DOCUMENTS = """
INSERT INTO chunks (tenant_id, id, space_id, user_id, channel, sensitivity, artifact_id, thread, part,
                    ts, kind, actor_id, token_est, importance, text, text_hash, terms)
SELECT a.tenant_id, c.id, a.space_id, a.user_id, a.channel, a.sensitivity, a.id, a.id, c.part,
       a.ts, a.kind, COALESCE(a.meta ->> 'name', ''), c.token_est, c.importance, c.text, c.text_hash, c.terms
FROM {new} JOIN artifacts AS a ON a.tenant_id = :tenant AND a.id = c.source AND a.user_id = :user
ORDER BY a.id, c.part ON CONFLICT DO NOTHING"""
# Dated like the last message it covers. Its thread is its own: the neighbours of messages are messages.
OF_SUMMARIES = """
INSERT INTO chunks (tenant_id, id, space_id, user_id, channel, sensitivity, summary_id, thread, part,
                    ts, kind, token_est, importance, text, text_hash, terms)
SELECT s.tenant_id, c.id, s.space_id, s.user_id, s.channel, s.sensitivity, s.id, s.id, c.part,
       COALESCE((SELECT max(e.ts) FROM events AS e WHERE e.tenant_id = s.tenant_id AND e.id = ANY (s.refs)),
                s.created_at), 'summary', c.token_est, c.importance, c.text, c.text_hash, c.terms
FROM {new} JOIN summaries AS s ON s.tenant_id = :tenant AND s.id = c.source AND s.user_id = :user
ORDER BY s.id, c.part ON CONFLICT DO NOTHING"""
NEW = """unnest(
    CAST(:ids AS text[]), CAST(:sources AS text[]), CAST(:parts AS integer[]), CAST(:token_ests AS integer[]),
    CAST(:importances AS real[]), CAST(:texts AS text[]), CAST(:hashes AS bytea[]), CAST(:terms AS text[])
) AS c(id, source, part, token_est, importance, text, text_hash, terms)"""


@dataclass(frozen=True, slots=True)
class NewChunk:
    id: str
    source_id: str
    part: int
    text: str
    text_hash: bytes
    terms: str
    token_est: int
    importance: float


@dataclass(frozen=True, slots=True)
class UncutRow:
    """An event without a chunk."""

    id: str
    actor_type: ActorType
    actor_id: str
    kind: EventKind
    content: dict[str, Any]
    ts: datetime


async def add_chunks_of_events(session: AsyncSession, viewer: Viewer, chunks: Sequence[NewChunk]) -> None:
    """A chunk has the scope of its event. Events that the viewer cannot load are skipped."""
    await _add(session, viewer, OF_EVENTS, chunks)


async def add_chunks_of_documents(session: AsyncSession, viewer: Viewer, chunks: Sequence[NewChunk]) -> None:
    """Chunks have the scope, time and name of their document. Existing parts stay."""
    await _add(session, viewer, OF_DOCUMENTS, chunks)


async def add_chunks_of_summary(session: AsyncSession, viewer: Viewer, chunks: Sequence[NewChunk]) -> None:
    await _add(session, viewer, OF_SUMMARIES, chunks)


async def _add(session: AsyncSession, viewer: Viewer, insertion: str, chunks: Sequence[NewChunk]) -> None:
    if chunks:
        values = {
            "tenant": viewer.tenant,
            "user": viewer.person,
            "ids": [chunk.id for chunk in chunks],
            "sources": [chunk.source_id for chunk in chunks],
            "parts": [chunk.part for chunk in chunks],
            "token_ests": [chunk.token_est for chunk in chunks],
            "importances": [chunk.importance for chunk in chunks],
            "texts": [chunk.text for chunk in chunks],
            "hashes": [chunk.text_hash for chunk in chunks],
            "terms": [chunk.terms for chunk in chunks],
        }
        await session.execute(text(insertion.format(new=NEW)), values)


async def uncut_events(
    session: AsyncSession, viewer: Viewer, *, before: str | None, limit: int, ids: Sequence[str] | None = None
) -> Sequence[UncutRow]:
    """The viewer's own events that still lack chunks, newest first. `before` is the last id of the previous page."""
    cut = select(literal(1)).where(Chunk.tenant_id == Event.tenant_id, Chunk.event_id == Event.id).exists()
    query = select(Event.id, Event.actor_type, Event.actor_id, Event.kind, Event.content, Event.ts).where(
        Event.tenant_id == viewer.tenant,
        Event.user_id == viewer.person,
        Event.sensitivity != Sensitivity.HIGH,
        Event.kind != EventKind.TOOL_CALL,
        ~cut,
    )
    if before is not None:
        query = query.where(Event.id < before)
    if ids is not None:
        query = query.where(Event.id.in_(ids))
    rows = await session.execute(query.order_by(Event.id.desc()).limit(limit))
    return [
        UncutRow(id, ActorType(actor_type), actor, EventKind(kind), content, ts)
        for id, actor_type, actor, kind, content, ts in rows
    ]


async def uncut_documents(session: AsyncSession, viewer: Viewer, *, ids: Sequence[str] | None = None) -> Sequence[str]:
    """Ids of the viewer's own documents that still lack chunks. Only ids, because a document may be long."""
    cut = select(literal(1)).where(_of_document(Artifact.tenant_id, Artifact.id)).exists()
    query = select(Artifact.id).where(
        Artifact.tenant_id == viewer.tenant,
        Artifact.user_id == viewer.person,
        Artifact.kind == ArtifactKind.DOCUMENT,
        Artifact.sensitivity != Sensitivity.HIGH,
        ~cut,
    )
    if ids is not None:
        query = query.where(Artifact.id.in_(ids))
    return list((await session.execute(query.order_by(Artifact.id.desc()))).scalars())


async def uncut_summaries(session: AsyncSession, viewer: Viewer) -> Sequence[tuple[str, str]]:
    """Id and words of the viewer's own summaries that still lack chunks."""
    cut = select(literal(1)).where(Chunk.tenant_id == Summary.tenant_id, Chunk.thread == Summary.id).exists()
    query = select(Summary.id, Summary.text).where(
        Summary.tenant_id == viewer.tenant, Summary.user_id == viewer.person, Summary.text.is_not(None), ~cut
    )
    return [(id, words) for id, words in await session.execute(query.order_by(Summary.id)) if words]


async def pieces_of_document(session: AsyncSession, viewer: Viewer, document_id: str) -> int:
    """The number of chunks of a document."""
    query = select(func.count()).select_from(Chunk).where(_of_document(viewer.tenant, document_id))
    return (await session.execute(query)).scalar_one()


async def drop_chunks_of_document(session: AsyncSession, viewer: Viewer, document_id: str) -> None:
    await session.execute(delete(Chunk).where(Chunk.tenant_id == viewer.tenant, Chunk.artifact_id == document_id))


def _of_document(tenant: Any, document_id: Any) -> ColumnElement[bool]:
    """Compares the thread too, because it is indexed."""
    return and_(Chunk.tenant_id == tenant, Chunk.thread == document_id, Chunk.artifact_id == document_id)


async def drop_chunks_of(session: AsyncSession, viewer: Viewer, event_ids: Sequence[str]) -> None:
    """Their postings and embeddings go with them."""
    await session.execute(delete(Chunk).where(Chunk.tenant_id == viewer.tenant, Chunk.event_id.in_(event_ids)))


@dataclass(frozen=True, slots=True)
class Unembedded:
    chunk_id: str
    actor_id: str
    ts: datetime
    text: str


async def unembedded(session: AsyncSession, viewer: Viewer, model: str, *, limit: int) -> Sequence[Unembedded]:
    """The viewer's own chunks that this model has not embedded, newest first."""
    done = select(literal(1)).where(
        Embedding.tenant_id == Chunk.tenant_id, Embedding.chunk_id == Chunk.id, Embedding.model == model
    )
    query = (
        select(Chunk.id, Chunk.actor_id, Chunk.ts, Chunk.text)
        .where(Chunk.tenant_id == viewer.tenant, Chunk.user_id == viewer.person, ~done.exists())
        .order_by(Chunk.no.desc())
        .limit(limit)
    )
    return [Unembedded(*row) for row in await session.execute(query)]


async def add_embeddings(
    session: AsyncSession, viewer: Viewer, model: str, vectors: Sequence[tuple[str, Sequence[float] | None]]
) -> None:
    """Store vectors by chunk; None means that this text cannot be embedded. Skips chunks that are gone or that another
    process has embedded."""
    insertion = text(
        """INSERT INTO embeddings (tenant_id, chunk_id, model, shelf_id, space_id, chunk_no, embedding)
           SELECT c.tenant_id, c.id, :model, c.shelf_id, c.space_id, c.no, :vector FROM chunks AS c
           WHERE c.tenant_id = :tenant AND c.id = :chunk AND c.user_id = :user FOR SHARE
           ON CONFLICT DO NOTHING"""
    )
    for chunk_id, vector in vectors:
        values = {"tenant": viewer.tenant, "user": viewer.person, "model": model, "chunk": chunk_id}
        await session.execute(insertion, {**values, "vector": None if vector is None else spelled(vector)})


def spelled(vector: Sequence[float]) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(map(repr, vector))}]"


async def due_embeddings(session: AsyncSession, model: str) -> Sequence[str]:
    """The users who have chunks that this model has not embedded."""
    query = text("SELECT user_id FROM wall.due_embeddings(:model)").bindparams(model=model)
    return sorted((await session.execute(query)).scalars())


async def outdated_embeddings(session: AsyncSession, model: str) -> Sequence[str]:
    """The users who have vectors of other models although this one has embedded all their chunks."""
    query = text("SELECT user_id FROM wall.outdated_embeddings(:model)").bindparams(model=model)
    return sorted((await session.execute(query)).scalars())


async def remove_other_models(session: AsyncSession, viewer: Viewer, model: str, *, limit: int) -> int:
    """Remove up to `limit` of the viewer's own vectors of other models. Return how many."""
    query = text(
        """DELETE FROM embeddings WHERE ctid = ANY (ARRAY(
               SELECT e.ctid FROM shelves AS s
               JOIN embeddings AS e ON e.tenant_id = s.tenant_id AND e.shelf_id = s.id AND e.model <> :model
               WHERE s.tenant_id = :tenant AND s.user_id = :user LIMIT :limit)) RETURNING chunk_no"""
    )
    values = {"tenant": viewer.tenant, "user": viewer.person, "model": model, "limit": limit}
    return len((await session.execute(query, values)).all())


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """The chunks of a deployment, how many of them a model has embedded, and the other models, most used first."""

    chunks: int
    embedded: int
    others: Sequence[str]


async def embedding_progress(session: AsyncSession, model: str) -> EmbeddingProgress:
    query = text("SELECT chunks, embedded, others FROM wall.embedding_progress(:model)").bindparams(model=model)
    return EmbeddingProgress(*(await session.execute(query)).one())


async def coverage(session: AsyncSession, viewer: Viewer, model: str) -> float:
    """The share of the chunks this viewer may read that the model has embedded; 1 if there are none."""
    count = select(func.count()).where(Embedding.tenant_id == viewer.tenant, Embedding.model == model).scalar_subquery()
    total = select(func.coalesce(func.sum(Shelf.chunks), 0)).where(Shelf.tenant_id == viewer.tenant).scalar_subquery()
    embedded, chunks = (await session.execute(select(count, total))).one()
    return 1.0 if not chunks else float(embedded) / float(chunks)
