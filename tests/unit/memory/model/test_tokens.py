"""The token estimate against counts of the real tokenizer, frozen in tests/data/token_counts.jsonl."""

import json
from pathlib import Path
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from memory.model.tokens import SINGLE_TOKEN_PIECES, estimate
from tests.tables import table

SAMPLE = Path(__file__).resolve().parents[3] / "data" / "token_counts.jsonl"
LINES: list[dict[str, str | int]] = [json.loads(line) for line in SAMPLE.read_text("utf-8").split("\n") if line]
COUNTS = [(str(line["text"]), int(line["tokens"])) for line in LINES]
TEXTS = st.sampled_from(COUNTS)
# Pieces are encoded one by one, and a line feed ends every piece: counts of lines that begin and end with anything but
# a blank may be added up across line feeds.
SOLID = st.sampled_from([(text, tokens) for text, tokens in COUNTS if text == text.strip() and text.isprintable()])


@table("kind", sorted({str(line["kind"]) for line in LINES}))
def test_the_estimate_is_never_below_the_true_count(kind: str) -> None:
    short = [line for line in LINES if line["kind"] == kind and estimate(str(line["text"])) < int(line["tokens"])]

    assert short == []


@given(TEXTS, st.data())
def test_the_torn_parts_of_a_text_sum_up_to_its_count_at_least(line: tuple[str, int], data: st.DataObject) -> None:
    text, tokens = line
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    parts = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    assert sum(estimate(part, is_part=True) for part in parts) >= tokens


@given(st.lists(SOLID, min_size=1, max_size=8))
def test_lines_in_any_order_keep_the_bound(lines: list[tuple[str, int]]) -> None:
    joined = "\n".join(text for text, _ in lines)

    assert estimate(joined) >= sum(tokens for _, tokens in lines) + len(lines) - 1


@given(TEXTS, TEXTS)
def test_a_longer_text_never_costs_less(one: tuple[str, int], other: tuple[str, int]) -> None:
    assert estimate(f"{one[0]}\n{other[0]}") >= max(one[1], other[1])


@given(st.text())
def test_any_text_has_an_estimate_and_the_same_one_twice(text: str) -> None:
    assert 0 <= estimate(text) == estimate(text) <= estimate(text, is_part=True) + 1


@table("kind", ["english prose", "english chat"])
def test_english_is_told_within_a_third_of_the_truth(kind: str) -> None:
    ratios = [estimate(str(line["text"])) / int(line["tokens"]) for line in LINES if line["kind"] == kind]

    assert mean(ratios) <= 1.35


def test_no_text_has_no_tokens() -> None:
    assert estimate("") == estimate("", is_part=True) == 0


def test_a_known_word_is_one_token_alone_in_its_piece_and_dear_when_it_is_torn() -> None:
    assert " kitchen" not in SINGLE_TOKEN_PIECES or estimate(" kitchen.") == 2
    assert estimate("see you.") == 3 < estimate("see you", is_part=True)


def test_lone_surrogates_and_controls_have_a_price() -> None:
    assert estimate("\ud800\udfff\x00\x7f") >= 4
