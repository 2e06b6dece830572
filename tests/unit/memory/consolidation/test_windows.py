"""Which messages a version of a digest reads: source 003's tables row by row, source 000's steps, their properties."""

from hypothesis import given
from hypothesis import strategies as st

from memory.consolidation.summaries.windows import (
    ConversationState,
    Range,
    Sliding,
    Steps,
    WindowRule,
    covered,
    past_gaps,
    starts_of,
)
from tests.tables import table


def talk(said: int, read: int = 0, **more: object) -> ConversationState:
    """A person and the assistant in turn."""
    return ConversationState(said, read, range(0, said, 2), is_answered=said % 2 == 0, **more)  # type: ignore[arg-type]


@table(
    ("last_seq", "start", "end"),
    [(5, 0, 5), (13, 0, 13), (15, 2, 15), (19, 6, 19)],
)
def test_the_sliding_window_is_that_of_the_source(last_seq: int, start: int, end: int) -> None:
    found = Sliding(after=5, window=14).next(talk(last_seq + 1))

    assert found == Range(start, start, end)


def test_versions_follow_each_other_as_in_the_table_of_the_source() -> None:
    """Which rounds had ended when the version before was ready, and what the next one covers and reads."""
    rule, read, chain = Sliding(after=5, window=14), 0, []
    for last_seq in (5, 9, 13, 15, 19):
        made = rule.next(talk(last_seq + 1, read))
        assert made is not None
        chain.append((made.start_seq, made.end_seq, made.new_seq))
        read = made.end_seq + 1

    assert chain == [(0, 5, 0), (0, 9, 6), (0, 13, 10), (2, 15, 14), (6, 19, 16)]


@table("said", [0, 2, 4])
def test_sliding_begins_with_the_third_round(said: int) -> None:
    assert Sliding(after=5).next(talk(said)) is None
    assert Sliding(after=5).next(talk(6)) == Range(0, 0, 5)


def test_sliding_makes_nothing_when_nothing_is_new() -> None:
    assert Sliding().next(talk(10, read=10)) is None
    assert Sliding().next(talk(11, read=10)) is None  # its answer is still to come


@table(
    ("said", "read", "found"),
    [
        (30, 0, None),
        (31, 0, Range(0, 0, 19)),
        (32, 0, Range(0, 0, 19)),
        (50, 20, None),
        (51, 20, Range(0, 20, 39)),
        (52, 20, Range(0, 20, 39)),
        (132, 100, Range(20, 100, 119)),
    ],
)
def test_steps_take_the_oldest_twenty_of_more_than_thirty(said: int, read: int, found: Range | None) -> None:
    assert Steps().next(talk(said, read)) == found


def test_a_closed_conversation_is_read_to_its_end() -> None:
    assert Steps().next(talk(7, is_closed=True)) == Range(0, 0, 6)
    assert Steps().next(talk(26, read=20, is_closed=True)) == Range(0, 20, 25)
    assert Steps().next(talk(26, read=26, is_closed=True)) is None
    assert Sliding(after=5).next(talk(4, is_closed=True)) == Range(0, 0, 3)


def test_what_was_given_up_is_tried_again_when_the_conversation_has_grown_by_a_step() -> None:
    assert Steps().next(talk(50, given_up_until=20)) is None
    assert Steps().next(talk(52, given_up_until=20)) == Range(0, 0, 39)
    assert Steps().next(ConversationState(60, 0, [0, 20, 45], given_up_until=20)) == Range(
        0, 0, 44
    )  # never the very same again


def test_a_version_in_the_middle_is_made_again_up_to_where_the_next_one_begins() -> None:
    assert Steps().next(talk(80, read=20, next_version_start=40)) == Range(0, 20, 39)
    assert Steps().next(talk(80, read=20, next_version_start=30)) == Range(0, 20, 29)


def test_a_window_starts_where_a_person_speaks() -> None:
    # Three answers in a row, then a person says two things before an answer.
    turns = [(0, True), (1, False), (2, False), (3, False), (4, True), (5, True), (6, False), (7, True), (8, False)]

    assert starts_of(turns) == [0, 4, 7]
    assert Sliding(after=0, window=6).next(ConversationState(9, 0, starts_of(turns))) == Range(4, 4, 8)
    assert Steps(3, 3, 100).next(ConversationState(9, 0, starts_of(turns))) == Range(0, 0, 3)


def test_an_exchange_that_is_longer_than_a_step_is_read_whole() -> None:
    turns = [(0, True), *((seq, False) for seq in range(1, 40)), (40, True), (41, False)]

    assert Steps().next(ConversationState(42, 0, starts_of(turns))) == Range(0, 0, 39)


def test_where_nobody_answers_every_message_may_begin_a_window() -> None:
    turns = [(seq, True) for seq in range(40)]

    assert Steps().next(ConversationState(40, 0, starts_of(turns), is_answered=False)) == Range(0, 0, 19)


def test_what_later_versions_have_read_counts_when_the_gap_before_them_is_closed() -> None:
    assert covered([(0, 19), (40, 59)], 20) == 20
    assert covered([(0, 19), (20, 39), (40, 59)], 20) == 60
    assert covered([], 6) == 6


def test_a_gap_that_was_given_up_is_passed_over_and_no_other() -> None:
    known = [(0, 19), (40, 59), (60, 79)]

    assert past_gaps(20, known, [(20, 39)]) == 80
    assert past_gaps(20, known, []) == 20
    assert past_gaps(20, known, [(20, 29), (80, 99)]) == 20
    assert past_gaps(20, [*known, (90, 99)], [(20, 39), (80, 89)]) == 100


@given(
    actors=st.lists(st.booleans(), min_size=1, max_size=120).map(lambda rest: [True, *rest]),
    rule=st.one_of(
        st.builds(Sliding, after=st.integers(0, 10), window=st.integers(2, 30)),
        st.builds(Steps, more_than=st.integers(4, 40), batch=st.integers(2, 40), window=st.integers(40, 120)),
    ),
    closed=st.booleans(),
)
def test_versions_leave_no_gap_split_no_exchange_and_come_to_an_end(
    actors: list[bool], rule: WindowRule, closed: bool
) -> None:
    turns, read, made = list(enumerate(actors)), 0, list[Range]()
    starts = starts_of(turns)
    while found := rule.next(
        ConversationState(len(actors), read, starts, is_answered=not actors[-1], is_closed=closed)
    ):
        assert found.start_seq <= found.new_seq <= found.end_seq < len(actors)
        assert found.new_seq == (read if isinstance(rule, Steps) else max(read, found.start_seq))
        assert found.end_seq + 1 in {*starts, len(actors)}
        read = found.end_seq + 1
        made.append(found)
        assert len(made) <= len(actors)

    if closed:
        assert read == len(actors)
    if isinstance(rule, Steps) and not closed and starts and len(actors) - starts[-1] < rule.batch:
        assert len(actors) - read <= rule.more_than + rule.batch
