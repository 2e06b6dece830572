"""A circuit breaker for any embedder: after several failures it fails at once for a while, then tries one call."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Embedder, Vector

FAILURES = 3
SECONDS = 30.0


class CircuitBreaker:
    def __init__(self, embedder: Embedder, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._embedder = embedder
        self._clock = clock
        self._failures = 0
        self._away_until = 0.0
        self._trying = False
        self._why = ""

    @property
    def model(self) -> str:
        return self._embedder.model

    async def warm(self) -> None:
        with self._counted():
            await self._embedder.warm()

    async def query(self, text: str) -> Vector:
        with self._counted():
            return await self._embedder.query(text)

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        with self._counted():
            return await self._embedder.passages(texts)

    async def close(self) -> None:
        await self._embedder.close()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count the failures of one call. A cancelled trial counts for nothing, but permits the next trial."""
        on_trial = self._failures >= FAILURES
        if on_trial and (self._trying or self._clock() < self._away_until):
            raise EmbedderAway(self._why)
        self._trying = on_trial
        try:
            yield
        except EmbedderAway as error:
            self._failures += 1
            self._away_until = self._clock() + SECONDS
            self._why = str(error)
            raise
        else:
            self._failures = 0
        finally:
            if on_trial:
                self._trying = False
