"""A day of a memory: what was known at its end, and how that differs from the day before, as its owner counts days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from db.queries.facts.facts import FactRow
from memory.facts.history import as_of
from memory.unit import Unit

FIRST = date(1900, 1, 1)  # of the days that can be asked for: nobody here remembers more, and calendars end somewhere


@dataclass(frozen=True, slots=True)
class Day:
    """`before` has the earlier words of what changed, by its id; `gone` as it was known last."""

    day: date
    known: Sequence[FactRow]
    new: frozenset[str]
    before: Mapping[str, FactRow]
    gone: Sequence[FactRow]


async def day_of(unit: Unit, day: date, zone: ZoneInfo) -> Day:
    known = await as_of(unit, end_of_day(day, zone))
    return compared(day, await as_of(unit, end_of_day(day - timedelta(days=1), zone)), known)


def compared(day: date, yesterday: Sequence[FactRow], known: Sequence[FactRow]) -> Day:
    """What is new, changed and gone between the ends of two days."""
    former, present = {row.id: row for row in yesterday}, {row.id for row in known}
    changed = {row.id: former[row.id] for row in known if row.id in former and former[row.id].version != row.version}
    gone = [row for row in yesterday if row.id not in present]
    return Day(day, known, frozenset(present - former.keys()), changed, gone)


def end_of_day(day: date, zone: ZoneInfo) -> datetime:
    """The last moment of a day."""
    midnight = datetime.combine(day + timedelta(days=1), time(), tzinfo=zone)
    return midnight.astimezone(UTC) - timedelta(microseconds=1)


def beginning_of_day(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
