"""Topics: what somebody's messages are about, and which of them are kept as time goes by."""

from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from memory.facts.topics import without_secrets
from memory.language.detection import function_words
from memory.language.terms import fold
from memory.language.topics import (
    MAX_WORD_LENGTH,
    MIN_WORD_LENGTH,
    TopicCount,
    merge_topics,
    non_topic_words,
    topics_in,
)
from tests.tables import table

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@table(
    ("messages", "topics"),
    [
        (["my marathon plan", "the marathon is hard"], ["marathon"]),
        (["Mein Garten ist groß", "im Garten wachsen Tomaten"], ["garten"]),
        (["mi huerto es pequeño", "riego el huerto"], ["huerto"]),
        (["j'adore le fromage", "du fromage de chèvre"], ["fromage"]),
        (["a minha bicicleta", "comprei uma bicicleta"], ["bicicleta"]),
        (["мой кот спит", "кот ест"], ["кот"]),
        (["قطتي مريضة", "أين قطتي"], ["قطتي"]),
        (["मेरी बिल्ली बीमार है", "बिल्ली को दवा"], ["बिल्ली"]),
        (["买跑鞋", "跑鞋很贵"], ["跑鞋"]),
    ],
)
def test_what_is_said_twice_is_a_topic_in_any_language(messages: list[str], topics: list[str]) -> None:
    assert topics_in(messages) == topics


def test_what_is_said_most_stands_first_and_no_more_are_told_than_asked_for() -> None:
    messages = ["guitar amp guitar", "guitar amp piano, piano", "guitar solo"]

    assert topics_in(messages) == ["guitar", "amp", "piano"]
    assert topics_in(messages, most=1) == ["guitar"]
    assert topics_in(messages, most=0) == []


def test_two_words_that_always_stand_together_are_one_topic() -> None:
    assert topics_in(["a sourdough starter", "the sourdough starter died"]) == ["sourdough starter"]


def test_forms_of_a_word_count_as_one_and_the_usual_one_is_shown() -> None:
    assert topics_in(["one marathon", "two marathons", "a marathon"]) == ["marathon"]


def test_what_is_said_once_is_none_unless_it_is_a_name_of_several_words() -> None:
    assert topics_in(["my marathon is hard"]) == []
    assert topics_in(["I had lunch with Sarah Miller"]) == ["sarah miller"]
    assert topics_in(["we flew over New South Wales"]) == ["south wales"]
    assert topics_in(["I met Sarah"]) == []
    assert topics_in(["Translate Faust"]) == []


@table(
    "noise",
    [
        "https://example.com/marathon",
        "www.marathon.example",
        "tom@marathon.example",
        "12345",
        "2026-11-17",
        "v1.2.3",
        "sk-proj-AbCdEfGhIjKlMnOpQrStUv",
        "ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123",
        "my_variable",
        "QxZwErTyUiOp",
        "x" * 41,
    ],
)
def test_addresses_numbers_and_secrets_are_none(noise: str) -> None:
    assert topics_in([without_secrets(said) for said in (noise, noise, f"well {noise} ok")]) == []


def test_a_secret_that_looks_like_a_word_is_none() -> None:
    assert "marathon" in topics_in([without_secrets("my marathon"), without_secrets("the marathon")])
    assert "marathon" not in topics_in([without_secrets("password: marathon"), without_secrets("password: marathon")])


def test_small_words_of_no_language_are_topics() -> None:
    for language in ("english", "spanish", "german", "french", "portuguese", "russian", "arabic", "hindi"):
        words = sorted(function_words()[language])
        assert topics_in([" ".join(words), " ".join(words)]) == []
    assert topics_in(["我们的", "我们的"]) == []


@given(st.lists(st.text(max_size=80), max_size=6), st.integers(0, 8))
def test_whatever_is_said_topics_are_few_distinct_lower_case_words_without_numbers(said: list[str], most: int) -> None:
    topics = topics_in([*said, *said], most=most)

    assert topics == topics_in([*said, *said], most=most)
    assert len(topics) <= most
    assert len(set(topics)) == len(topics)
    for topic in topics:
        is_han = all("\u3400" <= sign <= "\u9fff" for sign in topic)
        assert (2 if is_han else MIN_WORD_LENGTH) <= len(topic) <= (4 if is_han else MAX_WORD_LENGTH)
        assert topic == topic.lower()
        assert not any(sign.isdecimal() for sign in topic)
        assert not any(fold(word) in non_topic_words() for word in topic.split())


def test_a_topic_that_comes_again_is_counted_whatever_its_case() -> None:
    known = [TopicCount("guitar", 2, NOON - 3 * DAY)]

    assert merge_topics(known, ["Guitar"], NOON) == [TopicCount("guitar", 3, NOON)]


def test_topics_that_differ_in_case_only_become_one() -> None:
    known = [TopicCount("Guitar", 2, NOON - DAY), TopicCount("guitar", 1, NOON - 2 * DAY)]

    assert merge_topics(known, [], NOON) == [TopicCount("guitar", 3, NOON - DAY)]
    assert merge_topics([], ["GUITAR", "guitar"], NOON) == [TopicCount("guitar", 1, NOON)]


def test_a_topic_said_in_a_message_that_comes_late_does_not_grow_older() -> None:
    assert merge_topics([TopicCount("guitar", 1, NOON)], ["guitar"], NOON - DAY) == [TopicCount("guitar", 2, NOON)]


def test_what_fades_leaves_first() -> None:
    often = TopicCount("garden", 40, NOON - 90 * DAY)
    faded = TopicCount("piano", 2, NOON - 90 * DAY)
    recent = TopicCount("chess", 1, NOON - DAY)

    assert merge_topics([faded, often, recent], [], NOON, most=2) == [often, recent]
    assert [topic.name for topic in merge_topics([faded, often, recent], ["tea"], NOON, most=3)] == [
        "garden",
        "tea",
        "chess",
    ]


def test_a_new_topic_finds_room_among_fifty_old_ones() -> None:
    known = [TopicCount(f"topic {number:02}", 1, NOON - number * DAY) for number in range(1, 51)]
    kept = merge_topics(known, ["guitar"], NOON)

    assert len(kept) == 50
    assert kept[0] == TopicCount("guitar", 1, NOON)
    assert "topic 50" not in {topic.name for topic in kept}


def test_blank_names_are_no_topics() -> None:
    assert merge_topics([TopicCount(" ", 3, NOON)], ["", "  "], NOON) == []


KNOWN = st.lists(
    st.builds(
        TopicCount,
        st.text(max_size=6),
        st.integers(1, 1000),
        st.datetimes(datetime(2000, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)),
    ),
    max_size=12,
)


@given(KNOWN, st.lists(st.text(max_size=6), max_size=6), st.integers(0, 60), st.randoms(use_true_random=False))
def test_the_order_in_which_topics_come_changes_nothing(
    known: list[TopicCount], new: list[str], most: int, dice: Random
) -> None:
    kept = merge_topics(known, new, NOON, most=most)
    dice.shuffle(known)
    dice.shuffle(new)

    assert merge_topics(known, new, NOON, most=most) == kept
    assert len(kept) <= most
    assert len({topic.name.casefold() for topic in kept}) == len(kept)


@given(KNOWN, st.lists(st.text(max_size=6), max_size=6))
def test_no_mention_is_lost_while_there_is_room(known: list[TopicCount], new: list[str]) -> None:
    named = sum(topic.count for topic in known if topic.name.strip())
    added = len({" ".join(name.lower().split()).casefold() for name in new if name.strip()})

    assert sum(topic.count for topic in merge_topics(known, new, NOON)) == named + added
