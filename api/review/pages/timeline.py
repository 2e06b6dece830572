"""The timeline: what was remembered on a day, and what changed that day."""

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
from api.review.web_session import CurrentSession
from memory import Category, FactRow
from memory.concurrency.in_thread import in_thread
from memory.facts.days import FIRST_DAY, Day, day_of
from memory.facts.insights import changes_by_day

MAX_SHOWN = 100

router = APIRouter()


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """One page of the facts of a day, by category."""

    number: int
    pages: int
    groups: Sequence[tuple[Category, Sequence[FactRow]]]


@dataclass(frozen=True, slots=True)
class Change:
    """A fact that changed on the day. `parts` is the diff, if its text changed."""

    mark: str
    kind: str
    row: FactRow
    parts: Sequence[DiffPart] = ()


@router.get("/timeline")
async def timeline(
    request: Request,
    session: CurrentSession,
    day: Annotated[str, Query(max_length=200)] = "",
    number: Annotated[str, Query(alias="page", max_length=20)] = "",
) -> Response:
    today = session.now.astimezone(session.zone).date()
    chosen, wrong = chosen_day(day, today)
    shown: Day | None = None
    async with session.unit(read_only=True) as unit:
        if not wrong:
            shown = await day_of(unit, chosen, session.zone)
        days = await changes_by_day(unit, session.zone)
    return page(
        request,
        session,
        "timeline.html",
        section="timeline",
        today=today,
        chosen=chosen,
        asked=day,
        wrong=wrong,
        example=today.isoformat(),
        shown=shown,
        changed=await changes_of(shown, MAX_SHOWN) if shown else [],
        facts_page=timeline_page(shown.known, number) if shown else None,
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
    """Parse the requested day. For an invalid one, return today and an error message."""
    if not words.strip():
        return today, ""
    try:
        day = date.fromisoformat(words.strip())
    except ValueError:
        return today, texts.TIMELINE_NOT_A_DAY
    if day > today:
        return today, texts.TIMELINE_FUTURE
    return (day, "") if day >= FIRST_DAY else (today, texts.TIMELINE_NOT_A_DAY)


async def changes_of(day: Day, most: int) -> list[Change]:
    """Return the day's new facts, then changed ones, then deleted ones. Diffs are computed only for those shown."""
    new = [Change(texts.TIMELINE_NEW, "good", row) for row in day.known if row.id in day.new]
    changed = [row for row in day.known if row.id in day.before][: max(most - len(new), 0)]
    others = [
        Change(texts.TIMELINE_CHANGED, "warm", row, await _parts(day.before[row.id].words, row.words))
        for row in changed
    ]
    return [*new, *others, *(Change(texts.TIMELINE_GONE, "bad", row) for row in day.gone)][:most]


async def _parts(before: str, after: str) -> Sequence[DiffPart]:
    return await in_thread(len(before) + len(after), diff, before, after) if before != after else ()


def timeline_page(facts: Sequence[FactRow], number: str) -> TimelinePage:
    """Cut one page from facts that are ordered by category."""
    pages = max(-(-len(facts) // MAX_SHOWN), 1)
    page_number = min(max(int(number), 1), pages) if number.isascii() and number.isdigit() else 1
    shown = facts[(page_number - 1) * MAX_SHOWN : page_number * MAX_SHOWN]
    groups = [(category, list(rows)) for category, rows in groupby(shown, key=lambda row: row.category)]
    return TimelinePage(page_number, pages, groups)
