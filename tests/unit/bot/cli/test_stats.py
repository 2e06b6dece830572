"""The table of what models took: aligned, with a total, and honest about what is not known."""

import json

from bot.cli.stats import as_json, as_table, total
from db.queries.model.usage import Sums

SONNET = Sums("claude-sonnet-5-5", 12, 1_000, 8_000, 1_000, 3_000, 56_000, 0, 24_000)
LLAMA = Sums("llama3.2", 3, 900, 0, 0, 100, None, 3, 1_500)


def test_models_stand_below_each_other_with_a_total() -> None:
    assert as_table([SONNET, LLAMA], 30, None) == (
        "The last 30 days, all users\n"
        "model              calls  tokens in  from cache  share  to cache  tokens out  per call      cost\n"
        "claude-sonnet-5-5     12     10,000       8,000    80%     1,000       3,000     2.0 s   $0.0560\n"
        "llama3.2               3        900           0     0%         0         100     0.5 s   unknown\n"
        "total                 15     10,900       8,000    73%     1,000       3,100     1.7 s  $0.0560+\n"
        "3 calls have no known cost. Set KEEPSAKE_PRICES for their models; that counts from then on."
    )


def test_what_is_not_known_is_not_nothing() -> None:
    assert total([LLAMA]).cost_microdollars is None
    assert "unknown" in as_table([LLAMA], 7, "test:ada")


def test_one_model_needs_no_total_and_none_is_told() -> None:
    assert "total" not in as_table([SONNET], 30, None)
    assert as_table([], 7, "test:ada") == "The last 7 days, only test:ada\nNo model was called."


def test_a_program_reads_it_as_json() -> None:
    told = json.loads(as_json([SONNET, LLAMA], 30))

    assert [row["model"] for row in told["models"]] == ["claude-sonnet-5-5", "llama3.2"]
    assert (told["total"]["calls"], told["total"]["cost_microdollars"], told["total"]["unpriced"]) == (15, 56_000, 3)
