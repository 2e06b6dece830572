"""Statistics about a person's memory: growth, categories, most recalled facts, and the usage of the last month."""

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
MAX_RECALLED = 10


@dataclass(frozen=True, slots=True)
class Insights:
    today: date
    changes: Sequence[ChangesOfDay]
    categories: Sequence[tuple[Category, int]]
    recalled: Sequence[FactRow]
    recalls: int
    usage: Sequence[tuple[date, Sums]]
    """Of the last `DAYS` days, by day and model."""


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Totals over model calls. `microdollars` covers calls with a known price; `unpriced` counts the others."""

    calls: int = 0
    microdollars: int = 0
    unpriced: int = 0
    sent: int = 0
    cache_read: int = 0
    cache_write: int = 0
    answered: int = 0

    @property
    def cache_share(self) -> float | None:
        """The share of input tokens that were read from the cache."""
        everything = self.sent + self.cache_read + self.cache_write
        return self.cache_read / everything if everything else None


async def changes_by_day(unit: Unit, zone: ZoneInfo) -> Sequence[ChangesOfDay]:
    """The days on which the viewer's own facts changed, oldest first, in this time zone."""
    return await queries.changes_by_day(unit.session, unit.viewer, zone.key)


async def load_insights(unit: Unit, zone: ZoneInfo) -> Insights:
    today = unit.now.astimezone(zone).date()
    since = beginning_of_day(today - timedelta(days=DAYS - 1), zone)
    return Insights(
        today,
        await changes_by_day(unit, zone),
        await queries.facts_by_category(unit.session, unit.viewer),
        await unit.vault.open_rows(await queries.most_recalled(unit.session, unit.viewer, limit=MAX_RECALLED)),
        await queries.recalls(unit.session, unit.viewer),
        await usage_by_day(unit.session, unit.viewer, since, zone.key),
    )


def fact_count_by_day(changes: Sequence[ChangesOfDay]) -> list[tuple[date, int]]:
    """The number of facts at the end of each day on which something changed."""
    known = accumulate(each.new - each.gone for each in changes)
    return list(zip((each.day for each in changes), known, strict=True))


def usage_totals_by_day(usage: Iterable[tuple[date, Sums]], today: date) -> list[tuple[date, UsageTotals]]:
    """Totals for each of the last `DAYS` days, including days without calls."""
    usage = list(usage)
    return [
        (day, usage_totals([sums for used, sums in usage if used == day]))
        for day in days_between(today - timedelta(days=DAYS - 1), today)
    ]


def usage_totals_by_model(usage: Iterable[tuple[date, Sums]]) -> Mapping[str, UsageTotals]:
    models: dict[str, list[Sums]] = {}
    for _, sums in usage:
        models.setdefault(sums.model, []).append(sums)
    return {model: usage_totals(models[model]) for model in sorted(models)}


def usage_totals(each: Iterable[Sums]) -> UsageTotals:
    each = list(each)
    return UsageTotals(
        calls=sum(sums.calls for sums in each),
        microdollars=sum(sums.cost_microdollars or 0 for sums in each),
        unpriced=sum(sums.unpriced for sums in each),
        sent=sum(sums.input_tokens for sums in each),
        cache_read=sum(sums.cache_read_tokens for sums in each),
        cache_write=sum(sums.cache_write_tokens for sums in each),
        answered=sum(sums.output_tokens for sums in each),
    )


def days_between(first: date, last: date) -> list[date]:
    """All days from `first` to `last`, both included."""
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]
