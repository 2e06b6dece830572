"""The words around the place in a message that a fact came from."""

from memory.events.sources import CONTEXT_CHARS, Passage, is_blank, passage
from tests.tables import table

LONG = "word " * 200


def test_the_span_stands_between_what_is_around_it() -> None:
    assert passage("so I live in Porto now", (3, 18)) == Passage("so ", "I live in Porto", " now")


def test_of_a_long_message_only_the_words_around_are_shown() -> None:
    text = f"{LONG}I live in Porto{LONG}"
    found = passage(text, (len(LONG), len(LONG) + 15))

    assert found.words == "I live in Porto"
    assert found.before.startswith("…word")
    assert found.after.endswith("word…")
    assert len(found.before) <= CONTEXT_CHARS + 1
    assert len(found.after) <= CONTEXT_CHARS + 1


def test_without_spaces_it_is_cut_all_the_same() -> None:
    assert len(passage("x" * 5000, (2000, 2010)).before) == CONTEXT_CHARS + 1


@table("span", [None, (0, 0), (5, 3), (-1, 4), (0, 99), (50, 60)])
def test_where_there_is_no_span_the_beginning_is_shown(span: tuple[int, int] | None) -> None:
    assert passage("I live in Porto", span) == Passage("I live in Porto", "", "")


@table(("words", "blank"), [("█████", True), ("██ ██", True), ("", False), ("  ", False), ("█ Porto", False)])
def test_what_is_blanked_is_told_from_what_is_not(words: str, blank: bool) -> None:
    assert is_blank(words) is blank
