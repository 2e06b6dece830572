"""The words of dates, in addition to those of `time` and `numbers`. Accents and hyphens are ignored.

Keys that only some languages need have defaults.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Months, Weekdays, Words


class RelativeDays(LexiconSection):
    today: Words
    tomorrow: Words
    yesterday: Words
    perhaps_yesterday: Words = ()
    """A word with another meaning in another language: counts only in texts of this language."""
    day_after_tomorrow: Words = ()
    in_three_days: Words = ()
    day_before_yesterday: Words = ()
    week_after_next: Words = ()
    year_after_next: Words = ()
    next_year: Words = ()
    this_year: Words = ()
    last_year: Words = ()
    year_before_last: Words = ()


class DateModifiers(LexiconSection):
    """Words before a weekday, month or unit; `_behind` after it, `_around` on either side.

    `next`, `previous` and `present` count calendar weeks. `coming` and `last` mean the nearest such day.
    """

    next: Words = ()
    after_next: Words = ()
    previous: Words = ()
    before_previous: Words = ()
    present: Words = ()
    coming: Words = ()
    this: Words = ()
    last: Words = ()
    coming_around: Words = ()
    last_around: Words = ()
    next_behind: Words = ()
    coming_behind: Words = ()
    last_behind: Words = ()


class DateUnits(LexiconSection):
    day: Words
    week: Words
    weekend: Words
    month: Words
    year: Words
    one_day: Words = ()
    """Means one without a number: "через неделю"."""
    one_week: Words = ()
    one_month: Words = ()
    one_year: Words = ()
    two_days: Words = ()
    """Dual forms."""
    two_weeks: Words = ()
    two_months: Words = ()
    two_years: Words = ()
    year_behind: Words = ()
    """Follows the figure of a year as well as a count."""
    month_behind: Words = ()
    day_behind: Words = ()


class DateCounts(LexiconSection):
    """Words before or behind a count of units that make it reach ahead or back."""

    within: Words = ()
    """Makes a count reach ahead, and precedes dates as well: "in"."""
    ahead_before: Words = ()
    ahead_behind: Words = ()
    back_before: Words = ()
    back_behind: Words = ()


class DateSurroundings(LexiconSection):
    before: Words
    """Precedes a date: "on", "until"."""
    since: Words = ()
    """Precedes a date in the past."""
    behind_month: Words = ()
    of: Words = ()
    """Joins the parts of a date."""
    first: Words = ()
    """The first day of a month."""
    to: Words = ()
    """Makes two weekdays a habit, as `every` does with one."""
    every: Words = ()
    time_of_day: Words = ()
    """Follows a number that is an hour, not a day."""
    no_date: Words = ()
    """A phrase that contains a date word but means no date."""


class DateWords(LexiconSection):
    months: Months = ()
    """From January on, in addition to those of `time`."""
    written_year: Alternatives = NEVER
    """A year in words."""
    short_months: Months = ()
    weekdays: Weekdays = ()
    """From Monday on, in addition to those of `time`."""
    doubtful_weekdays: Weekdays = ()
    """Weekdays that have another meaning as well."""
    one: Words = ()
    """Words for a single unit: "a week ago"."""
    year_or_one: Words = ()
    september_or_seven: Words = ()
    ordinal_endings: Words = ()
    """May follow the figure of a day."""
    prefixes: Words = ()
    """Letters that are attached to the following word."""
    past: Words
    """Past verb forms: "I was there on Friday" is about last Friday, unless the sentence looks ahead as well."""
    ahead: Words
    days: RelativeDays
    modifiers: DateModifiers
    units: DateUnits
    counts: DateCounts
    around: DateSurroundings
