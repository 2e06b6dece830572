"""Orders: which sentences of a user store something, and which words of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.orders import find_orders


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("remember that Alec is my boss", ["Alec is my boss"]),
        ("Remember Alec is my boss.", ["Alec is my boss"]),
        ("Please remember: the door code changes on Mondays!", ["the door code changes on Mondays"]),
        ("note that I prefer tea", ["I prefer tea"]),
        ("Don't forget that my flight is at 9", ["my flight is at 9"]),
        ("from now on, answer in French", ["answer in French"]),
        ("keep in mind that Dr. Smith is my dentist.", ["Dr. Smith is my dentist"]),
        ("Hi! Remember that I have a cat. What is new?", ["I have a cat"]),
        ("Remember that I have a cat. Remember that I have a dog.", ["I have a cat", "I have a dog"]),
        ("I like it.\nremember that I like it", ["I like it"]),
        ("remember that version 3.5 is out", ["version 3.5 is out"]),
    ],
)
def test_an_order_gives_the_words_to_keep(message: str, words: list[str]) -> None:
    assert [order.words for order in find_orders(message)] == words


@pytest.mark.parametrize(
    "message",
    [
        "Alec is my boss",
        "don't remember that Alec is my boss",
        "please do not remember this",
        "do you remember that Alec is my boss?",
        "remember when we went to Rome",
        "Remember me?",
        "I remember that Alec is my boss",
        '"remember that Alec is my boss" is what she said',
        "She said: remember that Alec is my boss",
        "what should I remember?",
        "remember",
        "remember that",
        "",
    ],
)
def test_what_is_no_order_stores_nothing(message: str) -> None:
    assert find_orders(message) == []


@given(st.text(max_size=200))
def test_the_span_is_where_the_words_stand(text: str) -> None:
    message = f"Well. Remember that {text}"
    for order in find_orders(message):
        start, end = order.span
        assert message[start:end] == order.words
