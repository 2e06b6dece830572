"""What is sealed and so has no index; and how rare words are among what has one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import log
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Event, Posting, Shelf
from db.viewer import Viewer
from db.vocabulary import EventKind, Sensitivity


@dataclass(frozen=True, slots=True)
class SealedRow:
    event_id: str
    user: str
    thread: str
    seq: int
    actor_id: str
    kind: str
    ts: datetime
    content: dict[str, Any]


async def sealed_events(session: AsyncSession, viewer: Viewer, *, limit: int) -> Sequence[SealedRow]:
    """The newest events that have no index, because they are sealed; a channel that may not load them sees none."""
    found = await session.execute(
        select(
            Event.id,
            Event.user_id,
            Event.conversation_id,
            Event.seq,
            Event.actor_id,
            Event.kind,
            Event.ts,
            Event.content,
        )
        .where(Event.tenant_id == viewer.tenant, Event.sensitivity == Sensitivity.HIGH)
        .where(Event.kind != EventKind.TOOL_CALL)
        .order_by(Event.ts.desc(), Event.id.desc())
        .limit(limit)
    )
    return [SealedRow(*row) for row in found]


async def rarities(session: AsyncSession, viewer: Viewer, terms: Sequence[str]) -> tuple[dict[str, float], float]:
    """How rare these terms are in all that the viewer may read, and how long a chunk is there."""
    held = (
        select(Posting.term, func.count().label("holders"))
        .where(Posting.tenant_id == viewer.tenant, Posting.term.in_(terms))
        .group_by(Posting.term)
    )
    every = select(func.sum(Shelf.chunks), func.sum(Shelf.words)).where(Shelf.tenant_id == viewer.tenant)
    chunks, words = (await session.execute(every)).one()
    holders = {row.term: row.holders for row in await session.execute(held)}
    rare = {
        term: log(1 + (int(chunks or 0) - holders.get(term, 0) + 0.5) / (holders.get(term, 0) + 0.5)) for term in terms
    }
    return rare, float(words or 0) / float(chunks or 1) or 1.0
