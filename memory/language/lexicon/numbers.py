"""The number words of a language, keyed by number."""

from pydantic import Field

from memory.language.lexicon.section import LexiconSection

Numbered = dict[int, tuple[str, ...]]


class Numerals(LexiconSection):
    """Numeral characters of a language without spaces."""

    digits: Numbered
    times: Numbered
    ordinal: str
    """Precedes an ordinal numeral."""
    counted: tuple[str, ...]
    """Follows a numeral that counts something."""


class NumberWords(LexiconSection):
    cardinals: Numbered
    ordinals: Numbered
    """May start at three, where "first" and "second" are too ambiguous."""
    joining: tuple[str, ...] = ()
    """May join the words of one number: "and"."""
    articles: tuple[str, ...] = ()
    """Words that mean one where the grammar requires a number, in addition to the number word."""
    scales: Numbered = Field(default_factory=dict)
    """Words that multiply the figures before them, in addition to the number words."""
    like_numbers: Numbered = Field(default_factory=dict)
    """Words that imply a number, such as "dozen". They support a stated number, but state none themselves."""
    unit_and_ten: str | None = None
    """Joins a unit and the following ten in one word: "einundzwanzig"."""
    is_hundreds_joined: bool = False
    """True if a unit and its hundred or thousand are one word."""
    twenty_and_unit: str | None = None
    """The beginning of the words for 21 to 29, if the unit follows in the same word: "veintiuno"."""
    is_unit_first: bool = False
    """True if the unit precedes its ten as a separate word."""
    prefixes: tuple[str, ...] = ()
    """Attached to the following number: "and", "with", "for", "the"."""
    numerals: Numerals | None = None
