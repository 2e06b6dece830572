"""Finds the dates that a text names, outright or counted from the day it was written, and writes them out.

Which day is meant, where people differ:

- "Friday", "on Friday": the next one after today; who means today says so. With "this" today counts, too.
- "next Friday" (nächsten, prochain, следующую, अगले, 下周): the Friday of the next calendar week, which starts on
  Monday; so said on a Wednesday it is nine days off. "This Friday" is the nearer one.
- "coming Friday" (kommenden, próximo, que viene, القادمة): the next one after today, as "on Friday".
- "last Friday": the latest one before today; Chinese 上周五 is that of the calendar week before.
- "in two weeks" is a day; "in two months" is a month and "in two years" a year, for nobody means them to the day.
- A day or month without a year is the next one from today on; where the sentence has a verb in the past, the last one.
- 05/12/2027 is the fifth of December, as in most countries; 05/13/2027 can only be May.
- Hindi कल and परसों mean a day before or after today alike: they are left alone.
"""

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from memory.language.sentences import folded
from memory.language.time.date_parts import SINCE, DatePart, Meaning, beginning, parts_of
from memory.language.time.numbers import amounts

# A date as the parts of its words, the longer ones first. See date_parts.py for the letters.
COUNT: Final = "(?<![-,])(?:[dn]|[cs]{1,2}|[aj])"
UNIT: Final = "[Uuyqj]"
MONTH: Final = "(?:[Mms]|b\\.?)"
DAY: Final = "[dOo]"
WEEKDAY: Final = "(?:W[,f]?)?"
GRAMMAR: Final = re.compile(
    "|".join(
        f"(?P<{name}>{pattern})"
        for name, pattern in (
            ("every", "E[aw=<]?[WU]|W[kpia-]W"),
            ("full", f"{WEEKDAY}F"),
            ("day", f"(?:Yy|Z)?[dc]q[dc]r?|{WEEKDAY}f?(?:{DAY}f{{0,2}}{MONTH}|d\\.[Mb])(?:[,f]?Y[yr]?|\\.Y)?"),
            ("month_first", f"{WEEKDAY}(?<!i){MONTH}f?{DAY}(?!\\.[dn]|{UNIT})(?:,?Y)?"),
            ("dotted", "(?<=[pW])G|^G"),
            ("span", f"(?:Yy|Z)[dc]q|{MONTH}[,f]?Yy?|K"),
            ("weekday_of_week", "(?<!E)(?:W[pif]{0,2}[<=][Uu]|Wf{0,2}U[>=]|[<=]U[pif,]?W|U[>=][pif,]{0,2}W)"),
            ("day_of_month", "(?<!E)Wf?[dO](?![tp])|(?<=[pf])O(?=[.,!p-]|$)"),
            ("weekday", "[<=][Ww]|[Ww][>=]|(?<![Eacj])W(?![nd]q)|(?<=[pi])w"),
            ("modified_month", f"{MONTH}f?(?:[<=][Uy]|U[>=])|[<=][Uy][pi]{MONTH}|[<=]{MONTH}|{MONTH}[>=]"),
            ("unit", "[<=][Uuyq](?!f|[dO])|[Uuj][>=]"),
            ("ahead", f"[Ii]{COUNT}{UNIT}|{COUNT}{UNIT}[Rh]|I[uyV]|[uV]R"),
            ("back", f"B{COUNT}{UNIT}|{COUNT}{UNIT}A|B[uV]|[uy]A"),
            ("fixed", "[SHZ]"),
            ("month", f"(?<=[pi]){MONTH}|(?<=[pi]f){MONTH}|Mh|(?<![dcn])[dc]q"),
            ("year", "(?<=[pif])Yy?|Yy|Yh|Y(?=[.,!-]|$)"),
        )
    )
)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text, from `first` to `last` inclusive; relative if it counts from the day of writing."""

    span: tuple[int, int]
    words: str
    first: date
    last: date
    relative: bool


class Reading(NamedTuple):
    """A rule of the grammar, the parts that it took, where they stand, and whether the sentence is in the past."""

    rule: str
    parts: list[DatePart]
    span: tuple[int, int]
    past: bool

    def take(self, letters: str) -> list[Meaning]:
        return [part.meaning for part in self.parts if part.meaning.part in letters]

    def first(self, letters: str, default: int = 0) -> int:
        return next((meaning.number for meaning in self.take(letters)), default)


def dates_in(text: str, said_at: datetime) -> list[Dated]:
    """The dates of a text in order; `said_at` is in the writer's own time zone. Impossible days are left out."""
    found = []
    for reading in _readings(beginning(text)):
        try:
            days = _resolved(reading, said_at.date())
        except (ValueError, OverflowError):  # there is no such day
            continue
        if days:
            found.append(Dated(reading.span, text[slice(*reading.span)], *days, reading.rule not in ABSOLUTE))
    return found


def with_dates(text: str, said_at: datetime) -> str:
    """The text with the date put behind each expression that needs its day of writing to be understood. What was
    written out before is read as if it were not there, so that nothing is written out twice."""
    pieces = WRITTEN_OUT.split(text)  # what stands between the brackets, and the brackets
    bare = "".join(pieces[::2])
    # Where brackets stood in the bare text and how long they are, the next one last.
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
    """Month, day and the year if one is named, of the first full date in a text."""
    read = beginning(text)
    loose = [Reading("dotted", [part], (0, 0), False) for part in parts_of(folded(read)[0]) if part.meaning.part == "G"]
    for reading in [*_readings(read), *loose]:
        if reading.rule in FULL_DATES:
            year, month, day = _named(reading, date.min)
            if 1 <= month <= 12 and 1 <= day <= monthrange(year or 2000, month)[1]:
                return month, day, year or None
    return None


ABSOLUTE: Final = frozenset({"full", "day", "month_first", "dotted", "span", "month", "year"})
FULL_DATES: Final = frozenset({"full", "day", "month_first", "dotted"})
NAMES_YEAR: Final = re.compile(r"\d{4}")
POSSESSIVE: Final = re.compile(r"['’]s(?!\w)")
WRITTEN_OUT: Final = re.compile(r"(\s?[(（]\d{4}(?:-\d\d){0,2}(?: to \d{4}-\d\d-\d\d)?[)）])")
WEEK: Final = timedelta(days=7)


def _readings(text: str) -> Iterator[Reading]:
    said, places = folded(text)
    parts = parts_of(said)
    letters = "".join(part.meaning.part for part in parts)
    runs = re.findall("[^.!]+|[.!]", letters)  # sentences, and what ends them
    past = [is_past for run in runs for is_past in ["z" in run and "v" not in run] * len(run)]
    for match in GRAMMAR.finditer(re.sub("[zv]", "x", letters)):
        taken = parts[match.start() : match.end()]
        since = match.start() > 0 and parts[match.start() - 1].meaning == SINCE
        span = places[taken[0].start], places[taken[-1].end - 1] + 1
        if match.lastgroup and match.lastgroup != "every" and not _is_doubtful(match, text[slice(*span)]):
            yield Reading(match.lastgroup, taken, span, past[match.start()] or past[match.end() - 1] or since)


def _is_doubtful(match: re.Match[str], words: str) -> bool:
    """Next to a bare number "may" and "march" are months only with a capital that is not that of a sentence, or where
    the words around them say so: "on may 3", not "12 may come"."""
    if match.lastgroup not in ("day", "month_first") or not re.fullmatch("[do]?m[do]?", match[0]):
        return False
    before, after = match.string[max(match.start() - 1, 0) : match.start()], match.string[match.end() : match.end() + 1]
    is_name = any(sign.isupper() for sign in words) and (before not in ("", ".", "!") or match[0][-1] == "m")
    return not is_name and before not in ("p", "f") and after == "x"


def _resolved(reading: Reading, today: date) -> tuple[date, date] | None:
    """The first and the last day that a reading means to someone who writes today."""
    rule = reading.rule
    if rule in FULL_DATES:
        year, month, day = _named(reading, today)
        return _one(date(year, month, day) if year else _nearest(today, month, day, past=reading.past))
    if rule in ("span", "month", "modified_month"):
        return _month_meant(reading, today)
    if rule == "year":
        return _unit("year", reading.first("Y") - today.year, today)
    if rule == "weekday":
        return _one(_weekday(reading, today))
    if rule == "weekday_of_week":
        return _one(_unit("week", reading.first("<>="), today)[0] + timedelta(days=reading.first("W")))
    if rule == "day_of_month":
        return _one(_nearest_in_month(today, reading))
    unit = reading.take("UuyqVjSHZ")[-1].unit
    if rule == "unit":
        return None if unit == "day" else _unit(unit, reading.first("<>="), today)
    if rule == "fixed":
        return _unit(unit, reading.first("SHZ"), today)
    count = sum(amounts([meaning.number for meaning in reading.take("dncsaV")])) or reading.first("V", 1)
    count = 7 if count == 9 and reading.take("s") else count  # French "sept" is seven where it counts
    count = count if rule == "ahead" else -count
    if unit == "weekend":
        return None
    return (
        _one(today + count * (WEEK if unit == "week" else timedelta(days=1)))
        if unit in ("day", "week")
        else _unit(unit, count, today)
    )


def _named(reading: Reading, today: date) -> tuple[int, int, int]:
    """Year (0: none), month and day that figures or words name."""
    for meaning in reading.take("FG"):
        *years, month, day = (int(figure) for figure in meaning.unit.split("-"))
        if years and len(meaning.unit.split("-")[0]) <= 2:
            years[0] += 2000 if years[0] <= 50 else 1900
        if month > 12 >= day:
            month, day = day, month
        return years[0] if years else 0, month, day
    numbers = [meaning.number for meaning in reading.take("dOoc")]
    if reading.take("q"):
        year = today.year + reading.first("Z") if reading.take("Z") and today != date.min else reading.first("Y")
        return year, numbers[0], numbers[1]
    return reading.first("Y"), reading.first("Mmbs"), numbers[0]


def _month_meant(reading: Reading, today: date) -> tuple[date, date]:
    for meaning in reading.take("K"):
        year, month = (int(figure) for figure in meaning.unit.split("-"))
        return _unit("month", (year - today.year) * 12 + month - today.month, today)
    month = reading.first("Mmbs") or reading.first("dc")
    ahead = (month - today.month) % 12
    year = reading.first("Y") or (today.year + reading.first("<>=Z") if reading.take("UyZ") else 0)
    if any(meaning.unit != "year" for meaning in reading.take("UZ")):
        raise ValueError("a month of no year")
    if year:
        ahead = (year - today.year) * 12 + month - today.month
    elif modifier := next(iter(reading.take("<>=")), None):
        if not modifier.number:
            ahead = month - today.month
        elif modifier.number > 0:
            ahead = ahead or 12
        else:
            ahead -= 12
    elif reading.past and ahead:
        ahead -= 12
    return _unit("month", ahead, today)


def _weekday(reading: Reading, today: date) -> date:
    weekday = reading.first("Ww")
    to_come = (weekday - today.weekday() - 1) % 7 + 1
    modifier = next(iter(reading.take("<>=")), None)
    manner = modifier.unit if modifier else "last" if reading.past else "coming"
    if manner == "last":
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    if manner == "this":
        return today + timedelta(days=to_come % 7)
    if modifier and not manner:
        return today + timedelta(days=weekday - today.weekday()) + modifier.number * WEEK
    return today + timedelta(days=to_come)


def _unit(unit: str, ahead: int, today: date) -> tuple[date, date]:
    """The day, week, weekend, month or year so many of them after the present one."""
    if unit == "day":
        return _one(today + timedelta(days=ahead))
    if unit in ("week", "weekend"):
        monday = today + ahead * WEEK - timedelta(days=today.weekday())
        return monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=6)
    if unit == "year":
        return date(today.year + ahead, 1, 1), date(today.year + ahead, 12, 31)
    count = today.year * 12 + today.month - 1 + ahead
    first = date(count // 12, count % 12 + 1, 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def _nearest(today: date, month: int, day: int, *, past: bool) -> date:
    """The next such day from today on, or the last one up to today; the 29th of February may be eight years off."""
    for years in range(9):
        year = today.year + (-years if past else years)
        if day <= monthrange(year, month)[1]:
            found = date(year, month, day)
            if found <= today if past else found >= today:
                return found
    raise ValueError("no such day")


def _nearest_in_month(today: date, reading: Reading) -> date:
    """The next 15th, or the next one that is the weekday which is named with it."""
    day, weekdays = reading.first("dO"), {meaning.number for meaning in reading.take("W")}
    for months in range(3):
        first, last = _unit("month", -months if reading.past else months, today)
        found = first.replace(day=min(day, last.day))
        in_time = found <= today if reading.past else found >= today
        if found.day == day and in_time and weekdays <= {found.weekday()}:
            return found
    raise ValueError("no such day")


def _one(day: date) -> tuple[date, date]:
    return day, day


def _iso(first: date, last: date) -> str:
    if first == last:
        return first.isoformat()
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        return f"{first.year:04}"
    if first.day == 1 and last == _unit("month", 0, first)[1]:
        return first.isoformat()[:7]
    return f"{first} to {last}"
