"""What the work after the replies is done with, and how it is held: a lease, three attempts, then it is given up."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from db.queries.consolidation import consolidation as queries
from db.queries.consolidation.consolidation import NAMES, Work
from db.viewer import Viewer
from memory.consolidation.extraction.likeness import Likeness
from memory.consolidation.summaries.windows import Rule, Sliding, Steps
from memory.errors import AnswerUnfit, DatabaseAway, KeepsakeError, KeyMissing, ModelAway, Refused, WriteRefused
from memory.metrics import Metrics
from memory.model.prices import Price, read_prices
from memory.model.structured import StructuredLLM, why_not
from memory.settings import Settings
from memory.unit import Memory

MOST_ATTEMPTS = 3
AGAIN = (timedelta(minutes=1), timedelta(minutes=10))
BESIDES = timedelta(seconds=60)  # for what a lease must last beyond the call of the model
TO_GIVE_BACK = 3.0  # seconds

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Jobs:
    memory: Memory
    settings: Settings
    structured_llm: StructuredLLM | None
    likeness: Likeness
    metrics: Metrics
    notes_topics: bool = True
    """Whether what people talk about is counted; what is read again was."""

    @property
    def nobody(self) -> Viewer:
        return Viewer.nobody(self.settings.tenant)

    def of(self, tenant: str) -> "Jobs":
        """The same for another tenant of this database, under the same settings."""
        return replace(self, settings=self.settings.model_copy(update={"tenant": tenant}))

    @property
    def rule(self) -> Rule:
        """By which conversations are summarised."""
        settings = self.settings
        if settings.summaries == "sliding":
            return Sliding(after=settings.summary_after, window=settings.summary_messages)
        return Steps(settings.window_messages, settings.window_step, settings.summary_messages)

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.settings.model_seconds) + BESIDES

    @property
    def prices(self) -> Mapping[str, Price]:
        return read_prices(self.settings.prices)


@dataclass(frozen=True, slots=True)
class Lease:
    """A piece of work that is ours until it ends, or until the lease does."""

    work: Work
    id: str
    conversation_id: str
    viewer: Viewer
    attempt: int
    began: datetime


class JobOutcome(Enum):
    DONE = "done"
    LATER = "tried again, by whoever comes first"
    GIVEN_UP = "given up, which is written down with its reason"


class TakenOver(Exception):
    """The lease had run out, and somebody else does it: nothing of ours may be written."""


async def held(jobs: Jobs, lease: Lease, do: Callable[[], Awaitable[None]]) -> JobOutcome:
    """Do what the lease is for. Whatever fails leaves nothing half written: it is tried again
    later, by whoever comes first, and after three attempts it is given up with its reason. With the database away the
    lease runs out by itself."""
    try:
        await do()
    except asyncio.CancelledError:
        await asyncio.shield(_give_back(jobs, lease))
        raise
    except DatabaseAway:
        log.warning("%s of %s waits: the database is away", NAMES[lease.work], lease.conversation_id)
        return JobOutcome.LATER
    except TakenOver:
        log.info("Memory %s was taken over by another process", lease.id)
        return JobOutcome.LATER
    except (AnswerUnfit, ModelAway, KeyMissing, Refused, WriteRefused) as trouble:
        jobs.metrics.failed(NAMES[lease.work])
        return await failed(jobs, lease, trouble)
    return JobOutcome.DONE


async def failed(jobs: Jobs, lease: Lease, trouble: KeepsakeError) -> JobOutcome:
    is_over = lease.attempt >= MOST_ATTEMPTS
    try:
        async with jobs.memory.unit(lease.viewer) as unit:
            await queries.stop(
                unit.session,
                unit.viewer,
                lease.work,
                lease.id,
                reason=why_not(trouble),
                again_at=None if is_over else lease.began + AGAIN[lease.attempt - 1],
            )
    except DatabaseAway:
        return JobOutcome.LATER
    outcome = "failed" if is_over else "processing"
    log.debug("Memory %s status updated to %s", lease.id, outcome)
    tell = log.warning if is_over else log.info
    how = "is given up" if is_over else "is tried again later"
    tell("%s of %s %s: %s", NAMES[lease.work], lease.conversation_id, how, type(trouble).__name__)
    return JobOutcome.GIVEN_UP if is_over else JobOutcome.LATER


async def _give_back(jobs: Jobs, lease: Lease) -> None:
    """We are asked to stop: somebody else may begin at once."""
    try:
        async with asyncio.timeout(TO_GIVE_BACK), jobs.memory.unit(lease.viewer) as unit:
            await queries.give_back(unit.session, unit.viewer, lease.work, lease.id)
    except (DatabaseAway, TimeoutError, WriteRefused):
        log.debug("Memory %s waits for its lease to run out", lease.id)
