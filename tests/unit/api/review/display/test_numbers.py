"""Numbers as people read them."""

from datetime import date

from api.review.display.numbers import axis_day, count, long_day, money, money_line, month, share, short_day, weekdays
from memory.translation import available_languages, use_language
from tests.tables import table


@table(
    ("microdollars", "told"),
    [
        (0, "$0.00"),
        (1, "$0.0001"),
        (1_234, "$0.0012"),
        (9_999, "$0.0100"),
        (10_000, "$0.01"),
        (1_234_567_890, "$1,234.57"),
    ],
)
def test_money_that_is_less_than_a_cent_does_not_look_like_nothing(microdollars: int, told: str) -> None:
    assert money(microdollars) == told


@table(("part", "told"), [(0, "0%"), (0.0001, "1%"), (0.5, "50%"), (0.9999, "99%"), (1, "100%")])
def test_only_all_of_it_is_a_hundred_percent(part: float, told: str) -> None:
    assert share(part) == told


def test_large_counts_have_marks_between_their_thousands() -> None:
    assert count(1_234_567) == "1,234,567"


@table(
    ("step", "told"),
    [
        (5_000_000, "$10"),
        (1_000_000, "$2"),
        (500_000, "$1.00"),
        (20_000, "$0.04"),
        (5_000, "$0.010"),
        (200, "$0.0004"),
        (1, "$0.000002"),
    ],
)
def test_the_numbers_beside_a_chart_are_as_exact_as_their_steps(step: int, told: str) -> None:
    assert money_line(2 * step, step) == told


def test_a_day_in_english_begins_with_its_number_and_has_its_year_where_it_matters() -> None:
    day = date(2026, 11, 5)

    assert (long_day(day), short_day(day), month(day)) == ("Thursday, 5 November 2026", "5 Nov 2026", "November 2026")
    assert axis_day(day, date(2026, 1, 1), day) == "5 Nov"
    assert axis_day(day, date(2025, 12, 31), day) == "5 Nov 2026"
    assert weekdays()[0].startswith("Mo")


@table("language", available_languages())
def test_every_language_has_its_own_way_to_write_them(language: str) -> None:
    day = date(2026, 11, 5)
    with use_language(language):
        assert len(set(weekdays())) == 7
        assert "2026" in long_day(day)
        assert "2026" in month(day)
        assert "2026" in short_day(day)
        assert "5" in axis_day(day, day, day)
        assert "75" in share(0.75)
        assert "56" in money(1_234_560_000)
        assert "04" in money_line(40_000, 20_000)


def test_german_and_chinese_are_written_as_there() -> None:
    day = date(2026, 11, 5)
    with use_language("de"):
        assert (money(1_234_560_000), count(1234)) == ("1.234,56\xa0$", "1.234")
        assert long_day(day) == "Donnerstag, 5. November 2026"
    with use_language("zh"):
        assert (axis_day(day, day, day), month(day)) == ("11月5日", "2026年11月")
