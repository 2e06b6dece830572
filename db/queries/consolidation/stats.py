"""Numbers and ids about background work, for `Viewer.nobody`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, bindparam, text
from sqlalchemy.ext.asyncio import AsyncSession


@dataclass(frozen=True, slots=True)
class WorkState:
    """Summaries or extractions: how many completed, failed (and why) or are stuck past their lease, and how long one
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
    """One version of a digest, and the end of its base version."""

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
    """The versions of one conversation or of all, newest first."""
    query = text("SELECT * FROM wall.summary_chain(:conversation, :most)").bindparams(
        bindparam("conversation", conversation_id, type_=String), bindparam("most", limit)
    )
    return [ChainRow(*row) for row in await session.execute(query)]
