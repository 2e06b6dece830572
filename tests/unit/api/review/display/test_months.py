"""A month as a sheet: every day once, the months beside it where there is something to see."""

from datetime import date

from api.review.display.months import month_of, neighbours
from db.queries.facts.insights import ChangesOfDay
from tests.tables import table

CHANGES = [
    ChangesOfDay(date(2026, 9, 30), 1, 0, 0),
    ChangesOfDay(date(2026, 11, 5), 2, 1, 0),
    ChangesOfDay(date(2026, 11, 17), 0, 0, 1),
]
TODAY = date(2026, 11, 17)


@table("day", [date(2026, 11, 1), date(2026, 2, 28), date(2024, 2, 29), date(1900, 1, 1)])
def test_a_month_has_each_of_its_days_once_in_weeks_of_seven(day: date) -> None:
    month = month_of(day, CHANGES, TODAY)

    days = [cell.day for week in month.weeks for cell in week if cell.is_of_month]
    assert days == sorted(set(days))
    assert (days[0], days[0].month, days[-1].month) == (day.replace(day=1), day.month, day.month)
    assert {len(week) for week in month.weeks} == {7}
    assert {week[0].day.weekday() for week in month.weeks} == {0}


def test_a_day_knows_what_it_changed() -> None:
    month = month_of(date(2026, 11, 9), CHANGES, TODAY)

    marked = [cell.changes for week in month.weeks for cell in week if cell.is_of_month and cell.changes]
    assert marked == CHANGES[1:]


def test_the_months_beside_it_are_offered_where_there_is_something_to_see() -> None:
    november, october, september = (month_of(date(2026, number, 2), CHANGES, TODAY) for number in (11, 10, 9))

    assert (november.before, november.after) == (date(2026, 10, 31), None)
    assert (october.before, october.after) == (date(2026, 9, 30), date(2026, 11, 1))
    assert (september.before, september.after) == (None, date(2026, 10, 1))


def test_the_nearest_days_with_changes_are_before_and_after() -> None:
    found = neighbours(date(2026, 11, 5), CHANGES)

    assert (found.earlier, found.later) == (date(2026, 9, 30), date(2026, 11, 17))
    assert neighbours(date(2026, 11, 5), []) == neighbours(date(2020, 1, 1), [])
