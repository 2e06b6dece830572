"""Schedules the passes: APScheduler runs each periodically, and a turn triggers the ones it made due."""

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

# Seconds between periodic runs.
EVERY: Mapping[str, float] = {
    "summaries": 60,
    "extractions": 15,
    "embeddings": 300,
    "reminders": 300,
    "clearing": 3600,
    "measuring": 15,
}
SECONDS_TO_STOP = 4.5
SECONDS_BETWEEN_NUDGED_RUNS = 1.0  # for a tenant that is nudged all the time

log = logging.getLogger(__name__)


class PassRun(NamedTuple):
    """A run of a pass, for all tenants or for one."""

    name: str
    tenant: str | None = None


class Scheduler:
    """Runs the passes in one process. Several processes may do so: leases ensure that each job is done once."""

    def __init__(self, passes: Passes, metrics: Metrics, *, every: Mapping[str, float] = EVERY) -> None:
        self._metrics = metrics
        self._clock = AsyncIOScheduler(timezone=UTC)
        self._passes: dict[str, Pass] = {}
        for name, seconds in every.items():
            self.add(name, seconds, getattr(passes, name))
        self._running: dict[PassRun, asyncio.Task[None]] = {}
        self._again: set[PassRun] = set()

    def add(self, name: str, seconds: float, work: Pass) -> None:
        """Add a pass, such as one of a front end. It runs at once and then periodically."""
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
        """Run a pass for one tenant now. The periodic runs are not affected."""
        if self._clock.running and name in self._passes:
            self._begin(PassRun(name, tenant))

    async def stop(self) -> None:
        """Cancel running passes and wait a few seconds for them to release their leases."""
        if self._clock.running:
            self._clock.pause()
            await asyncio.sleep(0)  # lets jobs that were just called become tasks of our own
            self._clock.shutdown(wait=False)
        running = list(self._running.values())
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=SECONDS_TO_STOP)

    async def _call(self, name: str) -> None:
        """Called by APScheduler. Starts a task of our own, since APScheduler reports a cancelled job as failed."""
        self._begin(PassRun(name))

    def _begin(self, run: PassRun) -> None:
        """Start a run, or if it is running already, have it run once more afterwards."""
        if run in self._running:
            self._again.add(run)
        else:
            self._running[run] = asyncio.create_task(self._run(run))

    async def _run(self, run: PassRun) -> None:
        try:
            while True:
                self._again.discard(run)
                await self._once(run)
                if run.tenant is not None:
                    await asyncio.sleep(SECONDS_BETWEEN_NUDGED_RUNS)
                if run not in self._again:
                    break
        finally:
            del self._running[run]

    async def _once(self, run: PassRun) -> None:
        """Run a pass once; an error never stops the scheduler. Only its type is logged, since its text may contain
        personal data."""
        scope = {} if run.tenant is None else {"tenant": run.tenant}
        try:
            with self._metrics.measure_pass(run.name):
                await self._passes[run.name](datetime.now(UTC), **scope)
        except DatabaseAway:
            log.warning("the pass %s waits: the database is away", run.name)
        except Exception as fault:
            log.error("the pass %s broke off: %s", run.name, type(fault).__name__)
