"""A cache for a server's query vectors. A request runs to its end even after its caller has stopped waiting.

Cancelling a request at its deadline would close the connection, and the next question would have to open a new one. If
a server is a little too slow for a question, its answer is ready when the question is asked again.
"""

import asyncio
from collections.abc import Sequence

from memory.retrieval.embedders.base import Embedder, Vector

MAX_COUNT = 32


class QueryCache:
    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._answers: dict[str, asyncio.Task[Vector]] = {}

    @property
    def model(self) -> str:
        return self._embedder.model

    async def warm(self) -> None:
        await self._embedder.warm()

    async def query(self, text: str) -> Vector:
        answer = self._answers.get(text)
        if answer is None:
            answer = self._answers[text] = asyncio.create_task(self._embedder.query(text))
            answer.add_done_callback(lambda done: self._evict(text, done))
        return await asyncio.shield(answer)

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return await self._embedder.passages(texts)

    async def close(self) -> None:
        pending = [answer for answer in self._answers.values() if not answer.done()]
        for answer in pending:
            answer.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        await self._embedder.close()

    def _evict(self, text: str, answer: asyncio.Task[Vector]) -> None:
        """Drop failures, and all but the newest answers."""
        if answer.cancelled() or answer.exception() is not None:
            del self._answers[text]
        for old in [question for question, task in self._answers.items() if task.done()][:-MAX_COUNT]:
            del self._answers[old]
