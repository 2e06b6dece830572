"""Around a server: a question is answered to its end though nobody waits any longer, and its vector is kept a while.

Whoever is cut off by a deadline would cut the connection too, and the next question would have to open another; so a
server that is a little too slow for the first asking has the answer ready for the second.
"""

import asyncio
from collections.abc import Sequence

from memory.retrieval.embedders.base import Embedder, Vector

MOST = 32


class CachedQuestions:
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
            answer.add_done_callback(lambda done: self._heard(text, done))
        return await asyncio.shield(answer)

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        return await self._embedder.passages(texts)

    async def close(self) -> None:
        unheard = [answer for answer in self._answers.values() if not answer.done()]
        for answer in unheard:
            answer.cancel()
        await asyncio.gather(*unheard, return_exceptions=True)
        await self._embedder.close()

    def _heard(self, text: str, answer: asyncio.Task[Vector]) -> None:
        """A failure is not kept, and of the answers only the newest few."""
        if answer.cancelled() or answer.exception() is not None:
            del self._answers[text]
        for old in [known for known, task in self._answers.items() if task.done()][:-MOST]:
            del self._answers[old]
