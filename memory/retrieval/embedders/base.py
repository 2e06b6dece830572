"""The `Embedder` protocol, and the preparation of texts and vectors that all embedders share."""

import unicodedata
from collections.abc import Iterator, Sequence
from math import hypot, isfinite
from typing import Protocol

Vector = Sequence[float]

MAX_LENGTH = 2_000
# Embedded in place of an empty text, which servers refuse.
PLACEHOLDER = "…"
INVALID = dict.fromkeys((0, *range(0xD800, 0xE000)))


class Embedder(Protocol):
    """Vectors have length 1 and only finite numbers. Failures raise EmbedderAway, without the text."""

    @property
    def model(self) -> str:
        """The name of the model, stored with every vector. Different models have different names."""

    async def warm(self) -> None:
        """Load the model now, so that the first query does not wait for it."""

    async def query(self, text: str) -> Vector: ...

    async def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Return one vector for each text, or None for a text that failed twice while others succeeded."""

    async def close(self) -> None: ...


def prepare_text(text: str) -> str:
    """Truncate a text, drop invalid characters and apply NFKC. Truncate again: NFKC may lengthen a text."""
    valid = text[:MAX_LENGTH].translate(INVALID)
    return unicodedata.normalize("NFKC", valid)[:MAX_LENGTH].strip() or PLACEHOLDER


def unit_vector(numbers: Sequence[float]) -> Vector | None:
    """Scale a vector to length 1. Return None if it has no direction."""
    length = hypot(*numbers)
    if not isfinite(length) or length == 0:
        return None
    return [number / length for number in numbers]


def batches(texts: Sequence[str], *, most: int, size: int) -> Iterator[list[str]]:
    """Yield the texts in order, in batches of at most `most` texts and `size` bytes. A longer text gets its own."""
    batch: list[str] = []
    batch_bytes = 0
    for text in texts:
        text_bytes = len(text.encode())
        if batch and (len(batch) == most or batch_bytes + text_bytes > size):
            yield batch
            batch, batch_bytes = [], 0
        batch.append(text)
        batch_bytes += text_bytes
    if batch:
        yield batch
