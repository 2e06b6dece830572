"""What every embedder promises, and how a text and a vector must be before they pass through one."""

import unicodedata
from collections.abc import Iterator, Sequence
from math import hypot, isfinite
from typing import Protocol

Vector = Sequence[float]

LONGEST = 2_000
# Servers refuse an empty text; whoever asks for one gets a vector all the same.
NOTHING = "…"
UNFIT = dict.fromkeys((0, *range(0xD800, 0xE000)))


class Embedder(Protocol):
    """Vectors have length 1 and hold finite numbers only; what fails is EmbedderAway, without the text."""

    @property
    def model(self) -> str:
        """Stored with every vector: another model has another name."""

    async def warm(self) -> None:
        """Pay now what the first query would have to pay."""

    async def query(self, text: str) -> Vector: ...

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """One vector for each text; None for a text that failed twice while others did not."""

    async def close(self) -> None: ...


def fit(text: str) -> str:
    """Cut, without NUL and lone surrogates, in compatibility form; cut again, because one sign may become eighteen."""
    known = text[:LONGEST].translate(UNFIT)
    return unicodedata.normalize("NFKC", known)[:LONGEST].strip() or NOTHING


def unit(numbers: Sequence[float]) -> Vector | None:
    """The same direction with length 1, or None for what has no direction."""
    length = hypot(*numbers)
    if not isfinite(length) or length == 0:
        return None
    return [number / length for number in numbers]


def batches(texts: Sequence[str], *, most: int, size: int) -> Iterator[list[str]]:
    """The texts in order, at most so many and so many bytes at a time; a longer one goes alone."""
    batch: list[str] = []
    weight = 0
    for text in texts:
        weighs = len(text.encode())
        if batch and (len(batch) == most or weight + weighs > size):
            yield batch
            batch, weight = [], 0
        batch.append(text)
        weight += weighs
    if batch:
        yield batch
