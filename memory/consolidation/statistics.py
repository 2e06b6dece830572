"""The state of a deployment for its operator: numbers and ids, never personal content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from db.engine import Database
from db.queries.consolidation.stats import ChainRow, WorkState, consolidation_state, summary_chain
from db.queries.events import inbox
from db.queries.model.bundles import Estimates, estimates
from db.queries.retrieval.chunks import EmbeddingProgress, embedding_progress
from db.viewer import Viewer
from db.vocabulary import SummaryStatus
from memory.unit import Memory

__all__ = ["ChainRow", "DeploymentState", "EmbeddingProgress", "Estimates", "SummaryChain", "WorkState"]

SHOWN = 20
MAX_VERSIONS = 10_000  # of all conversations, to find stuck ones
MAX_VERSIONS_OF_ONE = 1_000


@dataclass(frozen=True, slots=True)
class DeploymentState:
    estimates: Estimates
    updates: Mapping[str, tuple[int, datetime]]
    """Updates by state: their number, and since when the oldest waits."""
    unreadable: int
    work: Sequence[WorkState]
    embedded: EmbeddingProgress | None
    """None without an embedder."""


@dataclass(frozen=True, slots=True)
class SummaryChain:
    """Summary versions of one conversation, or the newest of all, newest first; stuck ones; and the state of all
    jobs."""

    conversation: str | None
    versions: Sequence[ChainRow]
    stuck: Sequence[ChainRow]
    work: Sequence[WorkState]
    now: datetime


async def deployment_state(
    database: Database, tenant: str, now: datetime, *, token_margin: float, embedder: str | None
) -> DeploymentState:
    """Collect the state. Needs no keys, since nothing encrypted is read."""
    unread = Viewer.in_private(tenant, inbox.NOBODY)
    async with database.transaction(unread, read_only=True) as session:
        unreadable = await inbox.unreadable(session, unread)
    async with database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        return DeploymentState(
            estimates=await estimates(session, token_margin),
            updates=await inbox.state(session),
            unreadable=unreadable,
            work=await consolidation_state(session, now),
            embedded=await embedding_progress(session, embedder) if embedder else None,
        )


async def summary_versions(memory: Memory, tenant: str, conversation: str | None, now: datetime) -> SummaryChain:
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        rows = await summary_chain(session, conversation, limit=MAX_VERSIONS_OF_ONE if conversation else MAX_VERSIONS)
        work = await consolidation_state(session, now)
    stuck = [
        row for row in rows if row.status == SummaryStatus.PROCESSING and row.lease_until and row.lease_until <= now
    ]
    return SummaryChain(conversation, rows if conversation else rows[:SHOWN], stuck, work, now)
