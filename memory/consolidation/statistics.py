"""How a deployment is doing, in numbers and ids, for whoever runs it: never a person's words."""

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
LOOKED_THROUGH = 10_000  # of all conversations, for what is stuck
OF_ONE = 1_000


@dataclass(frozen=True, slots=True)
class DeploymentState:
    """What waits in the inbox, how the work in the background goes, and how well tokens were estimated."""

    estimates: Estimates
    updates: Mapping[str, tuple[int, datetime]]
    """Of each state of an update, how many there are and since when the oldest waits."""
    unreadable: int
    work: Sequence[WorkState]
    embedded: EmbeddingProgress | None
    """Nothing, where there is no embedder."""


@dataclass(frozen=True, slots=True)
class SummaryChain:
    """The versions of one conversation, or the newest of all, newest first; what is stuck; all work in numbers."""

    conversation: str | None
    versions: Sequence[ChainRow]
    stuck: Sequence[ChainRow]
    work: Sequence[WorkState]
    now: datetime


async def deployment_state(
    database: Database, tenant: str, now: datetime, *, token_margin: float, embedder: str | None
) -> DeploymentState:
    """Needs no key: nothing that is encrypted is read."""
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
        rows = await summary_chain(session, conversation, limit=OF_ONE if conversation else LOOKED_THROUGH)
        work = await consolidation_state(session, now)
    stuck = [
        row for row in rows if row.status == SummaryStatus.PROCESSING and row.lease_until and row.lease_until <= now
    ]
    return SummaryChain(conversation, rows if conversation else rows[:SHOWN], stuck, work, now)
