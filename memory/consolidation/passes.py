"""The passes: each asks the database what is missing, and makes it. What a crash leaves, the next pass finishes."""

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
from db.queries.people.requests import clear_doors
from memory.consolidation.extraction.extract import extract
from memory.consolidation.jobs import Jobs
from memory.consolidation.pacing import in_their_turn
from memory.consolidation.reminders import remind
from memory.consolidation.summaries.summarise import summarise
from memory.context.calls import remove_due_calls
from memory.errors import DatabaseAway
from memory.ledgers.artifacts import remove_due
from memory.privacy.forgetting.forget import purge_due
from memory.retrieval.vectors import Vectors

AT_ONCE, AT_ONCE_IN_ALL = 2, 4  # calls of a model: in one pass of one tenant, and of this process
LOOKS_AT_ONCE = 2
MOST_DUE, MOST_OF_ALL = 50, 100_000
MOST_ROUNDS = 20  # of one pass; what is left then is the next one's
NEVER = timedelta(days=36_500)
NUMBERS_ARE_KEPT = timedelta(days=7)
ANSWERS_ARE_KEPT = timedelta(hours=24)

T = TypeVar("T")
R = TypeVar("R")
Tenants = Callable[[], Awaitable[Sequence[str]]]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Passes:
    """For the tenant of the workshop, or for all that there are by then: one with much to do holds nobody up, and what
    breaks for one breaks for it alone."""

    jobs: Jobs
    vectors: Vectors | None = None
    tenants: Tenants | None = None
    _calls: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE_IN_ALL))
    _looks: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(LOOKS_AT_ONCE))

    async def summaries(
        self,
        now: datetime,
        wanted: Callable[[queries.DueSummary], bool] | None = None,
        *,
        tenant: str | None = None,
    ) -> int:
        """Digests of conversations whose tail is too long, or that are over, of everybody or of those that are wanted.
        Gives how many versions were made."""
        if self.jobs.structured_llm is None or self.jobs.settings.summaries == "off":
            return 0

        async def of_one(jobs: Jobs) -> int:
            return await self._until_nothing_is_due(
                lambda: self._due_summaries(jobs, now, wanted), lambda due: summarise(jobs, due, now)
            )

        return sum(await self._for_each(of_one, tenant, side_by_side=True))

    async def extractions(self, now: datetime, *, tenant: str | None = None) -> int:
        """Exchanges that may tell something: five of them, or fewer when it has been quiet for a while."""
        if self.jobs.structured_llm is None or self.jobs.settings.extraction == "off":
            return 0

        async def of_one(jobs: Jobs) -> int:
            return await self._until_nothing_is_due(
                lambda: self._due_extractions(jobs, now), lambda due: extract(jobs, due, now)
            )

        return sum(await self._for_each(of_one, tenant, side_by_side=True))

    async def embeddings(self, _: datetime) -> None:
        """Chunks without a vector, also those that another process left."""
        if self.vectors is not None:
            self.vectors.look()

    async def clearing(self, now: datetime) -> None:
        await self._for_each(lambda jobs: _clear(jobs, now))

    async def reminders(self, now: datetime) -> int:
        return sum(await self._for_each(lambda jobs: remind(jobs.memory, jobs.settings, now)))

    async def measuring(self, now: datetime) -> None:
        """What waits to be answered, and what is stuck: begun, and its lease ran out. Without one tenant the sum would
        be wrong, so then it is not told."""
        waiting, stuck = 0, Counter[str]()
        for updates, rows in await self._for_each(lambda jobs: _state(jobs, now)):
            waiting += updates
            stuck.update(rows)
        self.jobs.metrics.waiting(waiting)
        for work, count in stuck.items():
            self.jobs.metrics.stuck(work, count)

    async def _for_each(
        self, work: Callable[[Jobs], Awaitable[R]], only: str | None = None, *, side_by_side: bool = False
    ) -> list[R]:
        """What comes of it for each tenant, or for one only. Side by side stands what keeps count of its own of how
        much happens at once."""
        own = self.jobs.settings.tenant
        names = [only] if only else [own] if self.tenants is None else await self.tenants()

        async def of_one(tenant: str) -> R:
            return await work(self.jobs.of(tenant))

        def tell(tenant: str, fault: BaseException) -> None:
            if not isinstance(fault, DatabaseAway):  # which is everybody's, and is told once
                log.error("a pass broke off for the tenant %s: %s", tenant, type(fault).__name__)

        return await _together(of_one, names, at_once=len(names) if side_by_side else 1, tell=tell)

    async def _until_nothing_is_due(
        self, look: Callable[[], Awaitable[Sequence[T]]], work: Callable[[T], Awaitable[bool]]
    ) -> int:
        """A few at a time, round by round, as long as something is made. Of each tenant only a few wait for a call, and
        they have it in the order in which they came."""

        async def one(due: T) -> bool:
            async with self._calls:
                return await work(due)

        done = 0
        for _ in range(MOST_ROUNDS):
            async with self._looks:
                due = await look()
            made = sum(await _together(one, due, at_once=AT_ONCE))
            done += made
            if not made:
                break
        return done

    async def _due_summaries(
        self, jobs: Jobs, now: datetime, wanted: Callable[[queries.DueSummary], bool] | None
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
                limit=MOST_DUE if wanted is None else MOST_OF_ALL,
            )
        return [each for each in due if wanted is None or wanted(each)][:MOST_DUE]

    async def _due_extractions(self, jobs: Jobs, now: datetime) -> Sequence[queries.DueExtraction]:
        settings = jobs.settings
        async with jobs.memory.database.transaction(jobs.nobody, read_only=True) as session:
            due = await queries.due_extractions(
                session,
                jobs.nobody,
                exchanges=settings.extract_exchanges,
                quiet_before=now - timedelta(seconds=settings.extract_quiet),
                now=now,
                limit=MOST_OF_ALL,
            )
        return (await in_their_turn(jobs.memory, due, now))[:MOST_DUE]


async def _clear(jobs: Jobs, now: datetime) -> None:
    """What was deleted long enough ago, cards that ran out, artifacts that are old and not cited, what old replies were
    made from, numbers of updates that Telegram has long stopped to offer again, writes that nobody repeats any more,
    and sessions that are over. And who came in by a process that did not know the newest key yet is given it."""
    memory, tenant = jobs.memory, jobs.settings.tenant
    await purge_due(memory, tenant, now)
    await remove_due(memory, tenant, now)
    await remove_due_calls(memory, tenant, now)
    async with memory.database.transaction(jobs.nobody) as session:
        await inbox.clear(session, now - NUMBERS_ARE_KEPT)
        await clear_doors(session, done_before=now - ANSWERS_ARE_KEPT, now=now)
    if len(memory.keyring.keys) > 1:
        await memory.rewrap_keys(tenant)


async def _state(jobs: Jobs, now: datetime) -> tuple[int, dict[str, int]]:
    async with jobs.memory.database.transaction(jobs.nobody, read_only=True) as session:
        updates, works = await inbox.state(session), await consolidation_state(session, now)
    return updates.get("waiting", (0, now))[0], {work.work: work.stuck for work in works}


async def _together(
    work: Callable[[T], Awaitable[R]],
    due: Sequence[T],
    *,
    at_once: int,
    tell: Callable[[T, BaseException], None] = lambda each, fault: None,
) -> list[R]:
    """All of them, also when one breaks: the first fault is raised when the others are done."""
    free, done, faults = asyncio.Semaphore(max(1, at_once)), list[R](), list[BaseException]()

    async def one(each: T) -> R:
        async with free:
            return await work(each)

    for each, end in zip(due, await asyncio.gather(*map(one, due), return_exceptions=True), strict=True):
        if isinstance(end, BaseException):
            tell(each, end)
            faults.append(end)
        else:
            done.append(end)
    if faults:
        raise faults[0]
    return done
