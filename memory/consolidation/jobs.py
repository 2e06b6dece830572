"""Background jobs: their dependencies, leases and retries. A job is given up after three attempts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum

from db.queries.consolidation import consolidation as queries
from db.queries.consolidation.consolidation import NAMES, Work
from db.viewer import Viewer
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.summaries.windows import Sliding, Steps, WindowRule
from memory.errors import AnswerUnfit, DatabaseAway, KeepsakeError, KeyMissing, ModelAway, Refused, WriteRefused
from memory.metrics import Metrics
from memory.model.prices import Price, read_prices
from memory.model.structured import StructuredLLM, error_summary
from memory.settings import Settings
from memory.unit import Memory

MAX_ATTEMPTS = 3
RETRY_DELAYS = (timedelta(minutes=1), timedelta(minutes=10))
LEASE_MARGIN = timedelta(seconds=60)  # how much longer than the model call a lease lasts
GIVE_BACK_SECONDS = 3.0  # seconds

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Jobs:
    memory: Memory
    settings: Settings
    structured_llm: StructuredLLM | None
    similarity: FactSimilarity
    metrics: Metrics
    counts_topics: bool = True
    """Whether topics are counted; a rebuild reads messages whose topics were."""

    @property
    def nobody(self) -> Viewer:
        return Viewer.nobody(self.settings.tenant)

    def for_tenant(self, tenant: str) -> "Jobs":
        """The same dependencies for another tenant of this database."""
        return replace(self, settings=self.settings.model_copy(update={"tenant": tenant}))

    @property
    def rule(self) -> WindowRule:
        """The rule by which conversations are summarised."""
        settings = self.settings
        if settings.summaries == "sliding":
            return Sliding(after=settings.summary_after, window=settings.summary_messages)
        return Steps(settings.window_messages, settings.window_step, settings.summary_messages)

    @property
    def lease(self) -> timedelta:
        return timedelta(seconds=self.settings.model_seconds) + LEASE_MARGIN

    @property
    def prices(self) -> Mapping[str, Price]:
        return read_prices(self.settings.prices)


@dataclass(frozen=True, slots=True)
class Lease:
    """A job that this process has claimed until the lease expires."""

    work: Work
    id: str
    conversation_id: str
    viewer: Viewer
    attempt: int
    began: datetime


class JobOutcome(Enum):
    DONE = "done"
    LATER = "to be retried later, by any process"
    GIVEN_UP = "given up, with the reason stored"


class LeaseTakenOver(Exception):
    """The lease expired and another process has the job: our result must not be written."""


async def run_leased(jobs: Jobs, lease: Lease, do: Callable[[], Awaitable[None]]) -> JobOutcome:
    """Run a leased job. A failed job leaves nothing half written; it is retried later by any process, and given up
    after three attempts. While the database is away, the lease simply expires."""
    try:
        await do()
    except asyncio.CancelledError:
        await asyncio.shield(_give_back(jobs, lease))
        raise
    except DatabaseAway:
        log.warning("%s of %s waits: the database is away", NAMES[lease.work], lease.conversation_id)
        return JobOutcome.LATER
    except LeaseTakenOver:
        log.info("Memory %s was taken over by another process", lease.id)
        return JobOutcome.LATER
    except (AnswerUnfit, ModelAway, KeyMissing, Refused, WriteRefused) as error:
        jobs.metrics.count_failure(NAMES[lease.work])
        return await record_failure(jobs, lease, error)
    return JobOutcome.DONE


async def record_failure(jobs: Jobs, lease: Lease, error: KeepsakeError) -> JobOutcome:
    is_over = lease.attempt >= MAX_ATTEMPTS
    try:
        async with jobs.memory.unit(lease.viewer) as unit:
            await queries.stop(
                unit.session,
                unit.viewer,
                lease.work,
                lease.id,
                reason=error_summary(error),
                again_at=None if is_over else lease.began + RETRY_DELAYS[lease.attempt - 1],
            )
    except DatabaseAway:
        return JobOutcome.LATER
    outcome = "failed" if is_over else "processing"
    log.debug("Memory %s status updated to %s", lease.id, outcome)
    report = log.warning if is_over else log.info
    how = "is given up" if is_over else "is tried again later"
    report("%s of %s %s: %s", NAMES[lease.work], lease.conversation_id, how, type(error).__name__)
    return JobOutcome.GIVEN_UP if is_over else JobOutcome.LATER


async def _give_back(jobs: Jobs, lease: Lease) -> None:
    """Release the lease on shutdown, so that another process can start at once."""
    try:
        async with asyncio.timeout(GIVE_BACK_SECONDS), jobs.memory.unit(lease.viewer) as unit:
            await queries.give_back(unit.session, unit.viewer, lease.work, lease.id)
    except (DatabaseAway, TimeoutError, WriteRefused):
        log.debug("Memory %s waits for its lease to run out", lease.id)
