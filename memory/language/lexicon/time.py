"""The words for days, weeks, months and years by which a question says which time it is about.

All as they look after folding; a form that another language uses for something else is left out.
"""

from typing import Annotated

from pydantic import AfterValidator, Field

from memory.language.lexicon.section import LexiconSection

Words = tuple[str, ...]


def _all_or_none(count: int) -> AfterValidator:
    def check(listed: tuple[Words, ...]) -> tuple[Words, ...]:
        if len(listed) not in (0, count):
            raise ValueError(f"has to hold {count} lists of forms, or none")
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
    """What stands behind the figures of a date: 2026年5月12日, 5月上旬."""

    year: Words
    month: Words
    day: Words
    early: Words
    mid: Words
    late: Words


class TimeWords(LexiconSection):
    months: Months
    """From January on, the forms of each; or none."""
    doubtful_months: Words = ()
    """Those of them that mean something else as well."""
    weekdays: Weekdays
    """From Monday on, the forms of each; or none."""
    before_dates: Words = ()
    """What stands before a month or a year that is meant as a time: "in May", not "may I" and not the name April."""
    of: Words = ()
    """May stand between a day, its month and its year."""
    ordinal_endings: Words = ()
    """What may stand behind the figure of a day."""
    before_counts: Words = ()
    """Makes a count of units reach back, from before it: "vor" in "vor zwei Tagen"."""
    after_counts: Words = ()
    """The same from behind it: "ago"."""
    relative: RelativeTimes = Field(default_factory=RelativeTimes)
    units: TimeUnits = Field(default_factory=TimeUnits)
    counts: dict[int, Words] = Field(default_factory=dict)
    """The words for small numbers of units."""
    figures: DateFigures | None = None


class SpokenTime(TimeWords):
    """Of a language that is spoken: what others may leave out has to be said."""

    before_dates: Words
    relative: RelativeTimes
    units: TimeUnits
