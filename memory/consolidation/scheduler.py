"""When the passes run: APScheduler calls each in its time, and a turn nudges the one that it made necessary."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from memory.consolidation.passes import Passes
from memory.errors import DatabaseAway
from memory.metrics import Metrics

Pass = Callable[..., Awaitable[Any]]

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
BREATH = 1.0  # seconds between looks at a tenant who is nudged all the time

log = logging.getLogger(__name__)


class Run(NamedTuple):
    """Of a pass: for everybody, or for one tenant."""

    name: str
    tenant: str | None = None


class Scheduler:
    """The passes of one process. Others may run the same ones: each thing is done once, by whoever claims it."""

    def __init__(self, passes: Passes, metrics: Metrics, *, every: Mapping[str, float] = EVERY) -> None:
        self._metrics = metrics
        self._clock = AsyncIOScheduler(timezone=UTC)
        self._passes: dict[str, Pass] = {}
        for name, seconds in every.items():
            self.add(name, seconds, getattr(passes, name))
        self._running: dict[Run, asyncio.Task[None]] = {}
        self._again: set[Run] = set()

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

    def nudge(self, name: str, tenant: str) -> None:
        """Run a pass at once for one tenant. The others' is not put off by it, nor looked for."""
        if self._clock.running and name in self._passes:
            self._begin(Run(name, tenant))

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
        """What APScheduler calls. It is a task of our own, because APScheduler takes one that is stopped for one that
        broke."""
        self._begin(Run(name))

    def _begin(self, run: Run) -> None:
        """Never twice at the same time in this process; whoever comes meanwhile has it run once more."""
        if run in self._running:
            self._again.add(run)
        else:
            self._running[run] = asyncio.create_task(self._run(run))

    async def _run(self, run: Run) -> None:
        try:
            while True:
                self._again.discard(run)
                await self._once(run)
                if run.tenant is not None:
                    await asyncio.sleep(BREATH)
                if run not in self._again:
                    break
        finally:
            del self._running[run]

    async def _once(self, run: Run) -> None:
        """The edge of what happens in the background: it goes on whatever fails. An error's own words may be a user's,
        so the log has only its kind."""
        whose = {} if run.tenant is None else {"tenant": run.tenant}
        try:
            with self._metrics.passing(run.name):
                await self._passes[run.name](datetime.now(UTC), **whose)
        except DatabaseAway:
            log.warning("the pass %s waits: the database is away", run.name)
        except Exception as fault:
            log.error("the pass %s broke off: %s", run.name, type(fault).__name__)
