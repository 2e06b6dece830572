"""The embedder that needs no account and no network: multilingual-e5-small, in child processes that may crash."""

import asyncio
from collections.abc import Sequence

from memory.embedders import child
from memory.embedders.base import Vector, batches, fit
from memory.embedders.engine import Engine
from memory.embedders.process import ChildLost

MODEL = "multilingual-e5-small-q4"
# A batch that is lost is done again one by one.
BATCH_TEXTS = 4
BATCH_BYTES = 1_000


class BundledEmbedder:
    """Two children, so that a question never waits for a passage; the model's weights lie in memory once. The child for
    passages stands back, and no text must be blamed for a busy machine, so it has much time."""

    def __init__(
        self, *, query_seconds: float = 30.0, passage_seconds: float = 300.0, program: str = child.__file__
    ) -> None:
        self._questions = Engine(program, "query", seconds=query_seconds)
        self._passages = Engine(program, "passage", seconds=passage_seconds)

    @property
    def model(self) -> str:
        return MODEL

    async def warm(self) -> None:
        await self._questions.ask([])

    async def query(self, text: str) -> Vector:
        words = [fit(text)]
        try:
            [vector] = await self._questions.ask(words)
        except ChildLost:
            [vector] = await self._questions.ask(words)
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([fit(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._passages.ask(batch)
            except ChildLost:
                vectors += [await self._alone(text) for text in batch]
        return vectors

    async def _alone(self, text: str) -> Vector | None:
        try:
            [vector] = await self._passages.ask([text])
        except ChildLost:
            # Only an engine that still runs without this text shows that the text is to blame.
            await self._passages.ask([])
            return None
        return vector

    async def close(self) -> None:
        await asyncio.gather(self._questions.close(), self._passages.close())
