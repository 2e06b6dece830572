"""Found chunks, with their sources."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from db.tables import Chunk, Decision, Event
from db.viewer import Viewer
from db.vocabulary import DecisionStatus


@dataclass(frozen=True, slots=True)
class ChunkRow:
    id: str
    user: str
    event_id: str | None
    artifact_id: str | None
    summary_id: str | None
    actor_id: str
    speaker: str
    kind: str
    ts: datetime
    text: str
    whole: str | None
    is_superseded: bool


async def chunks_by_id(session: AsyncSession, viewer: Viewer, ids: Sequence[str]) -> dict[str, ChunkRow]:
    whole = select(Event.content["artifact_id"].astext).where(
        Event.tenant_id == Chunk.tenant_id, Event.id == Chunk.event_id
    )
    superseded = exists().where(
        Decision.tenant_id == Chunk.tenant_id,
        Decision.event_id == Chunk.event_id,
        Decision.status == DecisionStatus.SUPERSEDED,
    )
    rows = await session.execute(
        select(
            Chunk.id,
            Chunk.user_id,
            Chunk.event_id,
            Chunk.artifact_id,
            Chunk.summary_id,
            Chunk.actor_id,
            Chunk.speaker,
            Chunk.kind,
            Chunk.ts,
            Chunk.text,
            whole.scalar_subquery(),
            superseded,
        ).where(Chunk.tenant_id == viewer.tenant, Chunk.id.in_(ids))
    )
    return {row[0]: ChunkRow(*tuple(row)) for row in rows}
