"""Finds the span of time that a question speaks of: a day, a month or a year, named or counted from now."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.retrieval.languages import fold
from memory.retrieval.time_words import (
    AFTER_COUNT,
    BEFORE_A_DATE,
    BEFORE_COUNT,
    MONTHS,
    NUMBERS,
    RELATIVE,
    UNITS,
    WEEKDAYS,
)

DAY: Final = timedelta(days=1)
LONGEST_READ: Final = 1_000


@dataclass(frozen=True)
class Span:
    """From `start` up to, not including, `end`."""

    start: datetime
    end: datetime


def either(names: Iterable[str]) -> str:
    """One of the names as a whole word; the longer ones first, so that the shorter do not hide them."""
    listed = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return rf"(?<![a-z\u0400-\u04ff])(?:{listed})(?![a-z\u0400-\u04ff])"


YEAR: Final = r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)"
MONTH: Final = rf"(?P<month>{either(MONTHS)})\.?"
NUMBER: Final = r"(?P<number>1[0-2]|0?[1-9])"
DATE: Final = r"(?<!\d)(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)"
OF: Final = r"(?:\s+(?:of|de|del|di))?,?\s+"
# The most exact one first; the first that is found is what the question means.
DATES: Final = [
    re.compile(pattern)
    for pattern in (
        rf"{YEAR}[-/.]{NUMBER}[-/.]{DATE}",
        rf"{DATE}[./]{NUMBER}[./]{YEAR}",
        rf"(?:{YEAR}\s?年)?\s?(?<!\d){NUMBER}\s?月(?:份?(?P<third>[上中下初底末])|{DATE}\s?[日号])?",
        rf"{DATE}(?:st|nd|rd|th|er|\.|º)?{OF}{MONTH}(?:{OF}{YEAR})?",
        rf"{MONTH}\s+{DATE}(?:,?\s+{YEAR})?",
        rf"{MONTH}(?:st|nd|rd|th)?{OF}{YEAR}",
        rf"{either(BEFORE_A_DATE)}\s+{MONTH}",
        rf"{either(BEFORE_A_DATE)}\s+{YEAR}",
        rf"{YEAR}\s?年",
    )
]
COUNT: Final = rf"(?P<count>(?<!\d)\d{{1,3}}|{either(NUMBERS)})\s?(?P<unit>{either(UNITS)})"
COUNTED: Final = [re.compile(rf"{either(BEFORE_COUNT)}\s{COUNT}"), re.compile(rf"{COUNT}\s?{either(AFTER_COUNT)}")]
WEEKDAY: Final = re.compile(rf"(?P<weekday>{either(WEEKDAYS)})")
SPOKEN: Final = re.compile(rf"(?P<phrase>{either(RELATIVE)})")


def span_asked(text: str, now: datetime) -> Span | None:
    """The time that a question is about, or None; a month without a year is the last one that has begun."""
    said = fold(text[:LONGEST_READ])
    for pattern in DATES:
        spans = [span for match in pattern.finditer(said) if (span := _dated(match.groupdict(), now))]
        if spans:
            return Span(min(span.start for span in spans), max(span.end for span in spans))
    for pattern in COUNTED:
        if match := pattern.search(said):
            count = NUMBERS.get(match["count"]) or int(match["count"])
            return _unit(UNITS[match["unit"]], count, now)
    if match := WEEKDAY.search(said):
        return _unit("day", (now.weekday() - WEEKDAYS[match["weekday"]] - 1) % 7 + 1, now)
    if match := SPOKEN.search(said):
        return _unit(*RELATIVE[match["phrase"]], now)
    return None


def _dated(found: dict[str, str | None], now: datetime) -> Span | None:
    month = MONTHS.get(found.get("month") or "") or int(found.get("number") or 0)
    day, year = int(found.get("day") or 0), int(found.get("year") or now.year)
    try:
        start = _midnight(now).replace(year=year, month=month or 1, day=day or 1)
        if not found.get("year") and start > now:
            start = start.replace(year=year - 1)
    except ValueError:  # there is no such day
        return None
    if day:
        return Span(start, start + DAY)
    if not month:
        return Span(start, _later_months(start, 12))
    end = _later_months(start, 1)
    if third := found.get("third"):
        tenth, twentieth = start + 10 * DAY, start + 20 * DAY
        return {"上": Span(start, tenth), "初": Span(start, tenth), "中": Span(tenth, twentieth)}.get(
            third, Span(twentieth, end)
        )
    return Span(start, end)


def _unit(unit: str, back: int, now: datetime) -> Span:
    """The day, week, month or year so many of them before now."""
    today = _midnight(now)
    if unit == "day":
        return Span(today - back * DAY, today - (back - 1) * DAY)
    if unit == "week":
        monday = today - (today.weekday() + 7 * back) * DAY
        return Span(monday, monday + 7 * DAY)
    months = 12 if unit == "year" else 1
    first = _later_months(today.replace(day=1, month=1 if unit == "year" else today.month), -back * months)
    return Span(first, _later_months(first, months))


def _later_months(first: datetime, months: int) -> datetime:
    count = first.year * 12 + first.month - 1 + months
    return first.replace(year=max(count // 12, 1), month=count % 12 + 1)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
