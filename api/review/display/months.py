"""A calendar month by weeks, with the changes of each day."""

from calendar import Calendar
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memory import ChangesOfDay


@dataclass(frozen=True, slots=True)
class Cell:
    day: date
    is_of_month: bool
    changes: ChangesOfDay | None = None


@dataclass(frozen=True, slots=True)
class Month:
    """A month whose weeks begin on Monday. `before` and `after` are days of the adjacent months to navigate to."""

    first: date
    weeks: Sequence[Sequence[Cell]]
    before: date | None
    after: date | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest earlier and later days with changes."""

    earlier: date | None
    later: date | None


def month_of(day: date, changes: Sequence[ChangesOfDay], today: date) -> Month:
    first, changed = day.replace(day=1), {each.day: each for each in changes}
    weeks = [
        [Cell(each, each.month == day.month, changed.get(each)) for each in week]
        for week in Calendar().monthdatescalendar(day.year, day.month)
    ]
    has_earlier = any(each < first for each in changed)
    next_month = (first + timedelta(days=31)).replace(day=1)
    return Month(
        first,
        weeks,
        first - timedelta(days=1) if has_earlier else None,
        next_month if next_month <= today else None,
    )


def neighbours(day: date, changes: Sequence[ChangesOfDay]) -> Neighbours:
    return Neighbours(
        max((each.day for each in changes if each.day < day), default=None),
        min((each.day for each in changes if each.day > day), default=None),
    )
