"""How near two sentences are by their vectors, measured against how near sentences are that have nothing in common.

Cosines of one model are all high and of another all low, so a bare number says nothing. What is compared is a distance
as a share of the usual one: 0 for the same sentence, about 1 for any two.
"""

from collections.abc import Mapping, Sequence
from math import fsum, sqrt

from memory.errors import EmbedderAway
from memory.retrieval.embedders.base import Embedder, Vector

# Nothing here is like anything else, in several languages.
STRANGERS = (
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
# Of twelve pairs that say the same nine are nearer than this, of fourteen that share words and say another thing none
# (tests/integration/memory/consolidation/test_likeness.py).
NEAR = 0.16


class Likeness:
    """Knows the usual distance of one embedder, once it was measured."""

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self._strangers: list[Vector] = []

    async def distances(self, sentence: str, others: Mapping[str, str]) -> dict[str, float]:
        """How far other sentences are, by their names; nothing where no vectors can be had."""
        if self._embedder is None or not others:
            return {}
        try:
            if not self._strangers:
                self._strangers = _made(await self._embedder.passages(list(STRANGERS)))
            vectors = await self._embedder.passages([sentence, *others.values()])
        except EmbedderAway:
            return {}
        own, rest = vectors[0], vectors[1:]
        if own is None or not self._strangers:
            return {}
        usual = 1 - fsum(cosine(own, each) for each in self._strangers) / len(self._strangers)
        return {
            name: (1 - cosine(own, vector)) / max(usual, 1e-6)
            for name, vector in zip(others, rest, strict=True)
            if vector is not None
        }


def cosine(one: Vector, other: Vector) -> float:
    product = fsum(x * y for x, y in zip(one, other, strict=True))
    return product / max(sqrt(fsum(x * x for x in one) * fsum(y * y for y in other)), 1e-12)


def _made(vectors: Sequence[Vector | None]) -> list[Vector]:
    return [vector for vector in vectors if vector is not None]
