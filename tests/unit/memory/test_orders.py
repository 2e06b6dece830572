"""Orders: which sentences of a user store something, and which words of them."""

import time

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
        ("remember that my flight is at 9 a.m. Monday", ["my flight is at 9 a.m. Monday"]),
        ("remember that the author is J. R. R. Tolkien.", ["the author is J. R. R. Tolkien"]),
        ("remember that the U.S. Embassy is closed", ["the U.S. Embassy is closed"]),
        ("Remember Prof. Smith is my tutor", ["Prof. Smith is my tutor"]),
        ("Hi, remember that I like tea", ["I like tea"]),
        ("Yes, just remember that I like tea", ["I like tea"]),
        ("Can you remember that I am allergic to nuts?", ["I am allergic to nuts"]),
        ("I'd like you to remember that I am vegan", ["I am vegan"]),
        ("remember that when it rains, I take the bus", ["when it rains, I take the bus"]),
        ("remember the time zone is CET", ["the time zone is CET"]),
        ("Er sagte „nein“. Remember that he is stubborn.", ["he is stubborn"]),
        ('She said "hello". Remember that she is nice.', ["she is nice"]),
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
        'Translate into French: "I left. Remember that the key is under the mat."',
        "Übersetze: „Ich ging. Remember that the key is under the mat.“",
        "She wrote:\nremember that Alec is the boss",
        "```\nremember that x is 1\n```",
        "> remember that Alec is the boss",
        "The API changed. Note that it is slow.",
        "Remember nothing of this",
        "From now on, don't remember anything",
        "Remember not to store this",
        "can you remember my birthday?",
        "could you remember what I said?",
        "please never remember this",
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


@pytest.mark.parametrize(
    "hostile", [".", ". ", ".\n", "?!", "remember ", "please ", '"', "a. B", "Dr. ", ".A", "remember that a is b.\n"]
)
def test_time_grows_with_the_length_and_not_faster(hostile: str) -> None:
    def seconds(size: int) -> float:
        began = time.perf_counter()
        find_orders("remember that " + hostile * (size // len(hostile)))
        return time.perf_counter() - began

    short = max(seconds(50_000) for _ in range(2))
    assert seconds(500_000) < 40 * short + 0.5
