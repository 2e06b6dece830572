"""Finds the span of time that a question speaks of: a day, a month or a year, named or counted from now."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.language.derived import derived
from memory.language.lexicon import recognised
from memory.language.lexicon.time import DateFigures, TimeWords
from memory.language.terms import fold

DAY: Final = timedelta(days=1)
LONGEST_READ: Final = 1_000


@dataclass(frozen=True)
class Span:
    """From `start` up to, not including, `end`."""

    start: datetime
    end: datetime


def either(names: Iterable[str]) -> str:
    """One of the names as a whole word; the longer ones first, so that the shorter do not hide them."""
    listed = "|".join(re.escape(name) for name in sorted(dict.fromkeys(names), key=len, reverse=True))
    return rf"(?<![a-z\u0400-\u04ff])(?:{listed})(?![a-z\u0400-\u04ff])"


YEAR: Final = r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)"
NUMBER: Final = r"(?P<number>1[0-2]|0?[1-9])"
DATE: Final = r"(?<!\d)(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)"


@derived
def _sections() -> list[TimeWords]:
    return [language.time for language in recognised().values() if language.time]


@derived
def _figures() -> list[DateFigures]:
    return [words.figures for words in _sections() if words.figures]


@derived
def months() -> Mapping[str, int]:
    """The names of months in all languages, and their numbers."""
    return _numbered((words.months for words in _sections()), first=1)


@derived
def weekdays() -> Mapping[str, int]:
    """The names of weekdays in all languages; Monday is 0."""
    return _numbered((words.weekdays for words in _sections()), first=0)


def _numbered(tables: Iterable[Sequence[Sequence[str]]], *, first: int) -> dict[str, int]:
    return {fold(name): number for table in tables for number, names in enumerate(table, start=first) for name in names}


@derived
def _relative() -> Mapping[str, tuple[str, int]]:
    """What is said for a unit back from now: 0 is the present one."""
    return {
        fold(phrase): meant
        for words in _sections()
        for meant, phrases in (
            (("day", 0), words.relative.today),
            (("day", 1), words.relative.yesterday),
            (("day", 2), words.relative.day_before_yesterday),
            (("week", 0), words.relative.this_week),
            (("week", 1), words.relative.last_week),
            (("month", 0), words.relative.this_month),
            (("month", 1), words.relative.last_month),
            (("year", 0), words.relative.this_year),
            (("year", 1), words.relative.last_year),
        )
        for phrase in phrases
    }


@derived
def _units() -> Mapping[str, str]:
    return {fold(name): unit for words in _sections() for unit, names in words.units for name in names}


@derived
def _counts() -> Mapping[str, int]:
    return {fold(name): count for words in _sections() for count, names in words.counts.items() for name in names}


@derived
def _thirds() -> Mapping[str, int]:
    """Which third of a month is meant."""
    return {
        sign: third
        for figures in _figures()
        for third, signs in enumerate((figures.early, figures.mid, figures.late))
        for sign in signs
    }


@derived
def _dates() -> list[re.Pattern[str]]:
    """The most exact one first; the first that is found is what the question means."""
    month = rf"(?P<month>{either(months())})\.?"
    of = rf"(?:\s+(?:{_any(words.of for words in _sections())}))?,?\s+"
    ending = _any(words.ordinal_endings for words in _sections())
    before = either(fold(word) for words in _sections() for word in words.before_dates)
    year_sign, month_sign, day_sign = (
        f"(?:{_any(getattr(figures, name) for figures in _figures())})" for name in ("year", "month", "day")
    )
    third = "|".join(_thirds())
    patterns = (
        rf"{YEAR}[-/.]{NUMBER}[-/.]{DATE}",
        rf"{DATE}[./]{NUMBER}[./]{YEAR}",
        rf"(?:{YEAR}\s?{year_sign})?\s?(?<!\d){NUMBER}\s?{month_sign}(?:(?P<third>{third})|{DATE}\s?{day_sign})?",
        rf"{DATE}(?:{ending}|\.)?{of}{month}(?:{of}{YEAR})?",
        rf"{month}\s+{DATE}(?:,?\s+{YEAR})?",
        rf"{month}(?:{ending})?{of}{YEAR}",
        rf"{before}\s+{month}",
        rf"{before}\s+{YEAR}",
        rf"{YEAR}\s?{year_sign}",
    )
    return [re.compile(pattern) for pattern in patterns]


@derived
def _counted() -> list[re.Pattern[str]]:
    count = rf"(?P<count>(?<!\d)\d{{1,3}}|{either(_counts())})\s?(?P<unit>{either(_units())})"
    before, after = (
        either(fold(word) for words in _sections() for word in getattr(words, name))
        for name in ("before_counts", "after_counts")
    )
    return [re.compile(rf"{before}\s{count}"), re.compile(rf"{count}\s?{after}")]


@derived
def _weekday() -> re.Pattern[str]:
    return re.compile(rf"(?P<weekday>{either(weekdays())})")


@derived
def _spoken() -> re.Pattern[str]:
    return re.compile(rf"(?P<phrase>{either(_relative())})")


def _any(lists: Iterable[Sequence[str]]) -> str:
    return "|".join(dict.fromkeys(re.escape(fold(word)) for listed in lists for word in listed))


def span_asked(text: str, now: datetime) -> Span | None:
    """The time that a question is about, or None; a month without a year is the last one that has begun."""
    said = fold(text[:LONGEST_READ])
    for pattern in _dates():
        spans = [span for match in pattern.finditer(said) if (span := _dated(match.groupdict(), now))]
        if spans:
            return Span(min(span.start for span in spans), max(span.end for span in spans))
    for pattern in _counted():
        if match := pattern.search(said):
            count = _counts().get(match["count"]) or int(match["count"])
            return _unit(_units()[match["unit"]], count, now)
    if match := _weekday().search(said):
        return _unit("day", (now.weekday() - weekdays()[match["weekday"]] - 1) % 7 + 1, now)
    if match := _spoken().search(said):
        return _unit(*_relative()[match["phrase"]], now)
    return None


def _dated(found: dict[str, str | None], now: datetime) -> Span | None:
    month = months().get(found.get("month") or "") or int(found.get("number") or 0)
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
        return (Span(start, tenth), Span(tenth, twentieth), Span(twentieth, end))[_thirds()[third]]
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
