"""Numbers and days as people read them, in the language that is spoken: money, shares, counts, days and months."""

from datetime import date
from math import ceil, log10

from babel import Locale
from babel.dates import format_date, format_skeleton, get_day_names
from babel.numbers import format_currency, format_decimal, format_percent

from memory.translation import spoken_language

CENT = 10_000  # millionths of a dollar


def money(microdollars: float) -> str:
    """In dollars; what is less than a cent has four digits, or it would look like nothing."""
    is_little = 0 < microdollars < CENT
    return _dollars(max(microdollars, 100) if is_little else microdollars, 4 if is_little else 2)


def money_line(microdollars: float, step: float) -> str:
    """The same for the round numbers beside a chart, as exact as the step from one to the next."""
    return _dollars(microdollars, 0 if step >= 1_000_000 else max(2, ceil(6 - log10(step))))


def share(part: float) -> str:
    """In percent; only what is all of it is 100 %, only what is nothing is 0 %."""
    percent = round(100 * part)
    if 0 < part < 1:
        percent = min(max(percent, 1), 99)
    return format_percent(percent / 100, locale=spoken_language())


def count(value: float) -> str:
    return format_decimal(round(value), locale=spoken_language())


def long_day(day: date) -> str:
    """With its weekday."""
    language = spoken_language()
    return format_date(day, "EEEE, d MMMM y" if language == "en" else "full", locale=language)


def short_day(day: date) -> str:
    return _day(day, "d MMM y", "yMMMd")


def axis_day(day: date, first: date, last: date) -> str:
    """As short as it can be; with its year where not all days from the first to the last are of one."""
    return _day(day, "d MMM", "MMMd") if first.year == last.year else short_day(day)


def month(day: date) -> str:
    return _day(day, "LLLL y", "yMMMM")


def weekdays() -> list[str]:
    """Monday first."""
    names = get_day_names("short", "stand-alone", locale=spoken_language())
    return [names[number] for number in range(7)]


def _day(day: date, english: str, skeleton: str) -> str:
    """In English the day comes first, as everywhere on the page; elsewhere as it is written there."""
    language = spoken_language()
    if language == "en":
        return format_date(day, english, locale=language)
    return format_skeleton(skeleton, day, locale=language)


def _dollars(microdollars: float, digits: int) -> str:
    language = spoken_language()
    pattern = Locale.parse(language).currency_formats["standard"].pattern
    exact = pattern.replace("0.00", f"0.{'0' * digits}" if digits else "0")
    return format_currency(microdollars / 1_000_000, "USD", format=exact, locale=language, currency_digits=False)
