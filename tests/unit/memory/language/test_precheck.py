"""The precheck: which messages may tell something lasting about their writer, measured on a labelled set."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.language.precheck import MAX_READ, may_hold_fact
from memory.translation import available_languages
from tests.tables import table

SET = Path(__file__).resolve().parents[3] / "data" / "precheck.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in SET.read_text().splitlines()]


def recall(rows: list[dict[str, Any]]) -> float:
    told = [may_hold_fact(row["text"]) for row in rows if row["tells"]]
    return sum(told) / len(told)


def pass_rate(rows: list[dict[str, Any]]) -> float:
    return sum(may_hold_fact(row["text"]) for row in rows) / len(rows)


def test_the_labelled_set_is_large_and_mostly_tells_nothing_and_knows_all_nine_languages() -> None:
    share = {language: sum(row["lang"] == language for row in ROWS) / len(ROWS) for language in available_languages()}

    assert len(ROWS) >= 420
    assert len({row["text"] for row in ROWS}) == len(ROWS)
    assert {row["lang"] for row in ROWS} == set(available_languages())
    assert 1 - share["en"] >= 0.45
    assert min(share.values()) >= 0.05
    assert 0.2 <= sum(row["tells"] for row in ROWS) / len(ROWS) <= 0.3


def test_nearly_all_that_tells_something_is_passed_on_and_little_else() -> None:
    assert recall(ROWS) >= 0.95
    assert pass_rate(ROWS) <= 0.35


@table("language", available_languages())
def test_no_language_is_forgotten(language: str) -> None:
    assert recall([row for row in ROWS if row["lang"] == language]) >= 0.85


def test_what_was_never_looked_at_while_the_words_were_chosen_is_told_apart_too() -> None:
    held = [row for row in ROWS if row.get("held")]

    assert len(held) >= len(ROWS) / 5
    assert recall(held) >= 0.85
    assert pass_rate(held) <= 0.40


@table(
    "message",
    [
        "I'm vegan, what can I cook?",
        "I'm vegan what can I cook?",
        "What can I cook? I'm vegan.",
        "we moved to Porto last year and I need a dentist, any idea?",
        "soy celíaca, ¿qué desayuno?",
        "bin vegan, was koch ich?",
        "я веган, что приготовить?",
        "मैं शाकाहारी हूँ, क्या बनाऊँ?",
        "أنا نباتي، ماذا أطبخ؟",
        "我吃素，晚饭做什么？",
    ],
)
def test_what_is_told_beside_a_question_counts(message: str) -> None:
    assert may_hold_fact(message)


@table(
    "message",
    [
        "Is my wife vegan?",
        "when is my sister's birthday",
        'She said "my name is Tom and I live in Rome"',
        "> my name is Tom\n> I live in Rome",
        "Forwarded from Tom\nmy name is Tom and I live in Rome",
        "translate this: my name is Tom and I live in Rome",
        "Tom writes:\nI moved to Rome last year",
        "`I live in Rome`",
        "forget that I live in Rome",
        "don't remember that I live in Rome",
        "",
        "   \n ",
        "?",
    ],
)
def test_what_is_asked_quoted_announced_forwarded_or_taken_back_tells_nothing(message: str) -> None:
    assert not may_hold_fact(message)


def test_a_mood_does_not_hide_what_stands_beside_it() -> None:
    assert not may_hold_fact("I'm so tired today")
    assert not may_hold_fact("I work from home today")
    assert may_hold_fact("I'm so tired today and my wife Anna is a nurse")
    assert may_hold_fact("I'm so tired today. We have two cats.")


@table("message", ["my car is an old Saab", "was born in Oslo in 1980", "aide-soignante à Lyon, j'ai 30 ans"])
def test_a_word_that_asks_or_parts_clauses_in_another_language_hides_nothing(message: str) -> None:
    assert may_hold_fact(message)


@table("message", ["मेरे पापा कब आएंगे", "我老婆的生日是哪天", "我爸几点到呢"])
def test_a_question_without_its_mark_tells_nothing_where_the_word_that_asks_stands_late(message: str) -> None:
    assert not may_hold_fact(message)


@table(
    "message",
    [
        "our parser throws an exception",
        "we merged two spreadsheet columns",
        "mi proyecto no compila",
        "我们公司的代码报错",
    ],
)
def test_the_work_at_hand_tells_nothing_about_its_owner(message: str) -> None:
    assert not may_hold_fact(message)


@table("letters", [str.lower, str.upper, str.title])
def test_case_does_not_matter(letters: Any) -> None:
    assert may_hold_fact(letters("my name is tom"))
    assert may_hold_fact(letters("ich wohne in kassel"))


def test_only_the_beginning_is_read() -> None:
    filler = "Who wrote this? " * (MAX_READ // 16)

    assert may_hold_fact(filler[:-400] + "\nI live in Rome.\n" + filler)
    assert not may_hold_fact(filler + filler + "\nI live in Rome.")


def test_nothing_of_a_message_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        assert may_hold_fact("my name is Tom")

    assert caplog.records == []


@given(st.text(max_size=300))
def test_any_text_gets_an_answer_and_the_same_one_twice(text: str) -> None:
    assert may_hold_fact(text) is may_hold_fact(text)


@given(st.sampled_from([row["text"] for row in ROWS if row["tells"]]))
def test_what_is_quoted_line_by_line_tells_nothing_even_if_it_would_as_ones_own(text: str) -> None:
    assert not may_hold_fact("\n".join(f"> {line}" for line in text.splitlines()))
