"""Fading: what is recalled gains, what nobody needs gets weaker, and only the moment decides how much."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from memory.facts.strength import HALF_LIFE, strength

TOLD = datetime(2026, 1, 1, tzinfo=UTC)
SPANS = st.timedeltas(timedelta(0), timedelta(days=900))


class Standing(NamedTuple):
    importance: float
    recall_count: int
    recalled_at: datetime | None
    updated_at: datetime


@st.composite
def standings(draw: st.DrawFn) -> Standing:
    updated_at = TOLD + draw(SPANS)
    count = draw(st.integers(0, 500))
    recalled_at = updated_at + draw(st.timedeltas(-timedelta(days=900), timedelta(days=900))) if count else None
    return Standing(draw(st.floats(0, 1)), count, recalled_at, updated_at)


MOMENTS = SPANS.map(lambda span: TOLD + span)


@given(standings(), MOMENTS)
def test_a_strength_lies_between_0_and_1_and_is_the_same_every_time(standing: Standing, now: datetime) -> None:
    assert 0 <= strength(*standing, now) <= 1
    assert strength(*standing, now) == strength(*standing, now)


@given(standings(), MOMENTS, SPANS)
def test_nothing_gets_stronger_by_waiting(standing: Standing, now: datetime, wait: timedelta) -> None:
    assert strength(*standing, now + wait) <= strength(*standing, now)


@given(standings(), MOMENTS)
def test_one_more_recall_makes_it_stronger(standing: Standing, now: datetime) -> None:
    once_more = standing._replace(recall_count=standing.recall_count + 1)
    recalled_now = once_more._replace(recalled_at=now)

    assert strength(*once_more, now) > strength(*standing, now)
    assert strength(*recalled_now, now) > strength(*standing, now)


@given(standings(), MOMENTS)
def test_a_recall_begins_the_fading_anew(standing: Standing, now: datetime) -> None:
    recalled = standing._replace(recalled_at=now)
    just_told = standing._replace(recalled_at=None, updated_at=now)

    assert strength(*recalled, now) == strength(*just_told, now)


@given(standings(), st.floats(0, 1), MOMENTS)
def test_what_is_more_important_is_not_weaker(standing: Standing, other: float, now: datetime) -> None:
    less, more = sorted((standing.importance, other))

    assert strength(*standing._replace(importance=less), now) <= strength(*standing._replace(importance=more), now)


def test_what_was_never_recalled_is_halved_in_two_months() -> None:
    assert strength(0.5, 0, None, TOLD, TOLD) == 0.25
    assert strength(0.5, 0, None, TOLD, TOLD + HALF_LIFE) == 0.125


def test_a_clock_that_went_back_makes_nothing_stronger_than_new() -> None:
    assert strength(0.5, 0, None, TOLD, TOLD - timedelta(days=1)) == strength(0.5, 0, None, TOLD, TOLD)
