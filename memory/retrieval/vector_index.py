"""Embeds new chunks in the background, and changes models without a gap.

While a new model's vectors are being made, searches use those of the old one. A search never mixes models.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from db.queries.retrieval import chunks as queries
from db.viewer import Viewer
from memory.concurrency.deadline import wait_with_deadline
from memory.concurrency.fair_queue import FairQueue
from memory.errors import EmbedderAway, KeepsakeError, WriteRefused
from memory.retrieval.chunks import chunk_missing
from memory.retrieval.embedders.base import Embedder, Vector
from memory.retrieval.embedders.factory import PreviousEmbedder
from memory.unit import Memory

BATCH = 32
REMOVED_AT_ONCE = 5_000
REPORT_EVERY = 200  # chunks
MAX_TIMEOUTS = 5  # questions in a row for which the embedder was too slow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class QuestionVector:
    """A question as a vector, or why it has none."""

    model: str | None = None
    vector: Vector | None = None
    why_not: str = ""


@dataclass(slots=True)
class VectorIndex:
    """The current model, and the previous one for viewers whose chunks it has not embedded yet."""

    memory: Memory
    tenant: str
    current: Embedder | None
    previous: Embedder | None = None
    is_remote: bool = False
    """Whether texts leave this machine to be embedded. Sensitive ones never do."""
    previous_is_remote: bool = False
    find_previous: Callable[[str], PreviousEmbedder | None] = lambda model: None
    """Returns the embedder of a model that has stored vectors, by its name."""
    tenants: Callable[[], Awaitable[Sequence[str]]] | None = None
    """All tenants to embed chunks for; by default only `tenant`."""
    progress: Callable[[str], None] = log.info
    _queue: FairQueue[Viewer] = field(init=False)
    _ready: set[Viewer] = field(default_factory=set)
    _chunked: set[Viewer] = field(default_factory=set)
    _timeouts: int = 0
    _has_warned: bool = False
    _embedded: int = 0
    _is_warm: bool = False
    _scanned: dict[Viewer, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._queue = FairQueue(self._tenant_viewers, self._work, self._finish)

    async def embed_question(
        self, viewer: Viewer, question: str, seconds: float, *, sensitive: bool = False
    ) -> QuestionVector:
        """Embed the question with the model that serves this viewer, unless it takes longer than `seconds`."""
        if self.current is None:
            return QuestionVector(why_not="no embedder is set")
        try:
            question_vector = await wait_with_deadline(self._embed(viewer, question, sensitive=sensitive), seconds)
        except TimeoutError:
            self._count_timeouts(timed_out=True)
            return QuestionVector(why_not="the embedder was too slow")
        self._count_timeouts(timed_out=False)
        return question_vector

    def nudge(self, viewer: Viewer) -> None:
        """This person has something new to embed."""
        if viewer.user is not None:
            self._queue.nudge(Viewer.in_private(viewer.tenant, viewer.user))

    def recheck_all(self) -> None:
        """Look for new chunks again, of which this process was not notified."""
        self._queue.recheck_all()

    async def run(self) -> None:
        """Embed all missing chunks, then those of each nudged person. Runs until it is cancelled."""
        await self._queue.run()

    async def backfill(self, viewer: Viewer, on_progress: Callable[[int], None] = lambda done: None) -> int:
        """Embed all missing chunks of one person and return their number. `on_progress` gets the number so far."""
        done = 0
        while count := await self._embed_batch(viewer):
            done += count
            on_progress(done)
        return done

    @property
    def local_embedder(self) -> Embedder | None:
        """The current embedder, if it runs on this machine."""
        return None if self.is_remote else self.current

    async def close(self) -> None:
        for embedder in (self.current, self.previous):
            if embedder is not None:
                await embedder.close()

    # Questions

    async def _embed(self, viewer: Viewer, question: str, *, sensitive: bool) -> QuestionVector:
        why_not = ""
        try:
            for embedder in await self._serving(viewer):
                if sensitive and (self.previous_is_remote if embedder is self.previous else self.is_remote):
                    why_not = "the question is sensitive and does not leave this machine"
                    continue
                try:
                    return QuestionVector(embedder.model, await embedder.query(question))
                except EmbedderAway:
                    why_not = "the embedder is away"
        except KeepsakeError:
            why_not = "the database is away or too slow"
        return QuestionVector(why_not=why_not)

    async def _serving(self, viewer: Viewer) -> list[Embedder]:
        """The current model, preceded by the previous one while that covers more of the viewer's chunks."""
        assert self.current is not None
        if self.previous is None or viewer in self._ready:
            return [self.current]
        async with self.memory.unit(viewer, read_only=True) as unit:
            new = await queries.coverage(unit.session, viewer, self.current.model)
            old = await queries.coverage(unit.session, viewer, self.previous.model)
        if new >= old:
            self._ready.add(viewer)
            return [self.current]
        return [self.previous, self.current]

    def _count_timeouts(self, *, timed_out: bool) -> None:
        self._timeouts = self._timeouts + 1 if timed_out else 0
        if self._timeouts == MAX_TIMEOUTS and not self._has_warned:
            self._has_warned = True
            log.warning(
                "the embedder was too slow for %d questions in a row; `keepsake doctor` measures it", MAX_TIMEOUTS
            )

    # Chunks

    async def _tenant_viewers(self) -> Sequence[Viewer]:
        """A viewer who is nobody for each tenant. `_work` then finds the people with missing chunks."""
        self._is_warm = False
        if self.current is None:
            return []
        return [Viewer.nobody(tenant) for tenant in (await self.tenants() if self.tenants else [self.tenant])]

    async def _work(self, viewer: Viewer) -> bool:
        if viewer.user is None:
            await self._scan(viewer)
            return False
        return await self._embed_batch(viewer) == BATCH

    async def _scan(self, nobody: Viewer) -> None:
        """Enqueue the tenant's people with missing chunks. If stored vectors are of another model, use it meanwhile."""
        assert self.current is not None
        async with self.memory.unit(nobody, read_only=True) as unit:
            progress = await queries.embedding_progress(unit.session, self.current.model)
            due = await queries.due_embeddings(unit.session, self.current.model)
        stored = (known for model in progress.others if (known := self.find_previous(model)))
        if self.previous is None and (previous := next(stored, None)):
            self.previous, self.previous_is_remote = previous.embedder, previous.is_remote
        if not self._is_warm:
            await self.current.warm()  # else the first question would time out, and be searched by words alone
            self._is_warm = True
        self._scanned[nobody] = None
        self._queue.enqueue(Viewer.in_private(nobody.tenant, user) for user in due)

    async def _embed_batch(self, viewer: Viewer) -> int:
        """Embed a batch of one person's new chunks, newest first. Return its size.

        Once per process, texts without chunks are chunked first, such as data older than the chunks table.
        """
        private = Viewer.in_private(viewer.tenant, viewer.person)
        if private not in self._chunked:
            async with self.memory.unit(viewer) as unit:
                await chunk_missing(unit)
            self._chunked.add(private)
        if self.current is None:
            return 0
        async with self.memory.unit(viewer, read_only=True) as unit:
            batch = await queries.unembedded(unit.session, viewer, self.current.model, limit=BATCH)
        if batch:
            vectors = await self.current.passages([chunk.text for chunk in batch])
            await self._store(viewer, [(chunk.chunk_id, vector) for chunk, vector in zip(batch, vectors, strict=True)])
            self._report_progress(len(batch))
        return len(batch)

    async def _store(self, viewer: Viewer, vectors: Sequence[tuple[str, Vector | None]]) -> None:
        """If the database refuses a batch, vectors are stored one by one. A refused one is stored as having none."""
        assert self.current is not None
        try:
            async with self.memory.unit(viewer) as unit:
                await queries.add_embeddings(unit.session, viewer, self.current.model, vectors)
        except WriteRefused:
            if len(vectors) > 1:
                for each in vectors:
                    await self._store(viewer, [each])
            elif vectors[0][1] is not None:
                log.warning("the database refused a vector; its text is found by words alone")
                await self._store(viewer, [(vectors[0][0], None)])
            else:
                raise

    def _report_progress(self, count: int) -> None:
        assert self.current is not None
        before, self._embedded = self._embedded, self._embedded + count
        if before // REPORT_EVERY < self._embedded // REPORT_EVERY:
            self.progress(
                f"Embedding with {self.current.model}: {self._embedded} chunks so far; recall works meanwhile."
            )

    async def _finish(self) -> None:
        """Remove other models' vectors of people whose chunks the current model covers.

        Only after everybody was embedded: in a shared space, one model must cover the chunks of all members.
        """
        if self.current is None:
            return
        if self._embedded >= REPORT_EVERY:
            self.progress(f"Embedding with {self.current.model} is done: {self._embedded} chunks.")
        self._embedded = 0
        while self._scanned:
            nobody = next(iter(self._scanned))
            del self._scanned[nobody]  # removed first, so that a failure does not block the other tenants
            async with self.memory.unit(nobody, read_only=True) as unit:
                users = await queries.outdated_embeddings(unit.session, self.current.model)
            for user in users:
                await self._remove_other_models(Viewer.in_private(nobody.tenant, user))

    async def _remove_other_models(self, viewer: Viewer) -> None:
        assert self.current is not None
        removed = REMOVED_AT_ONCE
        while removed == REMOVED_AT_ONCE:
            async with self.memory.unit(viewer) as unit:
                removed = await queries.remove_other_models(
                    unit.session, viewer, self.current.model, limit=REMOVED_AT_ONCE
                )
