"""What the brain that needs no model understands of one language.

Its patterns are matched without case, but with accents, and a space in them is a space. What may be left out is a rule
that the language then does without.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class OfflineWords(LexiconSection):
    greetings: Words
    help: Words
    """Opens a message that asks what the program can do."""
    thanks: Words
    question_words: Words = ()
    """Opens a question that has no question mark."""
    corrects: Alternatives = NEVER
    """Says that a known fact is otherwise by now."""
    lasts: Alternatives = NEVER
    """A statement that is worth keeping, unless one of `passes` is in it."""
    passes: Alternatives = NEVER
    opening_asides: Alternatives = NEVER
    """Stands before a statement and adds nothing to it."""
    closing_asides: Alternatives = NEVER
    """The same, behind it."""
    no_names: Words = ()
    """Written with a capital, and no name; case counts."""

    # By which a statement gets its category.
    preference: Alternatives = NEVER
    project: Alternatives = NEVER
    occupation: Alternatives = NEVER
    person: Alternatives = NEVER
