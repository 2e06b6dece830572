"""Cleaning: whatever comes in can be stored, and cannot drive a terminal."""

from hypothesis import given
from hypothesis import strategies as st

from memory.cleaning import clean


def test_control_characters_become_visible_and_line_ends_one() -> None:
    assert clean("a\x00b\r\nc\rd\x1b[31m\te\x7f") == "a␀b\nc\nd␛[31m\te␡"


@given(st.text(st.characters(codec=None)))
def test_cleaned_text_is_valid_and_free_of_controls(text: str) -> None:
    cleaned = clean(text)

    cleaned.encode()
    assert not any((ord(c) < 32 and c not in "\t\n") or 0x7F <= ord(c) < 0xA0 for c in cleaned)
    assert clean(cleaned) == cleaned
