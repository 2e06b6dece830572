"""Finds the absolute and relative dates in a text, and annotates them.

How ambiguous dates are resolved:

- "Friday", "on Friday": the next one after today. "This Friday" may be today.
- "next Friday" (nächsten, prochain, следующую, अगले, 下周): the Friday of the next calendar week, which starts on
  Monday. On a Wednesday that is nine days away.
- "coming Friday" (kommenden, próximo, que viene, القادمة): the next one after today, like "on Friday".
- "last Friday": the latest one before today. Chinese 上周五 is the Friday of the previous calendar week.
- "in two weeks" is a day, "in two months" a month and "in two years" a year: people do not mean the exact day.
- A day or month without a year is the next one from today on, or the last one if the sentence has a past verb.
- 05/12/2027 is the fifth of December, as in most countries; 05/13/2027 can only be in May.
- Hindi कल and परसों mean a day before or after today, so they are ignored.
"""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Final

from memory.language.sentences import fold_with_positions
from memory.language.time.date_grammar import DateMatch, find_matches
from memory.language.time.date_parts import parse_parts, truncate
from memory.language.time.numbers import combine_numbers


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text, from `first` to `last` inclusive. It is relative if it depends on the day of writing."""

    span: tuple[int, int]
    words: str
    first: date
    last: date
    relative: bool


def dates_in(text: str, said_at: datetime) -> list[DateMention]:
    """The dates of a text in order, without impossible ones. `said_at` is in the writer's time zone."""
    found = []
    for match in find_matches(truncate(text)):
        try:
            days = _resolve(match, said_at.date())
        except (ValueError, OverflowError):  # no such day
            continue
        if days:
            found.append(DateMention(match.span, text[slice(*match.span)], *days, match.rule not in ABSOLUTE))
    return found


def annotate_dates(text: str, said_at: datetime) -> str:
    """Add the date in brackets after each expression that depends on the day of writing.

    Existing annotations are skipped, so that no date is annotated twice.
    """
    pieces = ANNOTATION.split(text)  # text and annotations alternate
    bare = "".join(pieces[::2])
    # The position of each annotation in the bare text, and its length; the next one is last.
    ahead = list(zip(accumulate(map(len, pieces[::2])), map(len, pieces[1::2]), strict=False))[::-1]
    parts: list[str] = []
    read = done = 0
    for dated in dates_in(bare, said_at):
        owner = POSSESSIVE.match(bare, dated.span[1])
        end = owner.end() if owner else dated.span[1]
        if not dated.relative and NAMES_YEAR.search(dated.words):
            continue
        while ahead and ahead[-1][0] <= dated.span[0]:
            read += ahead.pop()[1]
        if not (ahead and ahead[-1][0] <= end):
            parts += [text[done : end + read], f" ({_iso(dated.first, dated.last)})"]
            done = end + read
    return "".join(parts) + text[done:]


def anniversary(text: str) -> tuple[int, int, int | None] | None:
    """Month, day and, if stated, year of the first full date in a text."""
    read = truncate(text)
    dotted = [
        DateMatch("dotted", [part], (0, 0), False)
        for part in parse_parts(fold_with_positions(read)[0])
        if part.meaning.part == "G"
    ]
    for match in [*find_matches(read), *dotted]:
        if match.rule in FULL_DATES:
            year, month, day = _year_month_day(match, date.min)
            if 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]:
                return month, day, year or None
    return None


ABSOLUTE: Final = frozenset({"full", "day", "month_first", "dotted", "span", "month", "year"})
FULL_DATES: Final = frozenset({"full", "day", "month_first", "dotted"})
NAMES_YEAR: Final = re.compile(r"\d{4}")
POSSESSIVE: Final = re.compile(r"['’]s(?!\w)")
ANNOTATION: Final = re.compile(r"(\s?[(（]\d{4}(?:-\d\d){0,2}(?: to \d{4}-\d\d-\d\d)?[)）])")
WEEK: Final = timedelta(days=7)


def _resolve(match: DateMatch, today: date) -> tuple[date, date] | None:
    """The first and last day of a match, for a text written today."""
    rule = match.rule
    if rule in FULL_DATES:
        year, month, day = _year_month_day(match, today)
        return _single_day(date(year, month, day) if year else _nearest(today, month, day, past=match.past))
    if rule in ("span", "month", "modified_month"):
        return _resolve_month(match, today)
    if rule == "year":
        return _unit("year", match.first("Y") - today.year, today)
    if rule == "weekday":
        return _single_day(_weekday(match, today))
    if rule == "weekday_of_week":
        return _single_day(_unit("week", match.first("<>="), today)[0] + timedelta(days=match.first("W")))
    if rule == "day_of_month":
        return _single_day(_nearest_in_month(today, match))
    unit = match.take("UuyqVjSHZ")[-1].unit
    if rule == "unit":
        return None if unit == "day" else _unit(unit, match.first("<>="), today)
    if rule == "fixed":
        return _unit(unit, match.first("SHZ"), today)
    count = sum(combine_numbers([meaning.number for meaning in match.take("dncsaV")])) or match.first("V", 1)
    count = 7 if count == 9 and match.take("s") else count  # French "sept" is seven where it counts
    count = count if rule == "ahead" else -count
    if unit == "weekend":
        return None
    return (
        _single_day(today + count * (WEEK if unit == "week" else timedelta(days=1)))
        if unit in ("day", "week")
        else _unit(unit, count, today)
    )


def _year_month_day(match: DateMatch, today: date) -> tuple[int, int, int]:
    """The year (0 if none), month and day in figures or words."""
    for meaning in match.take("FG"):
        *years, month, day = (int(figure) for figure in meaning.unit.split("-"))
        if years and len(meaning.unit.split("-")[0]) <= 2:
            years[0] += 2000 if years[0] <= 50 else 1900
        if month > 12 >= day:
            month, day = day, month
        return years[0] if years else 0, month, day
    numbers = [meaning.number for meaning in match.take("dOoc")]
    if match.take("q"):
        year = today.year + match.first("Z") if match.take("Z") and today != date.min else match.first("Y")
        return year, numbers[0], numbers[1]
    return match.first("Y"), match.first("Mmbs"), numbers[0]


def _resolve_month(match: DateMatch, today: date) -> tuple[date, date]:
    for meaning in match.take("K"):
        year, month = (int(figure) for figure in meaning.unit.split("-"))
        return _unit("month", (year - today.year) * 12 + month - today.month, today)
    month = match.first("Mmbs") or match.first("dc")
    ahead = (month - today.month) % 12
    year = match.first("Y") or (today.year + match.first("<>=Z") if match.take("UyZ") else 0)
    if any(meaning.unit != "year" for meaning in match.take("UZ")):
        raise ValueError("a month relative to no year")
    if year:
        ahead = (year - today.year) * 12 + month - today.month
    elif modifier := next(iter(match.take("<>=")), None):
        if not modifier.number:
            ahead = month - today.month
        elif modifier.number > 0:
            ahead = ahead or 12
        else:
            ahead -= 12
    elif match.past and ahead:
        ahead -= 12
    return _unit("month", ahead, today)


def _weekday(match: DateMatch, today: date) -> date:
    weekday = match.first("Ww")
    to_come = (weekday - today.weekday() - 1) % 7 + 1
    modifier = next(iter(match.take("<>=")), None)
    manner = modifier.unit if modifier else "last" if match.past else "coming"
    if manner == "last":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    if manner == "this":
        return today + timedelta(days=to_come % 7)
    if modifier and not manner:
        return today + timedelta(days=weekday - today.weekday()) + modifier.number * WEEK
    return today + timedelta(days=to_come)


def _unit(unit: str, ahead: int, today: date) -> tuple[date, date]:
    """The day, week, weekend, month or year `ahead` units after the current one."""
    if unit == "day":
        return _single_day(today + timedelta(days=ahead))
    if unit in ("week", "weekend"):
        monday = today + ahead * WEEK - timedelta(days=today.weekday())
        return monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6)
    if unit == "year":
        return date(today.year + ahead, 1, 1), date(today.year + ahead, 12, 31)
    count = today.year * 12 + today.month - 1 + ahead
    first = date(count // 12, count % 12 + 1, 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def _nearest(today: date, month: int, day: int, *, past: bool) -> date:
    """The next such day from today on, or the last one up to today. 29 February may be eight years away."""
    for years in range(9):
        year = today.year + (-years if past else years)
        if day <= monthrange(year, month)[1]:
            found = date(year, month, day)
            if found <= today if past else found >= today:
                return found
    raise ValueError("no such day")


def _nearest_in_month(today: date, match: DateMatch) -> date:
    """The next such day of the month, on the weekday if one is given."""
    day, weekdays = match.first("dO"), {meaning.number for meaning in match.take("W")}
    for months in range(3):
        first, last = _unit("month", -months if match.past else months, today)
        found = first.replace(day=min(day, last.day))
        in_time = found <= today if match.past else found >= today
        if found.day == day and in_time and weekdays <= {found.weekday()}:
            return found
    raise ValueError("no such day")


def _single_day(day: date) -> tuple[date, date]:
    return day, day


def _iso(first: date, last: date) -> str:
    if first == last:
        return first.isoformat()
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return f"{first.year:04}"
    if first.day == 1 and last == _unit("month", 0, first)[1]:
        return first.isoformat()[:7]
    return f"{first} to {last}"
