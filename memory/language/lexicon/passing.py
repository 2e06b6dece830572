"""How one language speaks of the moment. Patterns as in `[precheck]`."""

from memory.language.lexicon.notation import Alternatives
from memory.language.lexicon.section import LexiconSection


class PassingWords(LexiconSection):
    today: Alternatives
    """A time that is over tomorrow."""
    state: Alternatives
    """How somebody is, with or without a time."""
    event: Alternatives
    """What is worth a date, and turns of a life."""
    lasts: Alternatives
    """Says that a state goes on."""
