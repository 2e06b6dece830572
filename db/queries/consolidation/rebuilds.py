"""Rebuilds of derived data: what to rebuild for a user, and how far it got."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Artifact, Chunk, Embedding, Event, Extraction, Rebuild, Summary
from db.viewer import Viewer
from db.vocabulary import ArtifactKind, Channel, EventKind, Sensitivity, SummaryStatus

Table = type[Event] | type[Artifact] | type[Summary]
# The indexed column that finds the chunks of a source. The thread of a document or summary is its own id.
SOURCES: dict[Table, Any] = {Event: Chunk.event_id, Artifact: Chunk.thread, Summary: Chunk.thread}
STALE = timedelta(days=1)  # an older interrupted rebuild starts over: another program version may have begun it


@dataclass(frozen=True, slots=True)
class RebuildSource:
    """One of the viewer's own rows that chunks are cut from, and its space."""

    id: str
    table: Table
    space: str


async def begin(session: AsyncSession, viewer: Viewer, now: datetime) -> str:
    """Start a rebuild, or resume a recent one. Return how far it got."""
    new = insert(Rebuild).values(tenant_id=viewer.tenant, user_id=viewer.person, began_at=now)
    restart = {"made_until": "", "began_at": now}
    key = [Rebuild.tenant_id, Rebuild.user_id]
    await session.execute(
        new.on_conflict_do_update(index_elements=key, set_=restart, where=Rebuild.began_at < now - STALE)
    )
    return await made_until(session, viewer) or ""


async def made_until(session: AsyncSession, viewer: Viewer) -> str | None:
    """How far the rebuild got, locked until this transaction ends. None if it has ended."""
    query = select(Rebuild.made_until).where(*_own(viewer)).with_for_update()
    return (await session.execute(query)).scalar_one_or_none()


async def move_on(session: AsyncSession, viewer: Viewer, until: str) -> None:
    await session.execute(update(Rebuild).where(*_own(viewer)).values(made_until=until))


async def end(session: AsyncSession, viewer: Viewer) -> None:
    await session.execute(delete(Rebuild).where(*_own(viewer)))


async def own_sources(session: AsyncSession, viewer: Viewer) -> list[RebuildSource]:
    """The viewer's own sources, sorted by id in Python: the collation of the database may differ."""
    sources = []
    for table in SOURCES:
        query = select(table.id, table.space_id).where(
            table.tenant_id == viewer.tenant, table.user_id == viewer.person, *_cut_from(table)
        )
        sources += [RebuildSource(id, table, space) for id, space in await session.execute(query)]
    return sorted(sources, key=lambda source: source.id)


def _cut_from(table: Table) -> tuple[ColumnElement[bool], ...]:
    if table is Artifact:
        return (Artifact.kind == ArtifactKind.DOCUMENT,)
    return (Summary.status == SummaryStatus.COMPLETED,) if table is Summary else ()


@dataclass(frozen=True, slots=True)
class Words:
    """The content of a source, None if it is sealed."""

    id: str
    kind: EventKind | None
    content: Any


async def words_of_sources(session: AsyncSession, viewer: Viewer, table: Table, ids: Sequence[str]) -> Sequence[Words]:
    """The content of the sources that still exist, ordered by id."""
    column = {Event: Event.content, Artifact: Artifact.data, Summary: Summary.text}[table]
    kind = Event.kind if table is Event else text("NULL")
    query = (
        select(table.id, kind, column, table.sensitivity)
        .where(table.tenant_id == viewer.tenant, table.user_id == viewer.person, table.id.in_(ids))
        .order_by(table.id)
    )
    return [
        Words(id, EventKind(kind) if kind else None, None if sensitivity == Sensitivity.HIGH else content)
        for id, kind, content, sensitivity in await session.execute(query)
    ]


async def drop_chunks(session: AsyncSession, viewer: Viewer, table: Table, ids: Sequence[str]) -> None:
    """Remove chunks with their postings and embeddings. Locks them in the order in which vectors are added, so the two
    never deadlock."""
    theirs = (
        Chunk.tenant_id == viewer.tenant,
        Chunk.user_id == viewer.person,
        SOURCES[table].in_(ids),
    )
    await session.execute(select(Chunk.id).where(*theirs).order_by(Chunk.no.desc()).with_for_update())
    await session.execute(delete(Chunk).where(*theirs))


async def count_unembedded(session: AsyncSession, viewer: Viewer, model: str) -> int:
    """How many of the viewer's own chunks this model has not embedded."""
    done = select(Embedding.chunk_id).where(
        Embedding.tenant_id == Chunk.tenant_id, Embedding.chunk_id == Chunk.id, Embedding.model == model
    )
    query = select(func.count()).where(Chunk.tenant_id == viewer.tenant, Chunk.user_id == viewer.person, ~done.exists())
    return (await session.execute(query)).scalar_one()


async def unfinished_summaries(session: AsyncSession, viewer: Viewer) -> int:
    """The number of the viewer's own summaries that are in progress, waiting for a retry, or given up."""
    return (await session.execute(select(func.count()).where(*_unfinished(viewer)))).scalar_one()


async def drop_unfinished_summaries(session: AsyncSession, viewer: Viewer) -> None:
    """Remove unfinished summaries. A process that is about to complete one will find its lease gone."""
    await session.execute(delete(Summary).where(*_unfinished(viewer)))


async def places_of_given_up_extractions(session: AsyncSession, viewer: Viewer) -> Sequence[Viewer]:
    """The viewers, by space and channel, as which to retry given-up extractions."""
    query = select(Extraction.space_id, Extraction.channel).where(*_given_up(viewer)).distinct()
    rows = await session.execute(query.order_by(Extraction.space_id, Extraction.channel))
    return [Viewer(viewer.tenant, viewer.person, space, Channel(channel)) for space, channel in rows]


async def retry_extractions(session: AsyncSession, viewer: Viewer) -> None:
    """Mark the given-up messages of this place, and all that follow, as not yet searched."""
    query = text(
        """WITH again AS (
               UPDATE conversations AS c SET extracted = LEAST(c.extracted, g.start_seq)
               FROM (SELECT x.conversation_id, min(x.start_seq) AS start_seq FROM extractions AS x
                     WHERE x.tenant_id = :tenant AND x.user_id = :user AND x.space_id = :space
                         AND x.channel = :channel AND x.status = 'failed' GROUP BY x.conversation_id) AS g
               WHERE c.tenant_id = :tenant AND c.id = g.conversation_id)
           DELETE FROM extractions AS x
           WHERE x.tenant_id = :tenant AND x.user_id = :user AND x.space_id = :space AND x.channel = :channel
               AND x.status = 'failed'"""
    )
    place = {"space": viewer.place, "channel": str(viewer.channel)}
    await session.execute(query, {"tenant": viewer.tenant, "user": viewer.person, **place})


def _own(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return Rebuild.tenant_id == viewer.tenant, Rebuild.user_id == viewer.person


def _unfinished(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return (
        Summary.tenant_id == viewer.tenant,
        Summary.user_id == viewer.person,
        Summary.status != SummaryStatus.COMPLETED,
    )


def _given_up(viewer: Viewer) -> tuple[ColumnElement[bool], ...]:
    return (
        Extraction.tenant_id == viewer.tenant,
        Extraction.user_id == viewer.person,
        Extraction.status == SummaryStatus.FAILED,
    )
