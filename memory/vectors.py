"""Keeps vectors up with what is said: embeds after the reply, in the background, and changes models without a gap.

While another model is being back-filled, the old one's vectors serve; a search uses the vectors of one model only.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from db.queries import chunks as queries
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.chunks import cut_missing
from memory.embedders.base import Embedder, Vector
from memory.errors import EmbedderAway, KeepsakeError
from memory.unit import Memory

BATCH = 32
LATER = 60.0  # seconds until the embedder or the database is tried again
MANY = 200  # chunks from which on a person is told that work goes on

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
    progress: Callable[[str], None] = log.info
    _ready: set[tuple[str | None, str | None]] = field(default_factory=set)
    _due: set[str] = field(default_factory=set)
    _cut: set[str] = field(default_factory=set)
    _nudged: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, viewer: Viewer, question: str, seconds: float, *, sensitive: bool = False) -> Asked:
        """The question as a vector of the model that serves this viewer, if it comes in time."""
        if self.wanted is None:
            return Asked(why_not="no embedder is set")
        if sensitive and self.is_remote:
            return Asked(why_not="the question is sensitive and does not leave this machine")
        try:
            async with asyncio.timeout(seconds):
                embedder = await self._serving(viewer)
                return Asked(embedder.model, await embedder.query(question))
        except TimeoutError:
            return Asked(why_not="the embedder was too slow")
        except EmbedderAway:
            return Asked(why_not="the embedder is away")

    def nudge(self, viewer: Viewer) -> None:
        """This person has something new to embed."""
        if viewer.user is not None:
            self._due.add(viewer.user)
            self._nudged.set()

    async def run(self) -> None:
        """Embed what is missing, for everybody, and then whenever somebody is nudged; ends when it is cancelled."""
        self._nudged.set()
        everybody = True
        while True:
            await self._nudged.wait()
            self._nudged.clear()
            try:
                if everybody and self.wanted is not None:
                    await self.wanted.warm()  # or the first question would wait for it, and be searched by words alone
                users = {*self._due, *(await self._due_users() if everybody else ())}
                everybody = False
                self._due.clear()
                for user in sorted(users):
                    await self.fill(Viewer.in_private(self.tenant, user))
            except KeepsakeError as trouble:
                log.warning("embedding waits: %s", type(trouble).__name__)
                await asyncio.sleep(LATER)
                everybody = True
                self._nudged.set()

    async def fill(self, viewer: Viewer) -> int:
        """Embed what is missing of one person, and cut it first, once in the life of this process: what was written
        before there were chunks has none. Gives how many chunks were embedded."""
        if viewer.person not in self._cut:
            async with self.memory.unit(viewer) as unit:
                await cut_missing(unit)
            self._cut.add(viewer.person)
        if self.wanted is None:
            return 0
        done = 0
        while True:
            async with self.memory.unit(viewer, read_only=True) as unit:
                batch = await queries.unembedded(unit.session, viewer, self.wanted.model, limit=BATCH)
            if not batch:
                break
            vectors = await self.wanted.passages([chunk.text for chunk in batch])
            made = [(chunk.chunk_id, vector) for chunk, vector in zip(batch, vectors, strict=True)]
            async with self.memory.unit(viewer) as unit:
                await queries.add_embeddings(unit.session, viewer, self.wanted.model, made)
            done += len(batch)
            if done % MANY < BATCH and done >= MANY:
                self.progress(f"Embedding with {self.wanted.model}: {done} chunks so far; recall works meanwhile.")
        if done >= MANY:
            self.progress(f"Embedding with {self.wanted.model} is done: {done} chunks.")
        return done

    async def close(self) -> None:
        for embedder in (self.wanted, self.former):
            if embedder is not None:
                await embedder.close()

    async def _due_users(self) -> Sequence[str]:
        if self.wanted is None:
            return []
        nobody = Viewer(self.tenant, None, None, Channel.PRIVATE)
        async with self.memory.unit(nobody, read_only=True) as unit:
            return await queries.due_embeddings(unit.session, self.wanted.model)

    async def _serving(self, viewer: Viewer) -> Embedder:
        """The wanted model, unless the former one covers more of what this viewer may read."""
        assert self.wanted is not None
        key = (viewer.user, viewer.space)
        if self.former is None or key in self._ready:
            return self.wanted
        async with self.memory.unit(viewer, read_only=True) as unit:
            new = await queries.coverage(unit.session, viewer, self.wanted.model)
            old = await queries.coverage(unit.session, viewer, self.former.model)
        if new >= old:
            self._ready.add(key)
            return self.wanted
        return self.former
