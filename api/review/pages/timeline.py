"""What was known on a day, and what that day changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.review.display.diff import DiffPart, diff
from api.review.display.months import month_of, neighbours
from api.review.display.numbers import axis_day, long_day, month, short_day, weekdays
from api.review.language import texts
from api.review.rendering import page
from api.review.web_session import Visiting
from memory import Category, FactRow
from memory.concurrency.in_thread import in_thread
from memory.facts.days import FIRST, Day, day_of
from memory.facts.insights import changes_by_day

MOST_SHOWN = 100

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A part of what was known, by category."""

    number: int
    of: int
    groups: Sequence[tuple[Category, Sequence[FactRow]]]


@dataclass(frozen=True, slots=True)
class Change:
    """What a day did to a fact; `parts` show how its words changed, where they did."""

    mark: str
    kind: str
    row: FactRow
    parts: Sequence[DiffPart] = ()


@router.get("/timeline")
async def timeline(
    request: Request,
    visit: Visiting,
    day: Annotated[str, Query(max_length=200)] = "",
    sheet: Annotated[str, Query(max_length=20)] = "",
) -> Response:
    today = visit.now.astimezone(visit.zone).date()
    chosen, wrong = chosen_day(day, today)
    shown: Day | None = None
    async with visit.unit(read_only=True) as unit:
        if not wrong:
            shown = await day_of(unit, chosen, visit.zone)
        days = await changes_by_day(unit, visit.zone)
    return page(
        request,
        visit,
        "timeline.html",
        section="timeline",
        today=today,
        chosen=chosen,
        asked=day,
        wrong=wrong,
        example=today.isoformat(),
        shown=shown,
        changed=await changes_of(shown, MOST_SHOWN) if shown else [],
        sheet=sheet_of(shown.known, sheet) if shown else None,
        month=month_of(chosen, days, today),
        near=neighbours(chosen, days),
        day_before=chosen - timedelta(days=1),
        day_after=chosen + timedelta(days=1) if chosen < today else None,
        long_day=long_day,
        short_day=short_day,
        near_day=lambda day: axis_day(day, chosen, day),
        weekdays=weekdays(),
        month_name=month,
    )


def chosen_day(words: str, today: date) -> tuple[date, str]:
    """The day that is meant, and what is wrong with it; then today is shown as one to go on from."""
    if not words.strip():
        return today, ""
    try:
        found = date.fromisoformat(words.strip())
    except ValueError:
        return today, texts.TIMELINE_NOT_A_DAY
    if found > today:
        return today, texts.TIMELINE_FUTURE
    return (found, "") if found >= FIRST else (today, texts.TIMELINE_NOT_A_DAY)


async def changes_of(day: Day, most: int) -> list[Change]:
    """New ones first, then what changed, then what is gone; how words changed is found out for those that are shown."""
    new = [Change(texts.TIMELINE_NEW, "good", row) for row in day.known if row.id in day.new]
    changed = [row for row in day.known if row.id in day.before][: max(most - len(new), 0)]
    others = [
        Change(texts.TIMELINE_CHANGED, "warm", row, await _parts(day.before[row.id].words, row.words))
        for row in changed
    ]
    return [*new, *others, *(Change(texts.TIMELINE_GONE, "bad", row) for row in day.gone)][:most]


async def _parts(before: str, after: str) -> Sequence[DiffPart]:
    return await in_thread(len(before) + len(after), diff, before, after) if before != after else ()


def sheet_of(known: Sequence[FactRow], asked: str) -> Sheet:
    """Facts come in the order of their categories."""
    of = max(-(-len(known) // MOST_SHOWN), 1)
    number = min(max(int(asked), 1), of) if asked.isascii() and asked.isdigit() else 1
    part = known[(number - 1) * MOST_SHOWN : number * MOST_SHOWN]
    return Sheet(number, of, [(name, list(rows)) for name, rows in groupby(part, key=lambda row: row.category)])
