"""Erases words for good: of one fact, of a time span, or of a whole person."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import String, cast, delete, func, insert, or_, select, text, update
from sqlalchemy.dialects.postgresql import Range
from sqlalchemy.ext.asyncio import AsyncSession

from db.table_registry import belonging_to, tables_in_order
from db.tables import Base, Chunk, Conversation, Event, Fact, Summary, Tombstone, Topic, User
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind, Sensitivity

# The application may not delete from these. The eraser deletes events, others go with their parents, and some rows
# belong to no person.
NOT_OURS_TO_DELETE = frozenset(
    {"events", "fact_versions", "audit_log", "embeddings", "postings", "shelves", "program_texts", "tenants"}
)


@dataclass(frozen=True, slots=True)
class ErasableEvent:
    id: str
    actor_type: ActorType
    kind: EventKind
    content: dict[str, Any]
    sensitivity: Sensitivity
    ts: datetime
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TombstoneRow:
    event_id: str | None
    span: tuple[int, int] | None
    salt: bytes
    hash: bytes


async def events_that_may_hold(
    session: AsyncSession, viewer: Viewer, needles: Sequence[str], *, source: str | None
) -> Sequence[ErasableEvent]:
    """The viewer's own events that contain one of these words, all sealed ones, and the source."""
    content = func.lower(cast(Event.content, String))
    escaped = [json.dumps(word, ensure_ascii=False)[1:-1] for word in needles]
    return await _events(
        session,
        viewer,
        or_(
            Event.id == source,
            Event.sensitivity == Sensitivity.HIGH,
            *(content.contains(word, autoescape=True) for word in escaped),
        ),
    )


async def events_between(
    session: AsyncSession, viewer: Viewer, since: datetime, until: datetime
) -> Sequence[ErasableEvent]:
    return await _events(session, viewer, Event.ts >= since, Event.ts < until)


async def _events(session: AsyncSession, viewer: Viewer, *conditions: Any) -> Sequence[ErasableEvent]:
    rows = await session.execute(
        select(Event.id, Event.actor_type, Event.kind, Event.content, Event.sensitivity, Event.ts, Event.tags)
        .where(Event.tenant_id == viewer.tenant, Event.user_id == viewer.person, *conditions)
        .order_by(Event.ts, Event.id)
    )
    return [
        ErasableEvent(id, ActorType(actor), EventKind(kind), content, Sensitivity(sensitivity), ts, tuple(tags))
        for id, actor, kind, content, sensitivity, ts, tags in rows
    ]


async def blank_span(session: AsyncSession, event_id: str, place: Sequence[str], span: tuple[int, int]) -> None:
    """Blank a span of the text at this path."""
    query = text("SELECT wall.blank_words(:id, :place, :words)")
    await session.execute(query.bindparams(id=event_id, place=list(place), words=Range(*span)))


async def blank_event(session: AsyncSession, event_id: str) -> None:
    await session.execute(text("SELECT wall.blank_event(:id)").bindparams(id=event_id))


async def erase_event(session: AsyncSession, event_id: str) -> None:
    await session.execute(text("SELECT wall.erase_event(:id)").bindparams(id=event_id))


async def rewrite_summary(session: AsyncSession, viewer: Viewer, summary_id: str, **words: str | None) -> None:
    """Replace the words of a summary. Its points and chunks hold the old ones, so they are removed."""
    key = (Summary.tenant_id == viewer.tenant, Summary.id == summary_id)
    await session.execute(update(Summary).where(*key).values(**words, points=None))
    await session.execute(delete(Chunk).where(Chunk.tenant_id == viewer.tenant, Chunk.summary_id == summary_id))


async def remove_summary(session: AsyncSession, viewer: Viewer, summary_id: str) -> None:
    await session.execute(delete(Summary).where(Summary.tenant_id == viewer.tenant, Summary.id == summary_id))


async def forget_topics(session: AsyncSession, viewer: Viewer, names: Sequence[str]) -> Sequence[str]:
    gone = await session.execute(
        delete(Topic)
        .where(
            Topic.tenant_id == viewer.tenant,
            Topic.user_id == viewer.person,
            Topic.name.in_([name.lower() for name in names]),
        )
        .returning(Topic.name)
    )
    removed = sorted(gone.scalars())
    for name in removed:
        await session.execute(
            update(Summary)
            .where(
                Summary.tenant_id == viewer.tenant, Summary.user_id == viewer.person, Summary.topics.contains([name])
            )
            .values(topics=func.array_remove(Summary.topics, name))
        )
    return removed


async def remove_facts(session: AsyncSession, viewer: Viewer, fact_ids: Sequence[str]) -> None:
    """Remove facts with their versions, snapshot items and cards."""
    await session.execute(
        delete(Fact).where(Fact.tenant_id == viewer.tenant, Fact.user_id == viewer.person, Fact.id.in_(fact_ids))
    )


async def add_tombstones(
    session: AsyncSession, viewer: Viewer, stones: Sequence[tuple[str, TombstoneRow]], now: datetime
) -> None:
    for stone_id, stone in stones:
        session.add(
            Tombstone(
                tenant_id=viewer.tenant,
                id=stone_id,
                user_id=viewer.person,
                event_id=stone.event_id,
                span=Range(*stone.span) if stone.span else None,
                salt=stone.salt,
                hash=stone.hash,
                created_at=now,
            )
        )
    await session.flush()


async def tombstones_of(session: AsyncSession, viewer: Viewer) -> Sequence[TombstoneRow]:
    """The tombstones of words, in a stable order. Those of whole messages have no salt; see `erased_among`."""
    rows = await session.execute(
        select(Tombstone.event_id, Tombstone.span, Tombstone.salt, Tombstone.hash)
        .where(Tombstone.tenant_id == viewer.tenant, Tombstone.user_id == viewer.person, Tombstone.salt != b"")
        .order_by(Tombstone.id)
    )
    return [
        TombstoneRow(event, (span.lower or 0, span.upper or 0) if span else None, salt, hash)
        for event, span, salt, hash in rows
    ]


async def add_tombstones_of_messages(
    session: AsyncSession, viewer: Viewer, stones: Sequence[tuple[str, str]], now: datetime
) -> None:
    """Add tombstones, as (id, event id), for erased messages that may be imported again. The event is gone, so they
    hold a hash of its id."""
    key = {"tenant_id": viewer.tenant, "user_id": viewer.person, "salt": b"", "created_at": now}
    if stones:
        rows = [{**key, "id": stone_id, "hash": _named(event_id)} for stone_id, event_id in stones]
        await session.execute(insert(Tombstone), rows)


async def erased_among(session: AsyncSession, viewer: Viewer, event_ids: Sequence[str]) -> set[str]:
    """The messages among these that were erased as a whole."""
    ids_by_hash = {_named(event_id): event_id for event_id in event_ids}
    query = select(Tombstone.hash).where(
        Tombstone.tenant_id == viewer.tenant,
        Tombstone.user_id == viewer.person,
        Tombstone.salt == b"",
        Tombstone.hash.in_(ids_by_hash),
    )
    return {ids_by_hash[bytes(hash)] for hash in (await session.execute(query)).scalars()}


def _named(event_id: str) -> bytes:
    return sha256(event_id.encode()).digest()


async def due_purges(session: AsyncSession, deleted_before: datetime) -> Sequence[str]:
    """The users who have something to purge from before this moment: deleted facts or old cards."""
    query = text("SELECT user_id FROM wall.due_purges(:moment)").bindparams(moment=deleted_before)
    return sorted((await session.execute(query)).scalars())


async def erase_person(session: AsyncSession, viewer: Viewer) -> None:
    """Delete every row of the viewer in every table, children first. What others said in a group stays. The lock waits
    for concurrent writers first, because deleting next to them could deadlock."""
    themselves = select(User.id).where(User.tenant_id == viewer.tenant, User.id == viewer.person)
    await session.execute(themselves.with_for_update())
    await session.execute(text("SELECT wall.erase_events()"))
    for name in reversed(tables_in_order()):
        if name in NOT_OURS_TO_DELETE:
            continue
        table = Base.metadata.tables[name]
        theirs = belonging_to(table, viewer.tenant, viewer.person)
        if name == Conversation.__tablename__:
            theirs &= table.c.channel.in_((Channel.PRIVATE, Channel.AGENT))
        if name == User.__tablename__:
            await session.execute(text("SELECT wall.erase_spaces()"))
        await session.execute(delete(table).where(theirs))
