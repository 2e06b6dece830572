"""The words that dates in a text are made of, besides those of `time` and `numbers`; accents and hyphens do not matter.

What only some languages have may be left out.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Months, Weekdays, Words


class RelativeDays(LexiconSection):
    today: Words
    tomorrow: Words
    yesterday: Words
    perhaps_yesterday: Words = ()
    """Means something else in another language: it counts where the text is in this one."""
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
    """They stand before a weekday, month or unit; `_behind` stands behind it, `_around` on either side. "Next" and its
    kin count calendar weeks from this one; "coming" and "last" mean the day that comes or went by."""

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
    """Counts as one without a number: "через неделю"."""
    one_week: Words = ()
    one_month: Words = ()
    one_year: Words = ()
    two_days: Words = ()
    """Duals."""
    two_weeks: Words = ()
    two_months: Words = ()
    two_years: Words = ()
    year_behind: Words = ()
    """Stands behind the figure of a year, as it does behind a count."""
    month_behind: Words = ()
    day_behind: Words = ()


class DateCounts(LexiconSection):
    """What makes a count of units reach ahead or back, from before or behind it."""

    within: Words = ()
    """Reaches ahead before a count, and stands before dates as well: "in"."""
    ahead_before: Words = ()
    ahead_behind: Words = ()
    back_before: Words = ()
    back_behind: Words = ()


class DateSurroundings(LexiconSection):
    before: Words
    """What stands before a date: "on", "until"."""
    since: Words = ()
    """The same, where the date is over."""
    behind_month: Words = ()
    of: Words = ()
    """Stands within a date."""
    first: Words = ()
    """The first day of a month."""
    to: Words = ()
    """Between two weekdays it makes them a habit, as `every` does before one."""
    every: Words = ()
    time_of_day: Words = ()
    """Behind a number that is then no day."""
    no_date: Words = ()
    """Holds a word of a date and means none."""


class DateWords(LexiconSection):
    months: Months = ()
    """From January on, besides those of `time`."""
    written_year: Alternatives = NEVER
    """A year without figures."""
    short_months: Months = ()
    weekdays: Weekdays = ()
    """From Monday on, besides those of `time`."""
    doubtful_weekdays: Weekdays = ()
    """They mean something else as well."""
    one: Words = ()
    """Counts one unit: "a week ago"."""
    year_or_one: Words = ()
    september_or_seven: Words = ()
    ordinal_endings: Words = ()
    """What may stand behind the figure of a day."""
    prefixes: Words = ()
    """Letters that are written together with the word that follows."""
    past: Words
    """A finite past: the Friday of "I was there on Friday" is over, unless the sentence looks ahead as well."""
    ahead: Words
    days: RelativeDays
    modifiers: DateModifiers
    units: DateUnits
    counts: DateCounts
    around: DateSurroundings
