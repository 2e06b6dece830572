"""Patterns for statements of users about themselves.

A pattern starts at a word boundary, or anywhere in a language without spaces. A model call that finds nothing is better
than a missed fact. The patterns are therefore broad and have exceptions.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class PrecheckWords(LexiconSection):
    asks: Alternatives
    """Beginnings of clauses that are questions, orders or hypotheses."""
    asks_first: bool = True
    """True if question words open the question. The text before them in the clause is then a statement."""
    asks_within: Alternatives = NEVER
    """Words that make a clause a question or an order in any position."""
    chat: Alternatives
    """Anywhere in a clause: it is about the current task."""
    tells: Alternatives
    speaks: Alternatives = NEVER
    """The first person with any other verb: a statement unless `at_hand` matches."""
    at_hand: Alternatives = NEVER
    bare: Alternatives = NEVER
    """A statement only at the beginning of a clause, where "I" is omitted."""
    cuts: Alternatives = NEVER
    """Words that separate two clauses; the first clause ends before them."""
