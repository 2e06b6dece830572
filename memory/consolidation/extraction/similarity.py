"""Measures the distance of two sentences by their vectors, relative to that of unrelated sentences.

Cosine similarities are all high with one embedding model and all low with another, so absolute values mean nothing. The
relative distance is 0 for the same sentence and about 1 for unrelated ones.
"""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Embedder, Vector

# Unrelated to each other and to most facts, in several languages.
UNRELATED_SENTENCES = (
    "The train to Lyon leaves at noon.",
    "She planted tomatoes behind the garage.",
    "Der Drucker im Büro ist kaputt.",
    "We watched a film about whales.",
    "El museo cierra los lunes.",
    "He repairs old radios.",
    "La réunion a été déplacée à jeudi.",
    "Мы купили новый диван.",
    "The bridge was built in 1932.",
    "今天的会议取消了。",
    "O gato dorme no telhado.",
    "أغلق المتجر مبكرا.",
)
# Nine of twelve paraphrase pairs are nearer than this, and none of fourteen pairs with shared words but another meaning
# (tests/integration/memory/consolidation/test_similarity.py).
SAME_FACT_DISTANCE = 0.16


class FactSimilarity:
    """Relative distances by one embedder."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._unrelated: list[Vector] = []

    async def distances(self, sentence: str, others: Mapping[str, str]) -> dict[str, float]:
        """The relative distances of a sentence to others, by their ids; empty without vectors."""
        if self._embedder is None or not others:
            return {}
        try:
            if not self._unrelated:
                self._unrelated = _present(await self._embedder.passages(list(UNRELATED_SENTENCES)))
            vectors = await self._embedder.passages([sentence, *others.values()])
        except EmbedderAway:
            return {}
        own, rest = vectors[0], vectors[1:]
        if own is None or not self._unrelated:
            return {}
        usual = 1 - fsum(cosine(own, each) for each in self._unrelated) / len(self._unrelated)
        return {
            name: (1 - cosine(own, vector)) / max(usual, 1e-6)
            for name, vector in zip(others, rest, strict=True)
            if vector is not None
        }


def cosine(one: Vector, other: Vector) -> float:
    product = fsum(x * y for x, y in zip(one, other, strict=True))
    return product / max(sqrt(fsum(x * x for x in one) * fsum(y * y for y in other)), 1e-12)


def _present(vectors: Sequence[Vector | None]) -> list[Vector]:
    return [vector for vector in vectors if vector is not None]
