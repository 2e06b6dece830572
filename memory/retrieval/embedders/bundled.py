"""The bundled embedder, without account or network: multilingual-e5-small in child processes, which may crash."""

import asyncio
from collections.abc import Sequence

from memory.retrieval.embedders import bundled_child
from memory.retrieval.embedders.base import Vector, batches, prepare_text
from memory.retrieval.embedders.bundled_engine import BundledEngine, EngineCrashed
from memory.retrieval.embedders.registry import EMBEDDERS

MODEL = EMBEDDERS["bundled"].model
# After a crash, the texts of a batch are retried one by one.
BATCH_TEXTS = 4
BATCH_BYTES = 1_000


class BundledEmbedder:
    """Runs two children, so that a question never waits for a passage. They share the model's weights in memory. The
    child for passages runs at low priority, so its timeout is long: a busy machine must not fail a text."""

    def __init__(
        self, *, query_seconds: float = 30.0, passage_seconds: float = 300.0, program: str = bundled_child.__file__
    ) -> None:
        self._questions = BundledEngine(program, "query", seconds=query_seconds)
        self._passages = BundledEngine(program, "passage", seconds=passage_seconds)

    @property
    def model(self) -> str:
        return MODEL

    async def warm(self) -> None:
        await self._questions.warm()

    async def query(self, text: str) -> Vector:
        texts = [prepare_text(text)]
        try:
            [vector] = await self._questions.ask(texts)
        except EngineCrashed:
            [vector] = await self._questions.ask(texts)
        return vector

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        vectors: list[Vector | None] = []
        for batch in batches([prepare_text(text) for text in texts], most=BATCH_TEXTS, size=BATCH_BYTES):
            try:
                vectors += await self._passages.ask(batch)
            except EngineCrashed:
                vectors += [await self._single_passage(text) for text in batch]
        return vectors

    async def _single_passage(self, text: str) -> Vector | None:
        try:
            [vector] = await self._passages.ask([text])
        except EngineCrashed:
            # The text is at fault only if the engine runs without it.
            await self._passages.warm()
            return None
        return vector

    async def close(self) -> None:
        await asyncio.gather(self._questions.close(), self._passages.close())
