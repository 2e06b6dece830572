"""Repeats: where a text says again what is to be forgotten, in any script."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memory.language.spans import blank_out
from memory.privacy.forgetting.repeats import find_repeats, needles
from tests.rows import fact
from tests.tables import table
from tests.texts_of_any_script import TEXTS, UNHURRIED, WORDS

BOSS = "Alec is my boss"


def test_a_persons_other_sentences_are_theirs_and_an_assistants_are_not() -> None:
    text = "Alec, well, is the boss here. And ALEC IS MY BOSS too."

    assert [text[slice(*span)] for span in find_repeats(text, fact(BOSS), said_by_human=True)] == ["ALEC IS MY BOSS"]
    assert {text[slice(*span)] for span in find_repeats(text, fact(BOSS), said_by_human=False)} == {
        "ALEC IS MY BOSS",
        "Alec, well, is the boss here.",
        "And ALEC IS MY BOSS too.",
    }


def test_the_span_counts_in_its_source_alone_and_without_one_all_of_it_does() -> None:
    row = fact(BOSS, span=(0, 5))

    assert find_repeats("hello there", row, said_by_human=True) == []
    assert find_repeats("hello there", row, said_by_human=True, is_source=True) == [(0, 5)]
    assert find_repeats("hell", row, said_by_human=True, is_source=True) == [(0, 4)]


def test_a_fact_that_cannot_be_read_is_repeated_nowhere_that_could_be_told() -> None:
    assert find_repeats(BOSS, replace(fact(BOSS, span=(0, 4)), content=None), said_by_human=False, is_source=True) == []


@table(
    ("words", "text"),
    [
        (BOSS, "Your boss is Alec"),
        ("I was running with Clara", "You ran; Clara was running"),
        ("Sie heißt Jürgen Straßer", "JÜRGEN STRASSER heißt sie"),
        ("Frédéric paints", "Frederic paints"),
        ("Мой начальник Сергей", "МОЙ НАЧАЛЬНИК СЕРГЕЙ"),
        ("我的老板是王伟", "好的，我的老板是王伟，对吗"),
        ("مديري اسمه سامي", "سامي اسمه، مديري"),
        ("I like 北京 a lot", "You like 北京 a lot"),
        ("(“Tofu”) is my cat!", "Tofu is your cat"),
        ("🎉🎉🎉🎉🎉", "yes 🎉🎉🎉🎉🎉"),
    ],
)
def test_what_repeats_a_fact_holds_one_of_its_needles(words: str, text: str) -> None:
    assert find_repeats(text, fact(words), said_by_human=False)

    assert any(needle in text.lower() for needle in needles(words))


def test_needles_are_few_and_long_enough_to_tell() -> None:
    assert needles("I really appreciate tea") == ["appreci"]
    assert needles("我的老板是王伟") == ["老板"]
    assert needles("北京 and mountaineers") == ["mountaine", "北京"]
    assert needles("...") == []


@given(TEXTS, WORDS, st.booleans(), st.tuples(st.integers(0, 70), st.integers(1, 9)))
@UNHURRIED
def test_places_are_code_points_within_the_text(text: str, words: str, human: bool, source: tuple[int, int]) -> None:
    row = fact(words, span=(source[0], sum(source)))
    for begin, end in find_repeats(text, row, said_by_human=human, is_source=True):
        assert 0 <= begin < end <= len(text)


@given(TEXTS, WORDS)
@UNHURRIED
def test_blanking_overlapping_spans_takes_them_all_out(text: str, words: str) -> None:
    spans = find_repeats(text, fact(words), said_by_human=False)
    after = blank_out(text, spans)

    assert len(after) == len(text)
    assert find_repeats(after, fact(words), said_by_human=False) == []
