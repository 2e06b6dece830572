"""The words of a language that the offline brain understands.

Its patterns ignore case but not accents, and a space matches one space only. A rule without words is switched off.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class OfflineWords(LexiconSection):
    greetings: Words
    help: Words
    """Beginnings of messages that ask about the program's abilities."""
    thanks: Words
    question_words: Words = ()
    """Beginnings of questions without a question mark."""
    corrects: Alternatives = NEVER
    """Says that a known fact has changed."""
    lasts: Alternatives = NEVER
    """Marks a statement worth keeping, unless it contains one of `passes`."""
    passes: Alternatives = NEVER
    opening_asides: Alternatives = NEVER
    """Fillers before a statement."""
    closing_asides: Alternatives = NEVER
    """Fillers after a statement."""
    no_names: Words = ()
    """Capitalised words that are no names; case-sensitive."""

    # Patterns that decide the category of a statement.
    preference: Alternatives = NEVER
    project: Alternatives = NEVER
    occupation: Alternatives = NEVER
    person: Alternatives = NEVER
