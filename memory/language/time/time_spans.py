"""Finds the time span of a question: a day, week, month or year, absolute or relative to now."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memory.language.lexicon import recognised_languages
from memory.language.lexicon.time import DateFigures, TimeWords
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import fold

DAY: Final = timedelta(days=1)
MAX_READ: Final = 1_000


@dataclass(frozen=True)
class TimeSpan:
    """From `start` (inclusive) to `end` (exclusive)."""

    start: datetime
    end: datetime


def one_of(names: Iterable[str]) -> str:
    """A pattern for one of the names as a whole word, longest first."""
    listed = "|".join(re.escape(name) for name in sorted(dict.fromkeys(names), key=len, reverse=True))
    return rf"(?<![a-z\u0400-\u04ff])(?:{listed})(?![a-z\u0400-\u04ff])"


YEAR: Final = r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)"
NUMBER: Final = r"(?P<number>1[0-2]|0?[1-9])"
DATE: Final = r"(?<!\d)(?P<day>3[01]|[12]\d|0?[1-9])(?!\d)"


@lexicon_cached
def _sections() -> list[TimeWords]:
    return [language.time for language in recognised_languages().values() if language.time]


@lexicon_cached
def _figures() -> list[DateFigures]:
    return [words.figures for words in _sections() if words.figures]


@lexicon_cached
def months() -> Mapping[str, int]:
    """The month names of all languages, with their numbers."""
    return _numbered((words.months for words in _sections()), first=1)


@lexicon_cached
def weekdays() -> Mapping[str, int]:
    """The weekday names of all languages; Monday is 0."""
    return _numbered((words.weekdays for words in _sections()), first=0)


def _numbered(tables: Iterable[Sequence[Sequence[str]]], *, first: int) -> dict[str, int]:
    return {fold(name): number for table in tables for number, names in enumerate(table, start=first) for name in names}


@lexicon_cached
def _relative() -> Mapping[str, tuple[str, int]]:
    """Phrases for a unit relative to now, such as "last week"; 0 is the current one."""
    return {
        fold(phrase): target
        for words in _sections()
        for target, phrases in (
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


@lexicon_cached
def _units() -> Mapping[str, str]:
    return {fold(name): unit for words in _sections() for unit, names in words.units for name in names}


@lexicon_cached
def _counts() -> Mapping[str, int]:
    return {fold(name): count for words in _sections() for count, names in words.counts.items() for name in names}


@lexicon_cached
def _thirds() -> Mapping[str, int]:
    """Characters for the first, second and last third of a month."""
    return {
        character: third
        for figures in _figures()
        for third, characters in enumerate((figures.early, figures.mid, figures.late))
        for character in characters
    }


@lexicon_cached
def _date_patterns() -> list[re.Pattern[str]]:
    """Date patterns, most specific first; the first match wins."""
    month = rf"(?P<month>{one_of(months())})\.?"
    of = rf"(?:\s+(?:{_any(words.of for words in _sections())}))?,?\s+"
    ending = _any(words.ordinal_endings for words in _sections())
    before = one_of(fold(word) for words in _sections() for word in words.before_dates)
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


@lexicon_cached
def _counted_patterns() -> list[re.Pattern[str]]:
    count = rf"(?P<count>(?<!\d)\d{{1,3}}|{one_of(_counts())})\s?(?P<unit>{one_of(_units())})"
    before, after = (
        one_of(fold(word) for words in _sections() for word in getattr(words, name))
        for name in ("before_counts", "after_counts")
    )
    return [re.compile(rf"{before}\s{count}"), re.compile(rf"{count}\s?{after}")]


@lexicon_cached
def _weekday() -> re.Pattern[str]:
    return re.compile(rf"(?P<weekday>{one_of(weekdays())})")


@lexicon_cached
def _relative_phrase() -> re.Pattern[str]:
    return re.compile(rf"(?P<phrase>{one_of(_relative())})")


def _any(lists: Iterable[Sequence[str]]) -> str:
    return "|".join(dict.fromkeys(re.escape(fold(word)) for listed in lists for word in listed))


def time_span_in(text: str, now: datetime) -> TimeSpan | None:
    """Return the time span of a question, or None. A month without a year is the latest one that has begun."""
    folded = fold(text[:MAX_READ])
    for pattern in _date_patterns():
        spans = [span for match in pattern.finditer(folded) if (span := _span_of(match.groupdict(), now))]
        if spans:
            return TimeSpan(min(span.start for span in spans), max(span.end for span in spans))
    for pattern in _counted_patterns():
        if match := pattern.search(folded):
            count = _counts().get(match["count"]) or int(match["count"])
            return _span_back(_units()[match["unit"]], count, now)
    if match := _weekday().search(folded):
        return _span_back("day", (now.weekday() - weekdays()[match["weekday"]] - 1) % 7 + 1, now)
    if match := _relative_phrase().search(folded):
        return _span_back(*_relative()[match["phrase"]], now)
    return None


def _span_of(found: dict[str, str | None], now: datetime) -> TimeSpan | None:
    month = months().get(found.get("month") or "") or int(found.get("number") or 0)
    day, year = int(found.get("day") or 0), int(found.get("year") or now.year)
    try:
        start = _midnight(now).replace(year=year, month=month or 1, day=day or 1)
        if not found.get("year") and start > now:
            start = start.replace(year=year - 1)
    except ValueError:  # no such day
        return None
    if day:
        return TimeSpan(start, start + DAY)
    if not month:
        return TimeSpan(start, _add_months(start, 12))
    end = _add_months(start, 1)
    if third := found.get("third"):
        tenth, twentieth = start + 10 * DAY, start + 20 * DAY
        return (TimeSpan(start, tenth), TimeSpan(tenth, twentieth), TimeSpan(twentieth, end))[_thirds()[third]]
    return TimeSpan(start, end)


def _span_back(unit: str, back: int, now: datetime) -> TimeSpan:
    """The day, week, month or year `back` units before the current one."""
    today = _midnight(now)
    if unit == "day":
        return TimeSpan(today - back * DAY, today - (back - 1) * DAY)
    if unit == "week":
        monday = today - (today.weekday() + 7 * back) * DAY
        return TimeSpan(monday, monday + 7 * DAY)
    months = 12 if unit == "year" else 1
    first = _add_months(today.replace(day=1, month=1 if unit == "year" else today.month), -back * months)
    return TimeSpan(first, _add_months(first, months))


def _add_months(first: datetime, months: int) -> datetime:
    count = first.year * 12 + first.month - 1 + months
    return first.replace(year=max(count // 12, 1), month=count % 12 + 1)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)
