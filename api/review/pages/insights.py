"""Statistics of a memory, each as a chart and as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from api.review.display import charts
from api.review.display.charts import MAX_SERIES, ChartLabel
from api.review.display.numbers import axis_day, count, money, money_line, share, short_day
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import CurrentSession
from memory import Sums
from memory.facts.insights import (
    DAYS,
    Insights,
    UsageTotals,
    fact_count_by_day,
    load_insights,
    usage_totals,
    usage_totals_by_day,
    usage_totals_by_model,
)

MAX_ROWS = 400  # days in a table, more than a year

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Costs:
    """Model costs. `legend` names the series of the chart."""

    total: UsageTotals
    models: Sequence[tuple[str, UsageTotals]]
    days: Sequence[tuple[date, str, UsageTotals]]
    chart: Markup
    cache: Markup
    legend: Sequence[str]


@router.get("/insights")
async def insights(request: Request, session: CurrentSession) -> Response:
    async with session.unit(read_only=True) as unit:
        seen = await load_insights(unit, session.zone)
    known = fact_count_by_day(seen.changes)
    return page(
        request,
        session,
        "insights.html",
        section="insights",
        seen=seen,
        days=DAYS,
        facts=known[-1][1] if known else 0,
        over_time=over_time(known, seen.today),
        table=list(zip(seen.changes, known, strict=True))[: -MAX_ROWS - 1 : -1],
        by_category=by_category(seen),
        costs=costs_of(seen),
        short_day=short_day,
        count=count,
        money=money,
        share=share,
    )


def over_time(known: Sequence[tuple[date, int]], today: date) -> Markup:
    if not known:
        return Markup()
    (since, first), (_, last) = known[0], known[-1]
    summary = texts.OVER_TIME_SUMMARY.format(
        first=first,
        since=short_day(since),
        last=last,
        until=short_day(max(today, known[-1][0])),
        most=max(number for _, number in known),
    )
    about, until = ChartLabel("over-time", texts.OVER_TIME, summary), max(today, known[-1][0])
    return charts.line(about, known, until=until, format_value=count, label=lambda day: axis_day(day, since, until))


def by_category(seen: Insights) -> Markup:
    rows = [(texts.CATEGORIES[category], float(number)) for category, number in seen.categories]
    if not rows:
        return Markup()
    total = sum(number for _, number in seen.categories)
    summary = texts.BY_CATEGORY_SUMMARY.format(name=rows[0][0], count=seen.categories[0][1], total=total)
    return charts.bars(ChartLabel("by-category", texts.BY_CATEGORY, summary), rows, format_value=count)


def costs_of(seen: Insights) -> Costs:
    models = sorted(usage_totals_by_model(seen.usage).items(), key=lambda each: (-each[1].microdollars, each[0]))
    total = usage_totals(sums for _, sums in seen.usage)
    named = [name for name, _ in models]
    own = named if len(named) <= MAX_SERIES else named[: MAX_SERIES - 1]
    legend = [*own, *([texts.COSTS_OTHERS] if len(own) < len(named) else [])]
    return Costs(
        total,
        models,
        [(day, sums.model, usage_totals([sums])) for day, sums in reversed(seen.usage)],
        cost_chart(seen, own, len(legend), total) if seen.usage else Markup(),
        cache_chart(models, total),
        legend,
    )


def cost_chart(seen: Insights, own: Sequence[str], parts: int, total: UsageTotals) -> Markup:
    by_day = usage_totals_by_day(seen.usage, seen.today)
    dearest, most = max(by_day, key=lambda each: each[1].microdollars)
    summary = texts.COSTS_SUMMARY.format(
        total=money(total.microdollars), day=short_day(dearest), most=money(most.microdollars)
    )
    about = ChartLabel(
        "costs",
        texts.COSTS.format(days=DAYS),
        summary if total.microdollars else texts.COSTS_SUMMARY_NOTHING,
    )
    columns = [(day, parts_of_day(day, seen.usage, own, parts)) for day, _ in by_day]
    marked = {day for day, sums in by_day if sums.unpriced}
    steps = charts.ticks(max(sum(parts) for _, parts in columns))
    first, last = columns[0][0], columns[-1][0]
    return charts.columns(
        about,
        columns,
        format_value=lambda value: money_line(value, steps[1]),
        label=lambda day: axis_day(day, first, last),
        marked=marked,
    )


def parts_of_day(day: date, usage: Sequence[tuple[date, Sums]], own: Sequence[str], parts: int) -> list[float]:
    """Return the cost of each model on a day, in the order of the legend. The last part sums up the other models."""
    costs = [0.0] * parts
    for used, sums in usage:
        if used == day:
            index = own.index(sums.model) if sums.model in own else parts - 1
            costs[index] += sums.cost_microdollars or 0
    return costs


def cache_chart(models: Sequence[tuple[str, UsageTotals]], total: UsageTotals) -> Markup:
    if total.cache_share is None:
        return Markup()
    rows = [(name, sums.cache_share) for name, sums in models if sums.cache_share is not None]
    summary = texts.CACHE_SUMMARY.format(share=share(total.cache_share))
    return charts.bars(ChartLabel("cache", texts.CACHE, summary), rows, format_value=share, full=1.0)
