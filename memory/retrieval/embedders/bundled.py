"""The embedder that needs no account and no network: multilingual-e5-small, in child processes that may crash."""

import asyncio
from collections.abc import Sequence

from memory.retrieval.embedders import bundled_child
from memory.retrieval.embedders.base import Vector, batches, fit
from memory.retrieval.embedders.bundled_engine import Engine, EngineLost
from memory.retrieval.embedders.known import EMBEDDERS

MODEL = EMBEDDERS["bundled"].model
# A batch that is lost is done again one by one.
BATCH_TEXTS = 4
BATCH_BYTES = 1_000


class BundledEmbedder:
    """Two children, so that a question never waits for a passage; the model's weights lie in memory once. The child for
    passages stands back, and no text must be blamed for a busy machine, so it has much time."""

    def __init__(
        self, *, query_seconds: float = 30.0, passage_seconds: float = 300.0, program: str = bundled_child.__file__
    ) -> None:
        self._questions = Engine(program, "query", seconds=query_seconds)
        self._passages = Engine(program, "passage", seconds=passage_seconds)

    @property
    def model(self) -> str:
        return MODEL

    async def warm(self) -> None:
        await self._questions.warm()

    async def query(self, text: str) -> Vector:
        words = [fit(text)]
        try:
            [vector] = await self._questions.ask(words)
        except EngineLost:
            [vector] = await self._questions.ask(words)
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([fit(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._passages.ask(batch)
            except EngineLost:
                vectors += [await self._alone(text) for text in batch]
        return vectors

    async def _alone(self, text: str) -> Vector | None:
        try:
            [vector] = await self._passages.ask([text])
        except EngineLost:
            # Only an engine that still runs without this text shows that the text is to blame.
            await self._passages.warm()
            return None
        return vector

    async def close(self) -> None:
        await asyncio.gather(self._questions.close(), self._passages.close())
