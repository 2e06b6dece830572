"""The composition root: from settings to a house in which one can chat."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from db.embedded import EmbeddedServer, join_server
from db.embedded.house import APPLICATION, DATABASE, OWNER, make_database
from db.engine import Database, one_connection
from db.fitness import Fitness, check_fitness
from db.migrate import Progress, migrate, newest_revision
from db.queries.tenants import know_tenant
from db.viewer import Viewer
from memory.brain import Brain
from memory.brain_offline import OfflineBrain, Voice
from memory.catching_up import catch_up, keep_catching_up
from memory.consolidation.passes import Passes
from memory.consolidation.scheduler import Scheduler
from memory.consolidation.workshop import Workshop
from memory.context.build import Shape
from memory.deadline import settled
from memory.embedders.choice import embedder_from, former_from
from memory.errors import TooSlow, WriteRefused
from memory.extraction.likeness import Likeness
from memory.llm import claude
from memory.metrics import Metrics
from memory.outage import Outage
from memory.privacy.copies import let_go
from memory.privacy.keyfile import load_keyring
from memory.recent import Recent
from memory.retrieval.scoring import Weights
from memory.scribe import scribe_from
from memory.settings import Settings
from memory.spool import Spool
from memory.unit import Limits, Memory
from memory.vectors import Vectors

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class House:
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
        return self.settings.anthropic_api_key is not None and self.settings.summaries != "off"

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
async def open_house(settings: Settings, *, voice: Voice, progress: Progress) -> AsyncIterator[House]:
    async with ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        async with memory.unit(Viewer.nobody(settings.tenant)) as unit:
            await know_tenant(unit.session, unit.viewer, unit.now)
        brain: Brain = claude(settings) if settings.anthropic_api_key else OfflineBrain(voice)
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
        workshop = Workshop(memory, settings, scribe_from(settings), Likeness(vectors.at_home), metrics)
        passes = Passes(workshop, vectors, partial(memory.tenants, settings.tenant))
        scheduler = Scheduler(passes, metrics)
        scheduler.start()
        try:
            yield House(
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
            if workshop.scribe is not None:
                await workshop.scribe.close()
            await settled()
            await memory.database.close()


@asynccontextmanager
async def open_workshop(settings: Settings, memory: Memory) -> AsyncIterator[tuple[Workshop, Vectors]]:
    """What the work after the replies is done with, for a command that does some of it by itself."""
    vectors, scribe = open_vectors(settings, memory, lambda line: None), scribe_from(settings)
    try:
        yield Workshop(memory, settings, scribe, Likeness(vectors.at_home), Metrics()), vectors
    finally:
        await vectors.close()
        if scribe is not None:
            await scribe.close()


def open_vectors(settings: Settings, memory: Memory, progress: Progress) -> Vectors:
    """The embedder that is set; until it has made its own vectors, those of the one before serve if it is known."""
    return Vectors(
        memory,
        settings.tenant,
        embedder_from(settings),
        is_remote=settings.embedder in {"voyage", "openai"},
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


async def migrate_embedded(server: EmbeddedServer, progress: Progress, *, to: str = "head") -> None:
    await asyncio.to_thread(make_database, server)
    await migrate(server.url(OWNER, DATABASE), server.url(APPLICATION, DATABASE), to=to, progress=progress)


async def _fitness(url: str) -> Fitness:
    async with one_connection(url) as connection:
        return await check_fitness(connection, newest_revision())
