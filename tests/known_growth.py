"""Readings whose growth is known: some in proportion, some in the square of the length, some beyond."""

import re

from tests.steps.reading import Reading

NESTED, TRAILING, MISSING = re.compile(r"(a+)+b"), re.compile(r"\s+$"), re.compile(r"a*b")
WORDS = re.compile(r"[a-z]+")


def nested_repeats(text: str) -> None:
    NESTED.search(text)


def trailing_space(text: str) -> None:
    TRAILING.sub("", text)


def repeat_that_finds_no_end(text: str) -> None:
    assert MISSING.search(text) is None


def loop_in_a_loop(text: str) -> int:
    return sum([one is other for one in text[::10] for other in text[::10]])


def loop_without_a_call(text: str) -> int:
    count, at, back = 0, 0, 0
    while at < len(text):
        while back < at:
            back += 5
            count += 1
        back, at = 0, at + 5
    return count


def eaten_bit_by_bit(text: str) -> None:
    while text:
        text = text[7:]


def lowered_at_every_word(text: str) -> None:
    assert [word for word in text.split() if word not in text.lower()] == []


def reads_on(text: str) -> list[str]:
    return WORDS.findall(text)


def words(text: str) -> list[str]:
    return WORDS.findall(text)


def line_by_line(text: str) -> list[str]:
    return [line.lower()[:3] for line in text.split("\n")]


def only_the_beginning(text: str) -> int:
    return len(WORDS.sub("", text[:500]))


OUT_OF_PROPORTION = [
    Reading(nested_repeats, "a"),
    Reading(trailing_space, " ", end="x"),
    Reading(repeat_that_finds_no_end, "a"),
    Reading(loop_in_a_loop, "a"),
    Reading(loop_without_a_call, "a"),
    Reading(eaten_bit_by_bit, "a"),
    Reading(lowered_at_every_word, "ab "),
    Reading(reads_on, "ab ", cap=500),
]
IN_PROPORTION = [
    Reading(words, "ab "),
    Reading(line_by_line, "Abcd\n"),
    Reading(only_the_beginning, "ab ", cap=500),
]
READINGS = [*OUT_OF_PROPORTION, *IN_PROPORTION]
