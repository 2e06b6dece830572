"""A month as a sheet of weeks, with what each of its days changed."""

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
    """Weeks begin on Monday. `before` and `after` are days of the months beside it, where there is something to see."""

    first: date
    weeks: Sequence[Sequence[Cell]]
    before: date | None
    after: date | None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest days on which something changed."""

    earlier: date | None
    later: date | None


def month_of(day: date, changes: Sequence[ChangesOfDay], today: date) -> Month:
    first, changed = day.replace(day=1), {each.day: each for each in changes}
    # A month is shown with its neighbours' days around it, which the ends of time do not have.
    weeks = [
        [Cell(each, each.month == day.month, changed.get(each)) for each in week]
        for week in Calendar().monthdatescalendar(day.year, day.month)
    ]
    is_earlier = any(each < first for each in changed)
    following = (first + timedelta(days=31)).replace(day=1)
    return Month(
        first,
        weeks,
        first - timedelta(days=1) if is_earlier else None,
        min(following, today) if following <= today else None,
    )


def neighbours(day: date, changes: Sequence[ChangesOfDay]) -> Neighbours:
    return Neighbours(
        max((each.day for each in changes if each.day < day), default=None),
        min((each.day for each in changes if each.day > day), default=None),
    )
