"""Finds explicit orders to remember in a user's own words. The program decides this, never a model.

English so far; patterns are data, so that other languages are rows in the table.
"""

import re
from dataclasses import dataclass

OPENERS = (
    "please|hey|hi|hello|ok|okay|yes|yeah|sure|so|well|oh|and|also|but|now|just|actually|keepsake|by the way|btw|"
    "i want you to|i need you to|i would like you to|i['’]d like you to"
)
ADDRESS = rf"(?:(?:{OPENERS})[,!.]?\s+)*(?P<asked>(?:can|could|would|will) you\s+(?:please\s+)?)?"
THAT = r"(?P<that>\s+(?:that|this))?\s*[:,]?\s+"
REMEMBER = r"(?:remember|keep in mind|bear in mind|don['’]t forget|do not forget|never forget|make a note|take note)"

# The last is an order only at the beginning of a message; in the middle it is how people explain things.
ORDERS = (REMEMBER + THAT, r"from now on(?P<that>)\s*[:,]?\s+", r"note(?P<that>\s+that)\s*[:,]?\s+")
ONLY_FIRST = ORDERS[2]
PATTERNS = tuple(
    (re.compile(ADDRESS + order + r"(?P<words>.+)", re.IGNORECASE | re.DOTALL), order == ONLY_FIRST) for order in ORDERS
)
# "remember when …" asks or reminisces; "remember that when it rains …" does not.
WITHOUT_THAT = re.compile(
    r"(?:when|how|who|what|where|why|which|if|whether|to|me|him|her|us|them|not|nothing|none|no)\b"
    r"|the (?:time|day|days)s? (?:when|that|we|i|you)\b|(?:that|this|it)\W*$",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"(?:don['’]?t|do not|never|stop|without|no longer|not to)\s+(?:remember|stor|sav|keep|record|memori)",
    re.IGNORECASE,
)

SHORTEST_SENTENCE = len("note that …")
ENDERS = re.compile(r"(?<![.!?…])[.!?…]++(?=\s+[^\s\da-z]|\s*$)|\n")
# A full stop after these does not end a sentence.
ABBREVIATION = re.compile(
    r"(?:\b[^\W\d_]|\b(?:dr|mr|mrs|ms|prof|st|no|vs|jr|sr|mt|inc|ltd|co|approx|dept|est|min|max|tel|ext))$",
    re.IGNORECASE,
)
CLOSED_BY = {"“": "”", "„": "“”", "«": "»", "‹": "›", "「": "」", "『": "』", '"': '"', "`": "`"}
MARKS = re.compile('[“„«‹「『”»›」』"`]')


@dataclass(frozen=True, slots=True)
class Order:
    """The words that the user ordered to be kept, and where they stand in the message."""

    words: str
    span: tuple[int, int]


def find_orders(message: str) -> list[Order]:
    """One order a sentence at most; a question, a quotation and "don't remember" are none."""
    orders = []
    opened: list[str] = []
    before = 0
    for number, (start, end) in enumerate(_sentences(message)):
        if end - start < SHORTEST_SENTENCE:
            continue
        _follow_quotes(message[before:start], opened)
        announced = message[max(0, start - 20) : start].rstrip().endswith(":")
        order = _order_in(message[start:end], start, is_first=number == 0)
        if order and not opened and not announced:
            orders.append(order)
        before = start
    return orders


def _follow_quotes(text: str, opened: list[str]) -> None:
    """Which quotation marks and backticks stand open after this text: what is inside is somebody else's words."""
    for mark in MARKS.findall(text):
        if opened and mark in CLOSED_BY[opened[-1]]:
            opened.pop()
        elif mark in CLOSED_BY:
            opened.append(mark)


def _order_in(sentence: str, start: int, *, is_first: bool) -> Order | None:
    for pattern, only_first in PATTERNS:
        found = pattern.match(sentence)
        if found is None or (only_first and not is_first):
            continue
        words = found["words"].rstrip(".!?… \n")
        asks = sentence.rstrip().endswith("?") and not (found["asked"] and found["that"])
        if not words or asks or TAKEN_BACK.search(words) or (found["that"] is None and WITHOUT_THAT.match(words)):
            return None
        at = start + found.start("words")
        return Order(words, (at, at + len(words)))
    return None


def _sentences(message: str) -> list[tuple[int, int]]:
    """Where sentences start and end, white space in front left out."""
    last = len(message.rstrip())
    ends = [found.end() for found in ENDERS.finditer(message) if not _is_abbreviation(message, found, last)]
    bounds = []
    for start, end in zip([0, *ends], [*ends, len(message)], strict=True):
        part = message[start:end]
        if part.strip():
            bounds.append((start + len(part) - len(part.lstrip()), end))
    return bounds


def _is_abbreviation(message: str, ender: re.Match[str], last: int) -> bool:
    before = message[max(0, ender.start() - 10) : ender.start()]
    return ender[0] == "." and ender.end() < last and bool(ABBREVIATION.search(before))
