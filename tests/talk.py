"""What one person said, what is recalled of it, and an embedder that knows the words they use."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import psycopg

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from memory.context.build import BundleOptions
from memory.events.record import EventDraft, prepare, record
from memory.retrieval.embedders.base import Vector
from memory.retrieval.hits import RecallResult
from memory.retrieval.recall import recall
from memory.retrieval.vector_index import VectorIndex
from memory.unit import Memory
from tests.conftest import NOON

WORDS = ("boat", "garden", "oven", "kiln")
PATIENT = timedelta(minutes=5)  # a busy machine must not change what is found
PATIENTLY = BundleOptions(deadline=PATIENT)


@dataclass
class WordEmbedder:
    """Knows four words, and has as many dimensions as it is given; `before` may fail or be waited for."""

    model: str = "scripted"
    size: int = 5
    before: Callable[[str], Awaitable[object] | None] = lambda text: None
    asked: list[str] = field(default_factory=list)

    async def warm(self) -> None:
        return

    async def query(self, text: str) -> Vector:
        self.asked.append(text)
        if (waited_for := self.before(text)) is not None:
            await waited_for
        return self.vector(text)

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return [self.vector(text) for text in texts]

    async def close(self) -> None:
        return

    def vector(self, text: str) -> Vector:
        known = [1.0 if word in text.lower() else 0.0 for word in WORDS]
        return [*known, 0.1, *([0.0] * (self.size - 5))]


@dataclass
class Talk:
    """One person's words, and what is recalled of them."""

    memory: Memory
    viewer: Viewer
    conversation: str = ""

    async def say(self, *words: str, now: datetime = NOON, by: str = "ada", **given: Any) -> list[str]:
        drafts = [EventDraft(ActorType.HUMAN, by, EventKind.MESSAGE, {"text": each}, **given) for each in words]
        return await self.write(*drafts, now=now)

    async def write(self, *drafts: EventDraft, now: datetime = NOON) -> list[str]:
        if not self.conversation:
            await self.begin()
        prepared = [prepare(draft, now) for draft in drafts]
        async with self.memory.unit(self.viewer, now=now) as unit:
            await record(unit, self.conversation, prepared)
        return [each.event.id for each in prepared]

    async def begin(self) -> None:
        self.conversation = timed_id("cnv", NOON)
        async with self.memory.unit(self.viewer, now=NOON) as unit:
            await start_conversation(
                unit.session, self.viewer, conversation_id=self.conversation, agent_id="keepsake", now=NOON
            )

    async def recall(self, question: str, vectors: VectorIndex | None = None, **given: Any) -> RecallResult:
        usual: dict[str, Any] = {"now": NOON, "limit": 20, "deadline": PATIENT}
        return await recall(self.memory, vectors, self.viewer, question, **{**usual, **given})

    async def found(self, question: str, vectors: VectorIndex | None = None, **given: Any) -> list[str]:
        return [hit.text for hit in (await self.recall(question, vectors, **given)).hits]

    def vectors(self, wanted: Any, former: Any = None, **given: Any) -> VectorIndex:
        return VectorIndex(self.memory, self.viewer.tenant, wanted, former, **given)


@contextmanager
def locked(url: str, table: str) -> Iterator[None]:
    """Nobody can read this table meanwhile."""
    with psycopg.connect(url) as admin:
        admin.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
