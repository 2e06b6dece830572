"""The composition root: builds a running program from the settings."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from db.embedded import EmbeddedServer, join_server
from db.embedded.own_database import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database, hide_password, one_connection
from db.fitness import Fitness, check_fitness
from db.migrate import Progress, migrate, newest_revision
from db.queries.people.tenants import know_tenant
from db.viewer import Viewer
from memory.concurrency.deadline import finish_late_work
from memory.consolidation.extraction.similarity import FactSimilarity
from memory.consolidation.jobs import Jobs
from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import Scheduler
from memory.context.build import BundleOptions
from memory.errors import StatementTimeout, WriteRefused
from memory.language.lexicon_cache import warming_lexicon
from memory.metrics import Metrics
from memory.model.brain import Brain
from memory.model.offline_phrases import OfflineLocale
from memory.model.vendors import brain_from, has_model, structured_llm_from
from memory.outage.catching_up import catch_up, keep_catching_up
from memory.outage.recent import RecentMessages
from memory.outage.spool import Spool
from memory.outage.state import Outage
from memory.privacy.forgetting.cached_copies import evict_forgotten
from memory.privacy.keyfile import load_keyring
from memory.retrieval.embedders.factory import is_remote, make_embedder, make_previous_embedder
from memory.retrieval.scoring import Weights
from memory.retrieval.vector_index import VectorIndex
from memory.settings import Settings
from memory.unit import Limits, Memory

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything a process shares: settings, memory, brain and background tasks."""

    settings: Settings
    memory: Memory
    vectors: VectorIndex
    brain: Brain
    revive: Callable[[], Awaitable[None]]
    spool: Spool | None = None
    recent: RecentMessages = field(default_factory=RecentMessages)
    outage: Outage = field(default_factory=Outage)
    metrics: Metrics = field(default_factory=Metrics)
    scheduler: Scheduler | None = None
    """Runs the background passes; None where another process runs them."""

    @property
    def summarises(self) -> bool:
        """Whether summaries replace old messages. If so, the window keeps messages until they are summarised."""
        return has_model(self.settings) and self.settings.summaries != "off"

    @property
    def web_url(self) -> str:
        return self.settings.page_url

    def nudge(self, viewer: Viewer) -> None:
        """Start the background work that a reply to this viewer has made due."""
        self.vectors.nudge(viewer)
        if self.scheduler is not None:
            self.scheduler.nudge("summaries", viewer.tenant)

    @property
    def bundle_options(self) -> BundleOptions:
        settings = self.settings
        relevance, recency, importance = map(float, settings.recall_weights.split(","))
        return BundleOptions(
            max_tokens=settings.context_tokens,
            window=settings.window_messages + (settings.window_step if self.summarises else 0),
            step=settings.window_step,
            evidence_tokens=settings.evidence_tokens,
            deadline=timedelta(milliseconds=settings.recall_ms),
            weights=Weights(relevance=relevance, recency=recency, importance=importance),
            token_margin=settings.token_margin,
        )


@dataclass(frozen=True, slots=True)
class ReadyDatabase:
    """A database that passed the fitness checks, and how to restart it."""

    url: str
    fitness: Fitness
    revive: Callable[[], Awaitable[None]]


@asynccontextmanager
async def open_runtime(
    settings: Settings, *, offline_locale: OfflineLocale, progress: Progress
) -> AsyncIterator[Runtime]:
    # The language data loads in a thread while the database starts.
    async with warming_lexicon(), ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        async with memory.unit(Viewer.nobody(settings.tenant)) as unit:
            await know_tenant(unit.session, unit.viewer, unit.now)
        brain = brain_from(settings, offline_locale)
        vectors = open_vectors(settings, memory, progress)
        spool, outage = Spool(settings.data_dir / "spool", memory.keyring, settings.tenant), Outage()
        recent = RecentMessages()
        forgets = partial(evict_forgotten, memory, settings.tenant, recent)
        await catch_up(memory, spool, outage)  # before any newer message arrives
        background = [
            asyncio.create_task(vectors.run()),
            asyncio.create_task(keep_catching_up(memory, spool, outage, forgets, ready.revive)),
        ]
        metrics = Metrics()
        jobs = Jobs(memory, settings, structured_llm_from(settings), FactSimilarity(vectors.local_embedder), metrics)
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
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            await vectors.close()
            await brain.close()
            if jobs.structured_llm is not None:
                await jobs.structured_llm.close()
            await finish_late_work()
            await memory.database.close()


@asynccontextmanager
async def open_jobs(settings: Settings, memory: Memory) -> AsyncIterator[tuple[Jobs, VectorIndex]]:
    """The dependencies of background jobs, for a command that runs some of them itself."""
    vectors, llm = open_vectors(settings, memory, lambda line: None), structured_llm_from(settings)
    try:
        yield Jobs(memory, settings, llm, FactSimilarity(vectors.local_embedder), Metrics()), vectors
    finally:
        await vectors.close()
        if llm is not None:
            await llm.close()


def open_vectors(settings: Settings, memory: Memory, progress: Progress) -> VectorIndex:
    """The index of the configured embedder. Until it is filled, a known former embedder's vectors are used."""
    return VectorIndex(
        memory,
        settings.tenant,
        make_embedder(settings),
        is_remote=is_remote(settings),
        find_previous=partial(make_previous_embedder, settings),
        tenants=partial(memory.tenants, settings.tenant),
        progress=progress,
    )


async def open_memory(settings: Settings, url: str) -> Memory:
    """Open the pool and load the keys. If a new key precedes the old one, all data keys are rewrapped."""
    keyring = load_keyring(settings)
    card_lifetime = timedelta(days=settings.card_days)
    limits = Limits(
        undo=timedelta(hours=settings.undo_hours),
        proposals=card_lifetime,
        invitations=card_lifetime,
        artifacts=timedelta(days=settings.artifact_days),
        bundles=timedelta(days=settings.bundle_days) if settings.bundle_days else None,
    )
    memory = Memory(Database(url, pool_size=settings.pool_size), keyring, limits)
    if len(keyring.keys) > 1:
        await _rewrap_keys(memory, settings.tenant)
    return memory


@asynccontextmanager
async def open_database(url: str) -> AsyncIterator[Database]:
    """A single connection without encryption keys, for statistics."""
    database = Database(url, pool_size=1)
    try:
        yield database
    finally:
        await database.close()


async def _rewrap_keys(memory: Memory, own: str) -> None:
    """Rewrap the data keys of all tenants. A tenant that fails is retried by the `clearing` pass."""
    for tenant in await memory.tenants(own):
        try:
            await memory.rewrap_keys(tenant)
        except (StatementTimeout, WriteRefused) as trouble:
            log.error("the tenant %s still needs the old encryption key: %s", tenant, type(trouble).__name__)


@asynccontextmanager
async def ready_database(settings: Settings, progress: Progress) -> AsyncIterator[ReadyDatabase]:
    """The configured database, or the embedded one, started and migrated. Only the embedded one can be revived."""
    if settings.database_url is not None:
        url = settings.database_url.get_secret_value()
        yield ReadyDatabase(url, await _fitness(url), cannot_revive)
        return
    async with embedded_server(settings, progress) as server:
        await migrate_embedded(server, progress)
        url = server.url(APPLICATION, DATABASE)
        yield ReadyDatabase(url, await _fitness(url), lambda: asyncio.to_thread(server.revive))


async def cannot_revive() -> None:
    """Do nothing: an external database is not ours to restart."""


@asynccontextmanager
async def embedded_server(settings: Settings, progress: Progress) -> AsyncIterator[EmbeddedServer]:
    server = await asyncio.to_thread(join_server, settings.data_dir, progress=progress)
    try:
        yield server
    finally:
        await asyncio.to_thread(server.leave)


def database_address(settings: Settings) -> str | None:
    """The address of an external database without its password; None for the embedded one."""
    return hide_password(settings.database_url.get_secret_value()) if settings.database_url else None


async def migrate_database(settings: Settings, progress: Progress, *, to: str) -> str:
    """Migrate the external database as its owner role, or the embedded one. Returns the revision it is at now."""
    if settings.database_url is None:
        async with embedded_server(settings, progress) as server:
            await migrate_embedded(server, progress, to=to)
    else:
        assert settings.owner_url
        owner, application = settings.owner_url.get_secret_value(), settings.database_url.get_secret_value()
        await migrate(owner, application, to=to, progress=progress)
    return newest_revision() if to == "head" else to


async def migrate_embedded(server: EmbeddedServer, progress: Progress, *, to: str = "head") -> None:
    await asyncio.to_thread(make_database, server)
    await migrate(server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE), to=to, progress=progress)


async def _fitness(url: str) -> Fitness:
    async with one_connection(url) as connection:
        return await check_fitness(connection, newest_revision())
