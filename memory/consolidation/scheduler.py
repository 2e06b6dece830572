"""When the passes run: APScheduler calls each in its time, and a turn nudges the one that it made necessary."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from memory.consolidation.passes import Passes
from memory.errors import DatabaseAway
from memory.metrics import Metrics

Pass = Callable[[datetime], Awaitable[Any]]

# Seconds from one run to the next; what a turn makes necessary does not wait for it.
EVERY: Mapping[str, float] = {
    "summaries": 60,
    "extractions": 15,
    "embeddings": 300,
    "reminders": 300,
    "clearing": 3600,
    "measuring": 15,
}
SECONDS_TO_STOP = 4.5

log = logging.getLogger(__name__)


class Scheduler:
    """The passes of one process. Others may run the same ones: each thing is done once, by whoever claims it."""

    def __init__(self, passes: Passes, metrics: Metrics, *, every: Mapping[str, float] = EVERY) -> None:
        self._metrics = metrics
        self._clock = AsyncIOScheduler(timezone=UTC)
        self._passes: dict[str, Pass] = {}
        for name, seconds in every.items():
            self.add(name, seconds, getattr(passes, name))
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def add(self, name: str, seconds: float, work: Pass) -> None:
        """One more pass, at once and then every so often; a front end has some of its own."""
        self._passes[name] = work
        self._clock.add_job(
            self._call,
            "interval",
            args=[name],
            id=name,
            seconds=seconds,
            next_run_time=datetime.now(UTC),
            coalesce=True,
            max_instances=100,
            misfire_grace_time=None,
        )

    def remove(self, name: str) -> None:
        if self._clock.get_job(name) is not None:
            self._clock.remove_job(name)

    def start(self) -> None:
        self._clock.start()

    def nudge(self, name: str, *, after: float = 0.0) -> None:
        """Run a pass soon; one that would run sooner anyway is left to itself."""
        job = self._clock.get_job(name) if self._clock.running else None
        soon = datetime.now(UTC) + timedelta(seconds=after)
        if job is not None and (job.next_run_time is None or job.next_run_time > soon):
            self._clock.modify_job(name, next_run_time=soon)

    async def stop(self) -> None:
        """What is under way ends, or is given back, within seconds."""
        if self._clock.running:
            self._clock.pause()
            await asyncio.sleep(0)  # what it has called just now gets as far as a task of ours
            self._clock.shutdown(wait=False)
        running = list(self._running.values())
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=SECONDS_TO_STOP)

    async def _call(self, name: str) -> None:
        """What APScheduler calls: a pass, never twice at the same time in this process; whoever comes meanwhile has it
        run once more. It is a task of our own, because APScheduler takes one that is stopped for one that broke."""
        if name in self._running:
            self._again.add(name)
        else:
            self._running[name] = asyncio.create_task(self._run(name))

    async def _run(self, name: str) -> None:
        try:
            while True:
                self._again.discard(name)
                await self._once(name)
                if name not in self._again:
                    break
        finally:
            del self._running[name]

    async def _once(self, name: str) -> None:
        """The edge of what happens in the background: it goes on whatever fails. An error's own words may be a user's,
        so the log has only its kind."""
        try:
            with self._metrics.passing(name):
                await self._passes[name](datetime.now(UTC))
        except DatabaseAway:
            log.warning("the pass %s waits: the database is away", name)
        except Exception as fault:
            log.error("the pass %s broke off: %s", name, type(fault).__name__)
