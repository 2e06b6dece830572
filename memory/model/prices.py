"""What a model's tokens cost, as data: US dollars for a million of them. A model that is not listed has no price."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

CACHE_WRITE, CACHE_READ = 1.25, 0.1


@dataclass(frozen=True, slots=True)
class Price:
    """For a million tokens in and out; what is written to the cache or read from it costs so many times `tokens_in`."""

    tokens_in: float
    tokens_out: float
    cache_write: float = CACHE_WRITE
    cache_read: float = CACHE_READ


@dataclass(frozen=True, slots=True)
class Tokens:
    """What one call took: sent anew, read from the cache, written to it, and answered."""

    sent: int = 0
    cache_read: int = 0
    cache_write: int = 0
    answered: int = 0


# By how the name of a model begins; of several beginnings the longest counts.
PRICES: Mapping[str, Price] = {
    "claude-opus": Price(5, 25),
    "claude-sonnet": Price(3, 15),
    "claude-haiku": Price(1, 5),
}


@cache
def read_prices(spelled: str) -> Mapping[str, Price]:
    """Such as `my-model=0.5/2,other=1/5/1.25/0.1`: in, out, and if need be the factors for the cache."""
    prices = {}
    for each in filter(None, (part.strip() for part in spelled.split(","))):
        name, told = each.rsplit("=", 1)
        numbers = [float(number) for number in told.split("/")]
        if not name.strip() or len(numbers) not in {2, 4} or not all(0 <= number <= 1e6 for number in numbers):
            raise ValueError("not a price")
        prices[name.strip()] = Price(*numbers)
    return prices


def price_of(model: str, own: Mapping[str, Price]) -> Price | None:
    """The owner's own price first, whatever is listed here."""
    for prices in (own, PRICES):
        if beginnings := [name for name in prices if model.startswith(name)]:
            return prices[max(beginnings, key=len)]
    return None


def cost(tokens: Tokens, price: Price) -> int:
    """In millionths of a dollar, which is what a token costs of which a million cost a dollar."""
    weighed = tokens.sent + price.cache_write * tokens.cache_write + price.cache_read * tokens.cache_read
    return round(price.tokens_in * weighed + price.tokens_out * tokens.answered)
