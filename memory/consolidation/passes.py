"""The passes: each asks the database what is missing, and makes it. What a crash leaves, the next pass finishes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from db.queries import consolidation as queries
from db.queries import inbox
from db.queries.stats import consolidation_state
from memory.artifacts import remove_due
from memory.consolidation.extract import extract
from memory.consolidation.reminders import remind
from memory.consolidation.summarise import summarise
from memory.consolidation.workshop import Workshop
from memory.privacy.forget import purge_due
from memory.vectors import Vectors

AT_ONCE = 2  # calls of a model
MOST_DUE, MOST_OF_ALL = 50, 100_000
MOST_ROUNDS = 20  # of one pass; what is left then is the next one's
NEVER = timedelta(days=36_500)
NUMBERS_ARE_KEPT = timedelta(days=7)

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Passes:
    workshop: Workshop
    vectors: Vectors | None = None

    async def summaries(self, now: datetime, wanted: Callable[[queries.DueSummary], bool] | None = None) -> int:
        """Digests of conversations whose tail is too long, or that are over, of everybody or of those that are wanted.
        Gives how many versions were made."""
        if self.workshop.scribe is None or self.workshop.settings.summaries == "off":
            return 0
        return await self._until_nothing_is_due(
            lambda: self._due_summaries(now, wanted), lambda due: summarise(self.workshop, due, now)
        )

    async def extractions(self, now: datetime) -> int:
        """Exchanges that may tell something: five of them, or fewer when it has been quiet for a while."""
        if self.workshop.scribe is None or self.workshop.settings.extraction == "off":
            return 0
        return await self._until_nothing_is_due(
            lambda: self._due_extractions(now), lambda due: extract(self.workshop, due, now)
        )

    async def embeddings(self, _: datetime) -> None:
        """Chunks without a vector, also those that another process left."""
        if self.vectors is not None:
            self.vectors.look()

    async def clearing(self, now: datetime) -> None:
        """What was deleted long enough ago, cards that ran out, artifacts that are old and not cited, and numbers of
        updates that Telegram has long stopped to offer again."""
        memory, tenant = self.workshop.memory, self.workshop.settings.tenant
        await purge_due(memory, tenant, now)
        await remove_due(memory, tenant, now)
        async with memory.database.transaction(self.workshop.nobody) as session:
            await inbox.clear(session, now - NUMBERS_ARE_KEPT)

    async def reminders(self, now: datetime) -> int:
        return await remind(self.workshop.memory, self.workshop.settings, now)

    async def measuring(self, now: datetime) -> None:
        """What waits to be answered, and what is stuck: begun, and its lease ran out."""
        async with self.workshop.memory.database.transaction(self.workshop.nobody, read_only=True) as session:
            updates, works = await inbox.state(session), await consolidation_state(session, now)
        self.workshop.metrics.waiting(updates.get("waiting", (0, now))[0])
        for work in works:
            self.workshop.metrics.stuck(work.work, work.stuck)

    async def _until_nothing_is_due(
        self, look: Callable[[], Awaitable[Sequence[T]]], work: Callable[[T], Awaitable[bool]]
    ) -> int:
        """A few at a time, round by round, as long as something is made."""
        done, free = 0, asyncio.Semaphore(AT_ONCE)

        async def one(due: T) -> bool:
            async with free:
                return await work(due)

        for _ in range(MOST_ROUNDS):
            due = await look()
            made = sum(await _together(one, due))
            done += made
            if not made:
                break
        return done

    async def _due_summaries(
        self, now: datetime, wanted: Callable[[queries.DueSummary], bool] | None
    ) -> Sequence[queries.DueSummary]:
        settings = self.workshop.settings
        idle = timedelta(hours=settings.idle_hours) if settings.idle_hours else NEVER
        async with self.workshop.memory.database.transaction(self.workshop.nobody, read_only=True) as session:
            due = await queries.due_summaries(
                session,
                self.workshop.nobody,
                more_than=self.workshop.rule.more_than,
                idle_before=now - idle,
                now=now,
                limit=MOST_DUE if wanted is None else MOST_OF_ALL,
            )
        return [each for each in due if wanted is None or wanted(each)][:MOST_DUE]

    async def _due_extractions(self, now: datetime) -> Sequence[queries.DueExtraction]:
        settings = self.workshop.settings
        async with self.workshop.memory.database.transaction(self.workshop.nobody, read_only=True) as session:
            return await queries.due_extractions(
                session,
                self.workshop.nobody,
                exchanges=settings.extract_exchanges,
                quiet_before=now - timedelta(seconds=settings.extract_quiet),
                now=now,
                limit=MOST_DUE,
            )


async def _together(work: Callable[[T], Awaitable[bool]], due: Sequence[T]) -> list[bool]:
    """All of them, also when one breaks: the first fault is raised when the others are done."""
    ended = await asyncio.gather(*(work(each) for each in due), return_exceptions=True)
    for end in ended:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ended if isinstance(end, bool)]
