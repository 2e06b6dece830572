"""Scoring: each sign moves the order as it should, and nothing else does."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory.language.time.time_spans import TimeSpan
from memory.retrieval.scoring import Candidate, Question, SimilarityStats, Weights, named_speakers, score, strip_names
from tests.tables import table

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
QUESTION = Question(NOW, all_words=10.0)
LONG_AGO = TimeSpan(NOW - timedelta(days=60), NOW - timedelta(days=40))
SPREAD = SimilarityStats(mean=0.75, deviation=0.02)
PLAIN = Candidate(
    id="a",
    conversation="c1",
    position=0,
    part=0,
    speaker="ada",
    at=NOW - timedelta(days=30),
    importance=0.0,
    words=4.0,
    similarity=None,
)


def order(*candidates: Candidate, question: Question = QUESTION, spread: SimilarityStats | None = None) -> list[str]:
    return [scored.candidate.id for scored in score(question, candidates, Weights(), spread)]


def apart(id: str) -> Candidate:
    """A candidate like the plain one, in a conversation of its own."""
    return replace(PLAIN, id=id, conversation=f"of {id}")


@table(
    ("better", "question"),
    [
        (replace(apart("b"), words=5.0), QUESTION),
        (replace(apart("b"), similarity=0.80), QUESTION),
        (replace(apart("b"), speaker="ben"), replace(QUESTION, speakers=frozenset({"ben"}))),
        (replace(apart("b"), at=NOW - timedelta(days=50)), replace(QUESTION, span=LONG_AGO)),
        (replace(apart("b"), at=NOW - timedelta(days=1)), QUESTION),
        (replace(apart("b"), importance=0.5), QUESTION),
    ],
)
def test_each_sign_alone_lifts_a_candidate(better: Candidate, question: Question) -> None:
    other = apart("a")

    assert order(other, better, question=question, spread=SPREAD) == ["b", "a"]
    assert order(other, apart("b"), question=question, spread=SPREAD) == ["a", "b"]


def test_the_neighbours_of_a_hit_are_lifted_the_nearer_the_more() -> None:
    hit = replace(PLAIN, id="hit", position=5, words=9.0)
    turns = [replace(PLAIN, id=f"at {position}", position=position, words=0.0) for position in (2, 3, 4, 6, 7, 8)]
    found = score(QUESTION, [hit, *turns])

    lifts = {scored.candidate.id: scored.parts["neighbours"] for scored in found}
    assert lifts["at 4"] == lifts["at 6"] > lifts["at 3"] == lifts["at 7"] > lifts["at 2"] == lifts["at 8"] == 0


def test_a_neighbour_is_near_in_its_conversation_not_in_the_list() -> None:
    hit = replace(PLAIN, id="hit", position=5, words=9.0)
    far = replace(PLAIN, id="far", position=50, words=0.0)
    elsewhere = replace(apart("elsewhere"), position=6, words=0.0)

    assert all(scored.parts["neighbours"] == 0 for scored in score(QUESTION, [hit, far, elsewhere]))


def test_a_conversation_that_speaks_of_it_lifts_all_of_its_turns() -> None:
    turns = [replace(PLAIN, id=f"t{at}", position=10 * at, words=words) for at, words in enumerate((8.0, 7.0, 3.0))]
    alone = replace(apart("alone"), words=3.0)

    assert order(alone, *turns) == ["t0", "t1", "t2", "alone"]


def test_what_was_said_soon_after_the_time_asked_for_counts_and_before_does_not() -> None:
    asked = replace(QUESTION, span=TimeSpan(NOW - timedelta(days=10), NOW - timedelta(days=9)))
    days = {"before": 11, "within": 9.5, "soon after": 8, "later": 1}
    found = score(asked, [replace(apart(id), at=NOW - timedelta(days=ago)) for id, ago in days.items()])

    times = {scored.candidate.id: scored.parts["time"] for scored in found}
    assert times["within"] > times["soon after"] > times["later"] > times["before"] == 0


def test_old_and_right_stands_before_new_and_wrong() -> None:
    right = replace(apart("right"), words=9.0, at=NOW - timedelta(days=900))
    wrong = replace(apart("wrong"), words=2.0, at=NOW, importance=1.0)

    assert order(wrong, right) == ["right", "wrong"]


def test_equal_candidates_stand_by_time_then_by_id_whatever_order_they_came_in() -> None:
    newer = replace(apart("z"), at=PLAIN.at + timedelta(microseconds=1))
    equal = [apart("c"), apart("a"), newer, apart("b")]

    assert order(*equal) == order(*reversed(equal)) == ["z", "a", "b", "c"]


def test_the_same_candidates_give_the_same_scores() -> None:
    chance = random.Random(7)
    many = [
        replace(PLAIN, id=f"{at:03}", position=at, words=chance.random() * 9, similarity=chance.uniform(0.7, 0.9))
        for at in range(300)
    ]
    mixed = chance.sample(many, len(many))

    assert score(QUESTION, many, spread=SPREAD) == score(QUESTION, mixed, spread=SPREAD)


def test_without_vectors_words_alone_decide() -> None:
    assert order(replace(apart("a"), words=1.0), replace(apart("b"), words=2.0), spread=None) == ["b", "a"]
    assert order(replace(apart("a"), words=0.0), replace(apart("b"), words=0.0), spread=None) == ["a", "b"]
    assert order() == []


def test_a_flat_embedder_and_a_question_without_words_break_nothing() -> None:
    flat = [replace(apart(id), similarity=0.8) for id in "ab"]

    assert order(*flat, question=replace(QUESTION, all_words=0.0), spread=SimilarityStats(0.8, 0.0)) == ["a", "b"]


def test_what_moved_a_candidate_is_told() -> None:
    [first] = score(replace(QUESTION, speakers=frozenset({"ada"})), [PLAIN])

    assert set(first.parts) == set("words vector neighbours session speaker time recency importance".split())
    assert first.why == "words, speaker, session"


def test_no_more_come_back_than_were_wanted() -> None:
    assert len(score(QUESTION, [apart(str(at)) for at in range(9)], limit=4)) == 4


def test_what_is_most_relevant_is_scored_and_only_then_the_newer_one_wins() -> None:
    old = [replace(apart(str(at)), words=6.0, at=NOW - timedelta(days=2000)) for at in range(3)]
    new = replace(apart("new"), words=1.0, at=NOW)

    assert [each.candidate.id for each in score(QUESTION, [*old, new], limit=3)] == ["0", "1", "2"]
    assert "new" in [each.candidate.id for each in score(QUESTION, [*old, new], limit=4)]


@table(
    ("asked", "named"),
    [
        ("What did Ada's mother say?", {"Ada Lovelace"}),
        ("has josé moved", {"Jose"}),
        ("冯浩然住在哪里", {"冯浩然"}),
        ("What is the name of my cat?", set()),
        ("adaptive cooking", set()),
    ],
)
def test_a_speaker_is_named_by_any_part_of_the_name_that_says_something(asked: str, named: set[str]) -> None:
    assert named_speakers(asked, ["Ada Lovelace", "Jose", "冯浩然", "", "The One of My Life"]) == named


def test_a_question_is_embedded_without_the_names_of_those_who_speak() -> None:
    assert strip_names("When did Ada's mother call José?", ["Ada Lovelace", "José"]) == "When did mother call ?"
    assert strip_names("Ada?", ["Ada"]) == "Ada?"
    assert strip_names("an adage", ["Ada"]) == "an adage"
    assert strip_names("What is my cat called?", ["What Is My Name"]) == "What is my cat called?"
