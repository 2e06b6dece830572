"""What people said and the vectors that were made of it, by an embedder that does as it is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from sqlalchemy import text

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.errors import EmbedderAway
from memory.events.record import EventDraft, prepare, record
from memory.retrieval.embedders.base import Vector
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory
from tests.conftest import NOON
from tests.waiting import STUCK

PATIENT = STUCK


@dataclass
class ScriptedEmbedder:
    """Its vectors are as long as it is told; `before` may fail, and the gates hold questions and passages up."""

    model: str = "new"
    numbers: Vector = (1.0, 0.0)
    before: Callable[[str], None] = lambda text: None
    asked: list[str] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    answers: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()
        self.answers.set()

    async def warm(self) -> None:
        return

    async def query(self, text: str) -> Vector:
        self.asked.append(text)
        self.before(text)
        await self.answers.wait()
        return self.numbers

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        await self.gate.wait()
        for each in texts:
            self.before(each)
        return [self.numbers for _ in texts]

    async def close(self) -> None:
        return


def away(text: str) -> None:
    raise EmbedderAway("not here")


async def say(memory: Memory, viewer: Viewer, *words: str) -> None:
    conversation = timed_id("cnv", NOON)
    prepared = [prepare(EventDraft(ActorType.HUMAN, "x", EventKind.MESSAGE, {"text": each}), NOON) for each in words]
    async with memory.unit(viewer, now=NOON) as unit:
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="keepsake", now=NOON)
        await record(unit, conversation, prepared)


async def kept(memory: Memory, viewer: Viewer, model: str) -> list[bool]:
    """For each vector of this model whether it is one, or a mark that there is none."""
    query = text("SELECT embedding IS NOT NULL FROM embeddings WHERE model = :model ORDER BY chunk_no")
    async with memory.unit(viewer, read_only=True) as unit:
        return list((await unit.session.execute(query, {"model": model})).scalars())


@asynccontextmanager
async def running(vectors: VectorIndex) -> AsyncIterator[None]:
    task = asyncio.create_task(vectors.run())
    try:
        async with asyncio.timeout(2 * STUCK):
            yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def change(memory: Memory, viewer: Viewer, former: ScriptedEmbedder, *words: str) -> None:
    """What was said and embedded while the former model was set."""
    await say(memory, viewer, *words)
    await VectorIndex(memory, viewer.tenant, former).backfill(viewer)


async def gone(memory: Memory, viewer: Viewer, model: str) -> bool:
    return await kept(memory, viewer, model) == []


async def made(memory: Memory, viewer: Viewer, count: int) -> bool:
    return len(await kept(memory, viewer, "new")) == count
