"""A memory in numbers, each as a chart and as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fastapi import APIRouter, Request, Response
from markupsafe import Markup

from api.review.display import charts
from api.review.display.charts import MOST_SERIES, About
from api.review.display.numbers import axis_day, count, money, money_line, share, short_day
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import Visiting
from memory import Sums
from memory.facts.insights import DAYS, Insights, Spent, known_by_day, look_back, spent, spent_by_day, spent_by_model

MOST_ROWS = 400  # of a table of days: more than a year of them

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Costs:
    """What was spent; `legend` names the parts of the columns, where there is more than one."""

    total: Spent
    models: Sequence[tuple[str, Spent]]
    days: Sequence[tuple[date, str, Spent]]
    chart: Markup
    cache: Markup
    legend: Sequence[str]


@router.get("/insights")
async def insights(request: Request, visit: Visiting) -> Response:
    async with visit.unit(read_only=True) as unit:
        seen = await look_back(unit, visit.zone)
    known = known_by_day(seen.changes)
    return page(
        request,
        visit,
        "insights.html",
        section="insights",
        seen=seen,
        days=DAYS,
        facts=known[-1][1] if known else 0,
        over_time=over_time(known, seen.today),
        table=list(zip(seen.changes, known, strict=True))[: -MOST_ROWS - 1 : -1],
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
    told = texts.OVER_TIME_SUMMARY.format(
        first=first,
        since=short_day(since),
        last=last,
        until=short_day(max(today, known[-1][0])),
        most=max(number for _, number in known),
    )
    about, until = About("over-time", texts.OVER_TIME, told), max(today, known[-1][0])
    return charts.line(about, known, until=until, spell=count, label=lambda day: axis_day(day, since, until))


def by_category(seen: Insights) -> Markup:
    rows = [(texts.CATEGORIES[category], float(number)) for category, number in seen.categories]
    if not rows:
        return Markup()
    total = sum(number for _, number in seen.categories)
    told = texts.BY_CATEGORY_SUMMARY.format(name=rows[0][0], count=seen.categories[0][1], total=total)
    return charts.bars(About("by-category", texts.BY_CATEGORY, told), rows, spell=count)


def costs_of(seen: Insights) -> Costs:
    models = sorted(spent_by_model(seen.usage).items(), key=lambda each: (-each[1].microdollars, each[0]))
    total = spent(sums for _, sums in seen.usage)
    named = [name for name, _ in models]
    own = named if len(named) <= MOST_SERIES else named[: MOST_SERIES - 1]
    legend = [*own, *([texts.COSTS_OTHERS] if len(own) < len(named) else [])]
    return Costs(
        total,
        models,
        [(day, sums.model, spent([sums])) for day, sums in reversed(seen.usage)],
        cost_chart(seen, own, len(legend), total) if seen.usage else Markup(),
        cache_chart(models, total),
        legend,
    )


def cost_chart(seen: Insights, own: Sequence[str], parts: int, total: Spent) -> Markup:
    by_day = spent_by_day(seen.usage, seen.today)
    dearest, most = max(by_day, key=lambda each: each[1].microdollars)
    told = texts.COSTS_SUMMARY.format(
        total=money(total.microdollars), day=short_day(dearest), most=money(most.microdollars)
    )
    about = About(
        "costs",
        texts.COSTS.format(days=DAYS),
        told if total.microdollars else texts.COSTS_SUMMARY_NOTHING,
    )
    columns = [(day, parts_of_day(day, seen.usage, own, parts)) for day, _ in by_day]
    marked = {day for day, sums in by_day if sums.unpriced}
    steps = charts.ticks(max(sum(parts) for _, parts in columns))
    first, last = columns[0][0], columns[-1][0]
    return charts.columns(
        about,
        columns,
        spell=lambda value: money_line(value, steps[1]),
        label=lambda day: axis_day(day, first, last),
        marked=marked,
    )


def parts_of_day(day: date, usage: Sequence[tuple[date, Sums]], own: Sequence[str], parts: int) -> list[float]:
    """What each model cost on a day, in the order of the legend; the last part is of all others."""
    found = [0.0] * parts
    for used, sums in usage:
        if used == day:
            place = own.index(sums.model) if sums.model in own else parts - 1
            found[place] += sums.cost_microdollars or 0
    return found


def cache_chart(models: Sequence[tuple[str, Spent]], total: Spent) -> Markup:
    if total.cache_share is None:
        return Markup()
    rows = [(name, sums.cache_share) for name, sums in models if sums.cache_share is not None]
    told = texts.CACHE_SUMMARY.format(share=share(total.cache_share))
    return charts.bars(About("cache", texts.CACHE, told), rows, spell=share, full=1.0)
