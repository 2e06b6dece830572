"""What tokens cost: by the family of a model, or as the owner says; what is not known is not called nothing."""

from pathlib import Path

import pytest

from memory.errors import SettingsError
from memory.model.prices import Price, TokenCounts, cost, price_of, read_prices
from memory.settings.environment import load_settings
from tests.tables import table

NO_FILE = Path("/nonexistent/.env")


@table(
    ("model", "tokens_in", "tokens_out"),
    [("claude-opus-5-5", 5, 25), ("claude-sonnet-5-5", 3, 15), ("claude-haiku-5-5-20260901", 1, 5)],
)
def test_a_model_costs_what_its_family_costs(model: str, tokens_in: float, tokens_out: float) -> None:
    assert price_of(model, {}) == Price(tokens_in, tokens_out, 1.25, 0.1)


def test_a_call_costs_all_of_its_parts() -> None:
    """A thousand of each: 3,000 + 3,750 + 300 + 15,000 millionths of a dollar."""
    assert cost(TokenCounts(sent=1000, cache_write=1000, cache_read=1000, answered=1000), Price(3, 15)) == 22_050


def test_a_model_that_nobody_knows_has_no_price() -> None:
    assert price_of("llama3.2", {}) is None


def test_the_owners_price_comes_first_and_the_longest_beginning_counts() -> None:
    own = read_prices("claude=9/9, llama=0.5/2,llama3=1/5/2/0.5")

    assert price_of("claude-sonnet-5-5", own) == Price(9, 9)
    assert price_of("llama2", own) == Price(0.5, 2)
    assert price_of("llama3.2", own) == Price(1, 5, 2, 0.5)


@table("spelled", ["x", "x=1", "x=1/2/3", "=1/2", "x=a/b", "x=-1/2", "x=1/nan", "x=1/inf"])
def test_a_price_that_is_none_stops_the_start(spelled: str) -> None:
    with pytest.raises(SettingsError, match=r"KEEPSAKE_PRICES: got .* wants prices such as"):
        load_settings({"KEEPSAKE_PRICES": spelled}, NO_FILE)
