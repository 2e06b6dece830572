"""The background passes. Each finds due work in the database and does it; after a crash the next pass continues."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from db.queries.consolidation import consolidation as queries
from db.queries.consolidation.stats import consolidation_state
from db.queries.events import inbox
from db.queries.people.requests import remove_old_requests_and_sessions
from memory.consolidation.extraction.extract import extract
from memory.consolidation.jobs import Jobs
from memory.consolidation.pacing import hold_back_imports
from memory.consolidation.reminders import remind
from memory.consolidation.summaries.summarise import summarise
from memory.context.calls import remove_due_calls
from memory.errors import DatabaseAway
from memory.ledgers.artifacts import remove_due
from memory.privacy.forgetting.forget import purge_due
from memory.retrieval.vector_index import VectorIndex

MAX_CALLS_PER_TENANT, MAX_CALLS = 2, 4  # model calls in parallel, per tenant and in this process
MAX_PARALLEL_QUERIES = 2
MAX_DUE, MAX_DUE_UNFILTERED = 50, 100_000  # items per round, after and before filtering
MAX_ROUNDS = 20  # per pass; the next pass does the rest
NEVER = timedelta(days=36_500)
UPDATE_IDS_KEPT_FOR = timedelta(days=7)
IDEMPOTENCY_KEYS_KEPT_FOR = timedelta(hours=24)

T = TypeVar("T")
R = TypeVar("R")
Tenants = Callable[[], Awaitable[Sequence[str]]]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Passes:
    """The passes for the tenant of `jobs`, or for all tenants. A busy or failing tenant does not hold up the others."""

    jobs: Jobs
    vectors: VectorIndex | None = None
    tenants: Tenants | None = None
    _calls: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_CALLS))
    _queries: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_PARALLEL_QUERIES))

    async def summaries(
        self,
        now: datetime,
        is_wanted: Callable[[queries.DueSummary], bool] | None = None,
        *,
        tenant: str | None = None,
    ) -> int:
        """Summarise conversations that have too many unsummarised messages or are over, or only those that are wanted.
        Return how many versions were written."""
        if self.jobs.structured_llm is None or self.jobs.settings.summaries == "off":
            return 0

        async def for_tenant(jobs: Jobs) -> int:
            return await self._until_nothing_is_due(
                lambda: self._due_summaries(jobs, now, is_wanted), lambda due: summarise(jobs, due, now)
            )

        return sum(await self._for_each_tenant(for_tenant, tenant, parallel=True))

    async def extractions(self, now: datetime, *, tenant: str | None = None) -> int:
        """Extract facts from exchanges that may contain some, in batches; after a quiet period in smaller ones too."""
        if self.jobs.structured_llm is None or self.jobs.settings.extraction == "off":
            return 0

        async def for_tenant(jobs: Jobs) -> int:
            return await self._until_nothing_is_due(
                lambda: self._due_extractions(jobs, now), lambda due: extract(jobs, due, now)
            )

        return sum(await self._for_each_tenant(for_tenant, tenant, parallel=True))

    async def embeddings(self, _: datetime) -> None:
        """Embed chunks without a vector, including those of other processes."""
        if self.vectors is not None:
            self.vectors.recheck_all()

    async def clearing(self, now: datetime) -> None:
        await self._for_each_tenant(lambda jobs: _clear(jobs, now))

    async def reminders(self, now: datetime) -> int:
        return sum(await self._for_each_tenant(lambda jobs: remind(jobs.memory, jobs.settings, now)))

    async def measuring(self, now: datetime) -> None:
        """Measure waiting updates and stuck jobs, whose lease expired. If one tenant fails, nothing is reported, since
        the sum would be wrong."""
        waiting_total, stuck_total = 0, Counter[str]()
        for waiting, stuck in await self._for_each_tenant(lambda jobs: _backlog(jobs, now)):
            waiting_total += waiting
            stuck_total.update(stuck)
        self.jobs.metrics.set_inbox_waiting(waiting_total)
        for work, count in stuck_total.items():
            self.jobs.metrics.set_stuck_rows(work, count)

    async def _for_each_tenant(
        self, work: Callable[[Jobs], Awaitable[R]], only: str | None = None, *, parallel: bool = False
    ) -> list[R]:
        """Run `work` for each tenant, or for one. Only work that limits its own concurrency may run in parallel."""
        own = self.jobs.settings.tenant
        tenants = [only] if only else [own] if self.tenants is None else await self.tenants()

        async def run(tenant: str) -> R:
            return await work(self.jobs.for_tenant(tenant))

        def report(tenant: str, error: BaseException) -> None:
            if not isinstance(error, DatabaseAway):  # affects all tenants, and the scheduler logs it once
                log.error("a pass broke off for the tenant %s: %s", tenant, type(error).__name__)

        return await _gather_all(run, tenants, max_parallel=len(tenants) if parallel else 1, report=report)

    async def _until_nothing_is_due(
        self, find_due: Callable[[], Awaitable[Sequence[T]]], work: Callable[[T], Awaitable[bool]]
    ) -> int:
        """Work through due items in rounds, a few in parallel, until a round achieves nothing. The shared semaphore
        serves tenants in order of arrival."""

        async def work_in_turn(item: T) -> bool:
            async with self._calls:
                return await work(item)

        total = 0
        for _ in range(MAX_ROUNDS):
            async with self._queries:
                due = await find_due()
            achieved = sum(await _gather_all(work_in_turn, due, max_parallel=MAX_CALLS_PER_TENANT))
            total += achieved
            if not achieved:
                break
        return total

    async def _due_summaries(
        self, jobs: Jobs, now: datetime, is_wanted: Callable[[queries.DueSummary], bool] | None
    ) -> Sequence[queries.DueSummary]:
        settings = jobs.settings
        idle = timedelta(hours=settings.idle_hours) if settings.idle_hours else NEVER
        async with jobs.memory.database.transaction(jobs.nobody, read_only=True) as session:
            due = await queries.due_summaries(
                session,
                jobs.nobody,
                more_than=jobs.rule.more_than,
                idle_before=now - idle,
                now=now,
                limit=MAX_DUE if is_wanted is None else MAX_DUE_UNFILTERED,
            )
        return [summary for summary in due if is_wanted is None or is_wanted(summary)][:MAX_DUE]

    async def _due_extractions(self, jobs: Jobs, now: datetime) -> Sequence[queries.DueExtraction]:
        settings = jobs.settings
        async with jobs.memory.database.transaction(jobs.nobody, read_only=True) as session:
            due = await queries.due_extractions(
                session,
                jobs.nobody,
                exchanges=settings.extract_exchanges,
                quiet_before=now - timedelta(seconds=settings.extract_quiet),
                now=now,
                limit=MAX_DUE_UNFILTERED,
            )
        return (await hold_back_imports(jobs.memory, due, now))[:MAX_DUE]


async def _clear(jobs: Jobs, now: datetime) -> None:
    """Delete what is past its retention: deleted facts, expired cards, uncited artifacts, call manifests, old update
    ids, idempotency keys and web sessions. Also rewrap data keys that a process with an older keyring created."""
    memory, tenant = jobs.memory, jobs.settings.tenant
    await purge_due(memory, tenant, now)
    await remove_due(memory, tenant, now)
    await remove_due_calls(memory, tenant, now)
    async with memory.database.transaction(jobs.nobody) as session:
        await inbox.clear(session, now - UPDATE_IDS_KEPT_FOR)
        await remove_old_requests_and_sessions(session, done_before=now - IDEMPOTENCY_KEYS_KEPT_FOR, now=now)
    if len(memory.keyring.keys) > 1:
        await memory.rewrap_keys(tenant)


async def _backlog(jobs: Jobs, now: datetime) -> tuple[int, dict[str, int]]:
    async with jobs.memory.database.transaction(jobs.nobody, read_only=True) as session:
        inbox_state, job_states = await inbox.state(session), await consolidation_state(session, now)
    return inbox_state.get("waiting", (0, now))[0], {state.work: state.stuck for state in job_states}


async def _gather_all(
    work: Callable[[T], Awaitable[R]],
    items: Sequence[T],
    *,
    max_parallel: int,
    report: Callable[[T, BaseException], None] = lambda item, error: None,
) -> list[R]:
    """Run `work` on all items, even if some fail. The first error is raised when all are done."""
    semaphore, results, errors = asyncio.Semaphore(max(1, max_parallel)), list[R](), list[BaseException]()

    async def work_when_free(item: T) -> R:
        async with semaphore:
            return await work(item)

    outcomes = await asyncio.gather(*map(work_when_free, items), return_exceptions=True)
    for item, outcome in zip(items, outcomes, strict=True):
        if isinstance(outcome, BaseException):
            report(item, outcome)
            errors.append(outcome)
        else:
            results.append(outcome)
    if errors:
        raise errors[0]
    return results
