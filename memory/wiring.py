"""The composition root: from settings to a house in which one can chat."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from db.embedded import EmbeddedServer, join_server
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database, one_connection, shown
from db.fitness import Fitness, check_fitness
from db.migrate import Progress, migrate, newest_revision
from db.queries.people.tenants import know_tenant
from db.viewer import Viewer
from memory.concurrency.deadline import settled
from memory.consolidation.extraction.likeness import Likeness
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import Scheduler
from memory.context.build import Shape
from memory.errors import TooSlow, WriteRefused
from memory.language.derived import warmed_in_thread
from memory.metrics import Metrics
from memory.model.brain import Brain
from memory.model.choice import brain_from, has_model, structured_llm_from
from memory.model.offline_phrases import Voice
from memory.outage.catching_up import catch_up, keep_catching_up
from memory.outage.recent import Recent
from memory.outage.spool import Spool
from memory.outage.state import Outage
from memory.privacy.forgetting.copies import let_go
from memory.privacy.keyfile import load_keyring
from memory.retrieval.embedders.choice import embedder_from, former_from, is_remote
from memory.retrieval.scoring import Weights
from memory.retrieval.vectors import Vectors
from memory.settings import Settings
from memory.unit import Limits, Memory

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Runtime:
    """All that one process shares: settings, memory, brain and what runs in the background."""

    settings: Settings
    memory: Memory
    vectors: Vectors
    brain: Brain
    revive: Callable[[], Awaitable[None]]
    spool: Spool | None = None
    recent: Recent = field(default_factory=Recent)
    outage: Outage = field(default_factory=Outage)
    metrics: Metrics = field(default_factory=Metrics)
    scheduler: Scheduler | None = None
    """Runs what happens after the replies; without one, somebody else does."""

    @property
    def summarises(self) -> bool:
        """Then messages stand in the prompt until their summary does, within reason."""
        return has_model(self.settings) and self.settings.summaries != "off"

    @property
    def web_url(self) -> str:
        """Where people reach the review page."""
        return self.settings.page_url

    def nudge(self, viewer: Viewer) -> None:
        """This person has just been answered: what that makes necessary need not wait."""
        self.vectors.nudge(viewer)
        if self.scheduler is not None:
            self.scheduler.nudge("summaries", viewer.tenant)

    @property
    def shape(self) -> Shape:
        """How much of what is kept goes into one request."""
        settings = self.settings
        relevance, recency, importance = map(float, settings.recall_weights.split(","))
        return Shape(
            max_tokens=settings.context_tokens,
            window=settings.window_messages + (settings.window_step if self.summarises else 0),
            step=settings.window_step,
            evidence=settings.evidence_tokens,
            deadline=timedelta(milliseconds=settings.recall_ms),
            weights=Weights(relevance=relevance, recency=recency, importance=importance),
            margin=settings.token_margin,
        )


@dataclass(frozen=True, slots=True)
class ReadyDatabase:
    """A database on which the wall holds, and what can be done should it die."""

    url: str
    fitness: Fitness
    revive: Callable[[], Awaitable[None]]


@asynccontextmanager
async def open_runtime(settings: Settings, *, voice: Voice, progress: Progress) -> AsyncIterator[Runtime]:
    # Words are warm before the database is ready.
    async with warmed_in_thread(), ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        async with memory.unit(Viewer.nobody(settings.tenant)) as unit:
            await know_tenant(unit.session, unit.viewer, unit.now)
        brain = brain_from(settings, voice)
        vectors = open_vectors(settings, memory, progress)
        spool, outage = Spool(settings.data_dir / "spool", memory.keyring, settings.tenant), Outage()
        recent = Recent()
        forgets = partial(let_go, memory, settings.tenant, recent)
        await catch_up(memory, spool, outage)  # before anything comes that was said later
        beside = [
            asyncio.create_task(vectors.run()),
            asyncio.create_task(keep_catching_up(memory, spool, outage, forgets, ready.revive)),
        ]
        metrics = Metrics()
        jobs = Jobs(memory, settings, structured_llm_from(settings), Likeness(vectors.at_home), metrics)
        passes = Passes(jobs, vectors, partial(memory.tenants, settings.tenant))
        scheduler = Scheduler(passes, metrics)
        scheduler.start()
        try:
            yield Runtime(
                settings,
                memory,
                vectors,
                brain,
                ready.revive,
                spool,
                outage=outage,
                recent=recent,
                metrics=metrics,
                scheduler=scheduler,
            )
        finally:
            await scheduler.stop()
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await vectors.close()
            await brain.close()
            if jobs.structured_llm is not None:
                await jobs.structured_llm.close()
            await settled()
            await memory.database.close()


@asynccontextmanager
async def open_jobs(settings: Settings, memory: Memory) -> AsyncIterator[tuple[Jobs, Vectors]]:
    """What the work after the replies is done with, for a command that does some of it by itself."""
    vectors, llm = open_vectors(settings, memory, lambda line: None), structured_llm_from(settings)
    try:
        yield Jobs(memory, settings, llm, Likeness(vectors.at_home), Metrics()), vectors
    finally:
        await vectors.close()
        if llm is not None:
            await llm.close()


def open_vectors(settings: Settings, memory: Memory, progress: Progress) -> Vectors:
    """The embedder that is set; until it has made its own vectors, those of the one before serve if it is known."""
    return Vectors(
        memory,
        settings.tenant,
        embedder_from(settings),
        is_remote=is_remote(settings),
        former_of=partial(former_from, settings),
        tenants=partial(memory.tenants, settings.tenant),
        progress=progress,
    )


async def open_memory(settings: Settings, url: str) -> Memory:
    """The pool and the keys. With a new key in front of the old one, everybody's data key is wrapped anew."""
    keyring = load_keyring(settings)
    waits = timedelta(days=settings.card_days)
    limits = Limits(
        undo=timedelta(hours=settings.undo_hours),
        proposals=waits,
        invitations=waits,
        artifacts=timedelta(days=settings.artifact_days),
        bundles=timedelta(days=settings.bundle_days) if settings.bundle_days else None,
    )
    memory = Memory(Database(url, pool_size=settings.pool_size), keyring, limits)
    if len(keyring.keys) > 1:
        await _wrap_keys_anew(memory, settings.tenant)
    return memory


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """One connection without the keys, for whoever only counts."""
    database = Database(url, pool_size=1)
    try:
        yield database
    finally:
        await database.close()


async def _wrap_keys_anew(memory: Memory, own: str) -> None:
    """Of everybody, in every tenant; a trouble of one is left to the passes, which try it again."""
    for tenant in await memory.tenants(own):
        try:
            await memory.rewrap_keys(tenant)
        except (TooSlow, WriteRefused) as trouble:
            log.error("the tenant %s still needs the old encryption key: %s", tenant, type(trouble).__name__)


@asynccontextmanager
async def ready_database(settings: Settings, progress: Progress) -> AsyncIterator[ReadyDatabase]:
    """One's own database, which is somebody else's to revive; or the embedded one, started and migrated."""
    if settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        yield ReadyDatabase(url, await _fitness(url), leave_it)
        return
    async with embedded_server(settings, progress) as server:
        await migrate_embedded(server, progress)
        url = server.url(APPLICATION, DATABASE)
        yield ReadyDatabase(url, await _fitness(url), lambda: asyncio.to_thread(server.revive))


async def leave_it() -> None:
    """Nothing that we could do."""


@asynccontextmanager
async def embedded_server(settings: Settings, progress: Progress) -> AsyncIterator[EmbeddedServer]:
    server = await asyncio.to_thread(join_server, settings.data_dir, progress=progress)
    try:
        yield server
    finally:
        await asyncio.to_thread(server.leave)


def database_address(settings: Settings) -> str | None:
    """Where one's own database is, as a person may see it; nothing, where it is the embedded one."""
    return shown(settings.database_url.get_secret_value()) if settings.database_url else None


async def migrate_database(settings: Settings, progress: Progress, *, to: str) -> None:
    """One's own database as the role that owns it, or the embedded one."""
    if settings.database_url is None:
        async with embedded_server(settings, progress) as server:
            await migrate_embedded(server, progress, to=to)
        return
    assert settings.owner_url
    owner, application = settings.owner_url.get_secret_value(), settings.database_url.get_secret_value()
    await migrate(owner, application, to=to, progress=progress)


async def migrate_embedded(server: EmbeddedServer, progress: Progress, *, to: str = "head") -> None:
    await asyncio.to_thread(make_database, server)
    await migrate(server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE), to=to, progress=progress)


async def _fitness(url: str) -> Fitness:
    async with one_connection(url) as connection:
        return await check_fitness(connection, newest_revision())
