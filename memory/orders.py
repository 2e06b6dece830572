"""Finds explicit orders to remember in a user's own words. The program decides this, never a model.

English so far; patterns are data, so that other languages are rows in the table.
"""

import re
from dataclasses import dataclass

ADDRESS = r"(?:(?:please|hey|ok|okay|keepsake|and|also)[,!]?\s+)*"
ORDERS = (
    r"(?:remember|note|keep in mind|don['’]t forget|do not forget|never forget|make a note|bear in mind)"
    r"(?:\s+(?:that|this))?\s*[:,]?\s+(?P<words>.+)",
    r"from now on\s*[:,]?\s+(?P<words>.+)",
)
NOT_AN_ORDER = r"(?:when|how|who|what|where|why|the time|the day|if|whether|to|me)\b|(?:that|this|it)\W*$"
PATTERNS = tuple(re.compile(ADDRESS + order, re.IGNORECASE | re.DOTALL) for order in ORDERS)
NOT_ORDERED = re.compile(NOT_AN_ORDER, re.IGNORECASE)
SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bNo)(?<!\bvs)[.!?…]+(?=\s+[^\s\da-z]|\s*$)|\n"
)


@dataclass(frozen=True, slots=True)
class Order:
    """The words that the user ordered to be kept, and where they stand in the message."""

    words: str
    span: tuple[int, int]


def find_orders(message: str) -> list[Order]:
    """One order a sentence at most; a question, a quotation and "don't remember" are none."""
    return [order for start, end in _sentences(message) if (order := _order_in(message, start, end))]


def _order_in(message: str, start: int, end: int) -> Order | None:
    sentence = message[start:end]
    if sentence.rstrip().endswith("?"):
        return None
    for pattern in PATTERNS:
        found = pattern.match(sentence)
        if found and not NOT_ORDERED.match(found["words"]):
            words = found["words"].rstrip(".!… \n")
            at = start + found.start("words")
            return Order(words, (at, at + len(words))) if words else None
    return None


def _sentences(message: str) -> list[tuple[int, int]]:
    """Where sentences start and end, white space in front left out."""
    bounds = []
    start = 0
    for end in [found.end() for found in SENTENCE_END.finditer(message)] + [len(message)]:
        part = message[start:end]
        if part.strip():
            bounds.append((start + len(part) - len(part.lstrip()), end))
        start = end
    return bounds
