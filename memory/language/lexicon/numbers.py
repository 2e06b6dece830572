"""The words of a language that say numbers, each list by its number."""

from pydantic import Field

from memory.language.lexicon.section import LexiconSection

Numbered = dict[int, tuple[str, ...]]


class Numerals(LexiconSection):
    """Signs that write a number where words do not stand apart."""

    digits: Numbered
    times: Numbered
    ordinal: str
    """Stands before a numeral that says which one."""
    counted: tuple[str, ...]
    """What stands behind a numeral that counts something."""


class NumberWords(LexiconSection):
    cardinals: Numbered
    ordinals: Numbered
    """From the third on, where the first and the second say too many other things."""
    joining: tuple[str, ...] = ()
    """May stand between the words of one number: "and"."""
    articles: tuple[str, ...] = ()
    """Mean one where the grammar around them asks for a number, besides the word for one."""
    scales: Numbered = Field(default_factory=dict)
    """What follows figures and multiplies them, besides the words for numbers."""
    like_numbers: Numbered = Field(default_factory=dict)
    """What speaks of two or twelve without the word for it; it founds a number and states none."""
    unit_and_ten: str | None = None
    """Stands between a unit and the ten behind it, written as one word: "einundzwanzig"."""
    is_hundreds_joined: bool = False
    """Whether a unit and the hundred or thousand that it counts are one word."""
    twenty_and_unit: str | None = None
    """How a word for 21 to 29 begins, if it ends with the unit: "veintiuno"."""
    is_unit_first: bool = False
    """Whether units stand before their ten, as words of their own."""
    prefixes: tuple[str, ...] = ()
    """What is written together with the number that follows: "and", "with", "for", "the"."""
    numerals: Numerals | None = None
