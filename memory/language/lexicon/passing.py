"""Patterns for statements about the moment, written as in `[precheck]`."""

from memory.language.lexicon.notation import Alternatives
from memory.language.lexicon.section import LexiconSection


class PassingWords(LexiconSection):
    today: Alternatives
    """A time that is over by tomorrow."""
    state: Alternatives
    """A temporary state, with or without a time."""
    event: Alternatives
    """Appointments and life events."""
    lasts: Alternatives
    """Says that a state continues."""
