"""Keeps vectors up with what is said: embeds after the reply, in the background, and changes models without a gap.

While another model is being back-filled, the old one's vectors serve; a search uses the vectors of one model only.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from db.queries.retrieval import chunks as queries
from db.viewer import Viewer
from memory.concurrency.deadline import in_time
from memory.concurrency.fair_queue import FairQueue
from memory.errors import EmbedderAway, KeepsakeError, WriteRefused
from memory.retrieval.chunks import cut_missing
from memory.retrieval.embedders.base import Embedder, Vector
from memory.retrieval.embedders.choice import Former
from memory.unit import Memory

BATCH = 32
REMOVED_AT_ONCE = 5_000
MANY = 200  # chunks from which on one is told that work goes on
OFTEN = 5  # questions in a row for which the embedder was too slow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a vector; without one, why there is none."""

    model: str | None = None
    vector: Vector | None = None
    why_not: str = ""


@dataclass(slots=True)
class Vectors:
    """The model that is wanted, and the one that serves those for whom it is not ready."""

    memory: Memory
    tenant: str
    wanted: Embedder | None
    former: Embedder | None = None
    is_remote: bool = False
    """Whether texts leave this machine to be embedded; what is sensitive never does."""
    former_is_remote: bool = False
    former_of: Callable[[str], Former | None] = lambda model: None
    """By the name of a model of which there are vectors."""
    tenants: Callable[[], Awaitable[Sequence[str]]] | None = None
    """All for whom chunks are embedded without a nudge, where it is not the one alone."""
    progress: Callable[[str], None] = log.info
    _queue: FairQueue[Viewer] = field(init=False)
    _ready: set[Viewer] = field(default_factory=set)
    _cut: set[Viewer] = field(default_factory=set)
    _missed: int = 0
    _told: bool = False
    _made: int = 0
    _is_warm: bool = False
    _looked_through: dict[Viewer, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._queue = FairQueue(self._everybody, self._work, self._finish)

    async def ask(self, viewer: Viewer, question: str, seconds: float, *, sensitive: bool = False) -> Asked:
        """The question as a vector of the model that serves this viewer, if it comes in time."""
        if self.wanted is None:
            return Asked(why_not="no embedder is set")
        try:
            asked = await in_time(self._answer(viewer, question, sensitive=sensitive), seconds)
        except TimeoutError:
            self._count(missed=True)
            return Asked(why_not="the embedder was too slow")
        self._count(missed=False)
        return asked

    def nudge(self, viewer: Viewer) -> None:
        """This person has something new to embed."""
        if viewer.user is not None:
            self._queue.nudge(Viewer.in_private(viewer.tenant, viewer.user))

    def look(self) -> None:
        """Somebody may have something to embed of which this process does not know."""
        self._queue.look()

    async def run(self) -> None:
        """Embed what is missing, for everybody, and then whenever somebody is nudged; ends when it is cancelled."""
        await self._queue.run()

    async def fill(self, viewer: Viewer, tell: Callable[[int], None] = lambda done: None) -> int:
        """Embed all that is missing of one person. Gives how many chunks were embedded, and tells it on the way."""
        done = 0
        while made := await self._embed_some(viewer):
            done += made
            tell(done)
        return done

    @property
    def at_home(self) -> Embedder | None:
        """The embedder, where nothing leaves this machine for it."""
        return None if self.is_remote else self.wanted

    async def close(self) -> None:
        for embedder in (self.wanted, self.former):
            if embedder is not None:
                await embedder.close()

    # Questions

    async def _answer(self, viewer: Viewer, question: str, *, sensitive: bool) -> Asked:
        why_not = ""
        try:
            for embedder in await self._serving(viewer):
                if sensitive and (self.former_is_remote if embedder is self.former else self.is_remote):
                    why_not = "the question is sensitive and does not leave this machine"
                    continue
                try:
                    return Asked(embedder.model, await embedder.query(question))
                except EmbedderAway:
                    why_not = "the embedder is away"
        except KeepsakeError:
            why_not = "the database is away or too slow"
        return Asked(why_not=why_not)

    async def _serving(self, viewer: Viewer) -> list[Embedder]:
        """The wanted model; before it, while that covers more of what this viewer may read, the former one."""
        assert self.wanted is not None
        if self.former is None or viewer in self._ready:
            return [self.wanted]
        async with self.memory.unit(viewer, read_only=True) as unit:
            new = await queries.coverage(unit.session, viewer, self.wanted.model)
            old = await queries.coverage(unit.session, viewer, self.former.model)
        if new >= old:
            self._ready.add(viewer)
            return [self.wanted]
        return [self.former, self.wanted]

    def _count(self, *, missed: bool) -> None:
        self._missed = self._missed + 1 if missed else 0
        if self._missed == OFTEN and not self._told:
            self._told = True
            log.warning("the embedder was too slow for %d questions in a row; `keepsake doctor` measures it", OFTEN)

    # Chunks

    async def _everybody(self) -> Sequence[Viewer]:
        """Every tenant, as nobody of it; in its turn it is seen who of it has something to embed."""
        self._is_warm = False
        if self.wanted is None:
            return []
        return [Viewer.nobody(tenant) for tenant in (await self.tenants() if self.tenants else [self.tenant])]

    async def _work(self, viewer: Viewer) -> bool:
        if viewer.user is None:
            await self._look_through(viewer)
            return False
        return await self._embed_some(viewer) == BATCH

    async def _look_through(self, nobody: Viewer) -> None:
        """Who has something to embed. Here it is seen too which model's vectors are there, to serve meanwhile."""
        assert self.wanted is not None
        async with self.memory.unit(nobody, read_only=True) as unit:
            known = await queries.embedding_progress(unit.session, self.wanted.model)
            due = await queries.due_embeddings(unit.session, self.wanted.model)
        formers = (former for model in known.others if (former := self.former_of(model)))
        if self.former is None and (former := next(formers, None)):
            self.former, self.former_is_remote = former.embedder, former.is_remote
        if not self._is_warm:
            await self.wanted.warm()  # or the first question would wait for it, and be searched by words alone
            self._is_warm = True
        self._looked_through[nobody] = None
        self._queue.line_up(Viewer.in_private(nobody.tenant, user) for user in due)

    async def _embed_some(self, viewer: Viewer) -> int:
        """Some of what is missing of one person, the newest first. It is cut first, once in the life of this process:
        what was written before there were chunks has none."""
        alone = Viewer.in_private(viewer.tenant, viewer.person)
        if alone not in self._cut:
            async with self.memory.unit(viewer) as unit:
                await cut_missing(unit)
            self._cut.add(alone)
        if self.wanted is None:
            return 0
        async with self.memory.unit(viewer, read_only=True) as unit:
            batch = await queries.unembedded(unit.session, viewer, self.wanted.model, limit=BATCH)
        if batch:
            vectors = await self.wanted.passages([chunk.text for chunk in batch])
            await self._keep(viewer, [(chunk.chunk_id, made) for chunk, made in zip(batch, vectors, strict=True)])
            self._tell(len(batch))
        return len(batch)

    async def _keep(self, viewer: Viewer, made: Sequence[tuple[str, Vector | None]]) -> None:
        """What the database refuses is tried one by one, and what it refuses then is marked: it has no vector."""
        assert self.wanted is not None
        try:
            async with self.memory.unit(viewer) as unit:
                await queries.add_embeddings(unit.session, viewer, self.wanted.model, made)
        except WriteRefused:
            if len(made) > 1:
                for one in made:
                    await self._keep(viewer, [one])
            elif made[0][1] is not None:
                log.warning("a vector was refused by the database; its text is found by its words alone")
                await self._keep(viewer, [(made[0][0], None)])
            else:
                raise

    def _tell(self, made: int) -> None:
        assert self.wanted is not None
        before, self._made = self._made, self._made + made
        if before // MANY < self._made // MANY:
            self.progress(f"Embedding with {self.wanted.model}: {self._made} chunks so far; recall works meanwhile.")

    async def _finish(self) -> None:
        """Once everybody had their turns, vectors of other models go from whom the wanted one serves; not before: in a
        space that people share, one model must cover what all of them said."""
        if self.wanted is None:
            return
        if self._made >= MANY:
            self.progress(f"Embedding with {self.wanted.model} is done: {self._made} chunks.")
        self._made = 0
        while self._looked_through:
            nobody = next(iter(self._looked_through))
            del self._looked_through[nobody]  # if it fails, the others are next, and it is after them
            async with self.memory.unit(nobody, read_only=True) as unit:
                users = await queries.outdated_embeddings(unit.session, self.wanted.model)
            for user in users:
                await self._remove_other_models(Viewer.in_private(nobody.tenant, user))

    async def _remove_other_models(self, viewer: Viewer) -> None:
        assert self.wanted is not None
        removed = REMOVED_AT_ONCE
        while removed == REMOVED_AT_ONCE:
            async with self.memory.unit(viewer) as unit:
                removed = await queries.remove_other_models(
                    unit.session, viewer, self.wanted.model, limit=REMOVED_AT_ONCE
                )
