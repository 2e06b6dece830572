"""The words for days, weeks, months and years in a question about a time.

All of them folded; a form that means something else in another language is left out.
"""

from typing import Annotated

from pydantic import AfterValidator, Field

from memory.language.lexicon.section import LexiconSection

Words = tuple[str, ...]


def _all_or_none(count: int) -> AfterValidator:
    def check(listed: tuple[Words, ...]) -> tuple[Words, ...]:
        if len(listed) not in (0, count):
            raise ValueError(f"must have {count} lists of forms, or none")
        return listed

    return AfterValidator(check)


Months = Annotated[tuple[Words, ...], _all_or_none(12)]
Weekdays = Annotated[tuple[Words, ...], _all_or_none(7)]


class RelativeTimes(LexiconSection):
    today: Words = ()
    yesterday: Words = ()
    day_before_yesterday: Words = ()
    this_week: Words = ()
    last_week: Words = ()
    this_month: Words = ()
    last_month: Words = ()
    this_year: Words = ()
    last_year: Words = ()


class TimeUnits(LexiconSection):
    day: Words = ()
    week: Words = ()
    month: Words = ()
    year: Words = ()


class DateFigures(LexiconSection):
    """Characters after the figures of a date: 2026年5月12日, 5月上旬."""

    year: Words
    month: Words
    day: Words
    early: Words
    mid: Words
    late: Words


class TimeWords(LexiconSection):
    months: Months
    """The forms of each month from January on, or empty."""
    doubtful_months: Words = ()
    """Month names that have another meaning as well."""
    weekdays: Weekdays
    """The forms of each weekday from Monday on, or empty."""
    before_dates: Words = ()
    """Precedes a month or year: "in May". It excludes "may I" and the name April."""
    of: Words = ()
    """May join a day, its month and its year."""
    ordinal_endings: Words = ()
    """May follow the figure of a day."""
    before_counts: Words = ()
    """Makes the following count reach back: "vor" in "vor zwei Tagen"."""
    after_counts: Words = ()
    """Makes the preceding count reach back: "ago"."""
    relative: RelativeTimes = Field(default_factory=RelativeTimes)
    units: TimeUnits = Field(default_factory=TimeUnits)
    counts: dict[int, Words] = Field(default_factory=dict)
    """Number words before units."""
    figures: DateFigures | None = None


class SpokenTime(TimeWords):
    """For spoken languages, which require more keys."""

    before_dates: Words
    relative: RelativeTimes
    units: TimeUnits
