"""Prices of models in US dollars per million tokens. An unlisted model has no price."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

CACHE_WRITE, CACHE_READ = 1.25, 0.1


@dataclass(frozen=True, slots=True)
class Price:
    """Per million tokens. The cache factors are multiples of `tokens_in`."""

    tokens_in: float
    tokens_out: float
    cache_write: float = CACHE_WRITE
    cache_read: float = CACHE_READ


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """The tokens of a call: uncached input, cache reads, cache writes and output."""

    sent: int = 0
    cache_read: int = 0
    cache_write: int = 0
    answered: int = 0


# By prefix of the model's name; the longest matching prefix counts.
PRICES: Mapping[str, Price] = {
    "claude-opus": Price(5, 25),
    "claude-sonnet": Price(3, 15),
    "claude-haiku": Price(1, 5),
}


@cache
def read_prices(spelled: str) -> Mapping[str, Price]:
    """Parse prices such as `my-model=0.5/2,other=1/5/1.25/0.1`: input, output, and optional cache factors."""
    prices = {}
    for entry in filter(None, (part.strip() for part in spelled.split(","))):
        name, price = entry.rsplit("=", 1)
        numbers = [float(number) for number in price.split("/")]
        if not name.strip() or len(numbers) not in {2, 4} or not all(0 <= number <= 1e6 for number in numbers):
            raise ValueError("not a price")
        prices[name.strip()] = Price(*numbers)
    return prices


def price_of(model: str, own: Mapping[str, Price]) -> Price | None:
    """The price of a model; the owner's own prices take precedence."""
    for prices in (own, PRICES):
        if prefixes := [name for name in prices if model.startswith(name)]:
            return prices[max(prefixes, key=len)]
    return None


def cost(tokens: TokenCounts, price: Price) -> int:
    """The cost in millionths of a dollar."""
    weighted_input = tokens.sent + price.cache_write * tokens.cache_write + price.cache_read * tokens.cache_read
    return round(price.tokens_in * weighted_input + price.tokens_out * tokens.answered)
