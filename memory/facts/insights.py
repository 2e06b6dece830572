"""A memory in numbers: how it grew, what it is about, what replies rest on, and what the last month cost."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import accumulate
from zoneinfo import ZoneInfo

from db.queries.facts import insights as queries
from db.queries.facts.facts import FactRow
from db.queries.facts.insights import ChangesOfDay
from db.queries.model.usage import Sums, usage_by_day
from db.vocabulary import Category
from memory.facts.days import beginning_of_day
from memory.unit import Unit

DAYS = 30
MOST_RECALLED = 10


@dataclass(frozen=True, slots=True)
class Insights:
    """Of the viewer alone. `usage` is of the last `DAYS` days, by day and model."""

    today: date
    changes: Sequence[ChangesOfDay]
    categories: Sequence[tuple[Category, int]]
    recalled: Sequence[FactRow]
    recalls: int
    usage: Sequence[tuple[date, Sums]]


@dataclass(frozen=True, slots=True)
class Spent:
    """A sum over calls of models. `microdollars` is of the calls whose price is known, `unpriced` counts the others."""

    calls: int = 0
    microdollars: int = 0
    unpriced: int = 0
    sent: int = 0
    cache_read: int = 0
    cache_write: int = 0
    answered: int = 0

    @property
    def cache_share(self) -> float | None:
        """Of all tokens that were sent, how many came from the cache."""
        everything = self.sent + self.cache_read + self.cache_write
        return self.cache_read / everything if everything else None


async def changes_by_day(unit: Unit, zone: ZoneInfo) -> Sequence[ChangesOfDay]:
    """The days on which the viewer's own facts changed, oldest first, as people in this zone count days."""
    return await queries.changes_by_day(unit.session, unit.viewer, zone.key)


async def look_back(unit: Unit, zone: ZoneInfo) -> Insights:
    """All numbers about the viewer's own memory; days are counted in their zone."""
    today = unit.now.astimezone(zone).date()
    since = beginning_of_day(today - timedelta(days=DAYS - 1), zone)
    return Insights(
        today,
        await changes_by_day(unit, zone),
        await queries.facts_by_category(unit.session, unit.viewer),
        await unit.vault.opened(await queries.most_recalled(unit.session, unit.viewer, limit=MOST_RECALLED)),
        await queries.recalls(unit.session, unit.viewer),
        await usage_by_day(unit.session, unit.viewer, since, zone.key),
    )


def known_by_day(changes: Sequence[ChangesOfDay]) -> list[tuple[date, int]]:
    """How many facts were known at the end of each day on which something changed."""
    known = accumulate(each.new - each.gone for each in changes)
    return list(zip((each.day for each in changes), known, strict=True))


def spent_by_day(usage: Iterable[tuple[date, Sums]], today: date) -> list[tuple[date, Spent]]:
    """Each of the last `DAYS` days, also those on which nothing was asked."""
    usage = list(usage)
    return [
        (day, spent([sums for used, sums in usage if used == day]))
        for day in days_between(today - timedelta(days=DAYS - 1), today)
    ]


def spent_by_model(usage: Iterable[tuple[date, Sums]]) -> Mapping[str, Spent]:
    models: dict[str, list[Sums]] = {}
    for _, sums in usage:
        models.setdefault(sums.model, []).append(sums)
    return {model: spent(models[model]) for model in sorted(models)}


def spent(each: Iterable[Sums]) -> Spent:
    each = list(each)
    return Spent(
        calls=sum(sums.calls for sums in each),
        microdollars=sum(sums.cost_microdollars or 0 for sums in each),
        unpriced=sum(sums.unpriced for sums in each),
        sent=sum(sums.input_tokens for sums in each),
        cache_read=sum(sums.cache_read_tokens for sums in each),
        cache_write=sum(sums.cache_write_tokens for sums in each),
        answered=sum(sums.output_tokens for sums in each),
    )


def days_between(first: date, last: date) -> list[date]:
    """Both included."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]
