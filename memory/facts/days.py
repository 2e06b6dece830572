"""The facts known at the end of a day, compared with the day before, in the owner's time zone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from db.queries.facts.facts import FactRow
from memory.facts.history import as_of
from memory.unit import Unit

FIRST_DAY = date(1900, 1, 1)  # the earliest day that can be requested


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    known: Sequence[FactRow]
    new: frozenset[str]
    before: Mapping[str, FactRow]
    """The previous versions of changed facts, by id."""
    gone: Sequence[FactRow]
    """The last versions of facts that were removed."""


async def day_of(unit: Unit, day: date, zone: ZoneInfo) -> Day:
    known = await as_of(unit, end_of_day(day, zone))
    return compare_days(day, await as_of(unit, end_of_day(day - timedelta(days=1), zone)), known)


def compare_days(day: date, yesterday: Sequence[FactRow], known: Sequence[FactRow]) -> Day:
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
