"""Formats money, percentages, counts and dates in the current language."""

from datetime import date
from math import ceil, log10

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names
from babel.numbers import format_currency, format_decimal, format_percent

from memory.translation import current_language

CENT = 10_000  # microdollars


def money(microdollars: float) -> str:
    """Format dollars, with four decimals below a cent, which would otherwise show as zero."""
    is_below_cent = 0 < microdollars < CENT
    return _dollars(max(microdollars, 100) if is_below_cent else microdollars, 4 if is_below_cent else 2)


def money_line(microdollars: float, step: float) -> str:
    """Format an axis label of a chart, as precise as the step between two labels."""
    return _dollars(microdollars, 0 if step >= 1_000_000 else max(2, ceil(6 - log10(step))))


def share(part: float) -> str:
    """Format a share in percent. Only 1 shows as 100 % and only 0 as 0 %."""
    percent = round(100 * part)
    if 0 < part < 1:
        percent = min(max(percent, 1), 99)
    return format_percent(percent / 100, locale=current_language())


def count(value: float) -> str:
    return format_decimal(round(value), locale=current_language())


def long_day(day: date) -> str:
    language = current_language()
    return format_date(day, "EEEE, d MMMM y" if language == "en" else "full", locale=language)


def short_day(day: date) -> str:
    return _day(day, "d MMM y", "yMMMd")


def axis_day(day: date, first: date, last: date) -> str:
    """Format a day of a range, with the year only if the range spans several."""
    return _day(day, "d MMM", "MMMd") if first.year == last.year else short_day(day)


def month(day: date) -> str:
    return _day(day, "LLLL y", "yMMMM")


def weekdays() -> list[str]:
    names = get_day_names("short", "stand-alone", locale=current_language())
    return [names[number] for number in range(7)]


def _day(day: date, english: str, skeleton: str) -> str:
    """Use the day-first order of the page in English, and the locale's own order elsewhere."""
    language = current_language()
    if language == "en":
        return format_date(day, english, locale=language)
    return format_skeleton(skeleton, day, locale=language)


def _dollars(microdollars: float, digits: int) -> str:
    language = current_language()
    pattern = Locale.parse(language).currency_formats["standard"].pattern
    exact = pattern.replace("0.00", f"0.{'0' * digits}" if digits else "0")
    return format_currency(microdollars / 1_000_000, "USD", format=exact, locale=language, currency_digits=False)
