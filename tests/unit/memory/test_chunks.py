"""Cutting: at sentence ends, never too long, nothing lost, and the same whenever it is done again."""

from hypothesis import given
from hypothesis import strategies as st

from db.vocabulary import EventKind
from memory.chunks import LONGEST, chunks_of_event, cut, words_of

SENTENCES = st.lists(
    st.sampled_from(
        [
            "I like tea. ",
            "Wo wohnst du? ",
            "他住在北京。",
            "مرحبا بك؟ ",
            "- a point\n",
            "x" * 3000,
            "wide words " * 200,
            "😀",
        ]
    ),
    max_size=40,
)


@given(SENTENCES)
def test_no_part_is_too_long_and_no_letter_is_lost(sentences: list[str]) -> None:
    text = "".join(sentences)
    parts = cut(text)

    assert all(0 < len(part) <= LONGEST for part in parts)
    kept = "".join("".join(parts).split())
    assert [sign for sign in kept if sign.isalnum()] == [sign for sign in text if sign.isalnum()]


def test_a_long_text_is_cut_where_a_sentence_ends() -> None:
    parts = cut("This is a sentence of some length. " * 100)

    assert len(parts) == 3
    assert all(part.endswith("length.") for part in parts)


def test_what_says_nothing_is_no_chunk() -> None:
    assert cut(" \n… !! ██ 😀") == []


def test_each_kind_of_event_has_its_words() -> None:
    decided = {
        "decision": "We use Rust.",
        "rationale": ["it is fast"],
        "constraints": ["by May"],
        "alternatives": ["C"],
    }

    assert words_of(EventKind.MESSAGE, {"text": "hello", "caption": "a dog"}) == "hello\na dog"
    assert words_of(EventKind.TOOL_RESULT, {"excerpt_text": "42", "tool": "x"}) == "42"
    assert words_of(EventKind.DECISION, decided) == "We use Rust.\nit is fast\nby May"
    assert words_of(EventKind.TASK_UPDATE, {"title": "Buy milk", "status": "open"}) == "Buy milk"
    assert words_of(EventKind.TOOL_CALL, {"arguments": {"query": "secret plans"}}) == ""
    assert words_of(EventKind.MESSAGE, {"text": 5}) == ""


def test_chunks_that_are_made_again_are_the_same_chunks() -> None:
    once, again = (chunks_of_event("evt_01J", EventKind.MESSAGE, {"text": "Hello there. " * 300}) for _ in range(2))

    assert once == again
    assert [chunk.part for chunk in once] == [0, 1, 2, 3]
    assert len({chunk.id for chunk in once}) == 4


def test_decisions_weigh_more_than_tasks_and_these_more_than_words() -> None:
    weights = [
        chunks_of_event("evt_01J", kind, content)[0].importance
        for kind, content in (
            (EventKind.DECISION, {"decision": "We use Rust."}),
            (EventKind.TASK_UPDATE, {"title": "Learn Rust"}),
            (EventKind.MESSAGE, {"text": "Rust is nice"}),
            (EventKind.TOOL_RESULT, {"excerpt_text": "rust 1.90"}),
        )
    ]

    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == 4
