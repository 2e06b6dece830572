"""How the work in the background goes, in numbers and ids, for a viewer who is nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, bindparam, text
from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True, slots=True)
class WorkState:
    """Of summaries or extractions: done, given up with which reasons, begun and not ended in time, and how long one
    takes."""

    work: str
    completed: int
    failed: int
    stuck: int
    average_ms: float | None
    most_ms: int | None
    reasons: Sequence[str]


@dataclass(frozen=True, slots=True)
class ChainRow:
    """One version of a digest, and where the one that it is based on ends."""

    conversation_id: str
    id: str
    start_seq: int
    end_seq: int
    base_end_seq: int | None
    status: str
    attempts: int
    reason: str | None
    generation_ms: int | None
    created_at: datetime
    lease_until: datetime | None


async def consolidation_state(session: AsyncSession, now: datetime) -> Sequence[WorkState]:
    query = text("SELECT * FROM wall.consolidation_state(:now)").bindparams(now=now)
    return [WorkState(*row) for row in await session.execute(query)]


async def summary_chain(session: AsyncSession, conversation_id: str | None, *, limit: int) -> Sequence[ChainRow]:
    """The newest versions first, of one conversation or of all."""
    query = text("SELECT * FROM wall.summary_chain(:conversation, :most)").bindparams(
        bindparam("conversation", conversation_id, type_=String), bindparam("most", limit)
    )
    return [ChainRow(*row) for row in await session.execute(query)]
