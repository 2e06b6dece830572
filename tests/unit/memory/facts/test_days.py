"""Days as their owner counts them, and what is different between two of them."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from db.queries.facts.facts import FactRow
from db.vocabulary import Approval, Category, Sensitivity, Visibility
from memory.facts.days import beginning_of_day, compare_days, end_of_day
from tests.tables import table

DAY = date(2026, 11, 5)
FACT = FactRow(
    "AAAAAAAA",
    "test:ada",
    Category.OTHER,
    None,
    0.5,
    datetime(2026, 11, 1, tzinfo=UTC),
    1,
    "likes tea",
    None,
    None,
    None,
    "personal:test:ada",
    Visibility.PRIVATE,
    Sensitivity.NONE,
    False,
    None,
    None,
    None,
    "test:ada",
    Approval.ORDER,
    datetime(2026, 11, 1, tzinfo=UTC),
)


def test_what_is_new_changed_and_gone_is_told_apart() -> None:
    changed, gone, new = replace(FACT, id="B"), replace(FACT, id="C"), replace(FACT, id="D")
    later = replace(changed, version=2, content="likes coffee")

    day = compare_days(DAY, [FACT, changed, gone], [FACT, later, new])

    assert (set(day.new), dict(day.before), list(day.gone)) == ({"D"}, {"B": changed}, [gone])
    assert list(day.known) == [FACT, later, new]


@table(
    ("zone", "day", "hours"),
    [
        ("UTC", date(2026, 11, 5), 24),
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/Santiago", date(2026, 9, 6), 23),  # there is no midnight on that day
        ("Asia/Kolkata", date(2026, 1, 1), 24),
        ("Pacific/Apia", date(2011, 12, 29), 24),  # the day after it never came
    ],
)
def test_a_day_is_as_long_as_it_is_there(zone: str, day: date, hours: int) -> None:
    there = ZoneInfo(zone)
    begins, ends = beginning_of_day(day, there), end_of_day(day, there)

    assert ends - begins + timedelta(microseconds=1) == timedelta(hours=hours)
    assert begins.astimezone(there).date() == day == ends.astimezone(there).date()
