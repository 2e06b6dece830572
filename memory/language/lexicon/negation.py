"""The negating words of a language."""

from memory.language.lexicon.notation import WordList
from memory.language.lexicon.section import LexiconSection


class NegationWords(LexiconSection):
    words: WordList
    """Folded; single characters in a language without spaces."""
    endings: tuple[str, ...] = ()
    """Endings of negating words, as in "don't"."""
    redundant: WordList = ()
    """Words that add nothing to a negation, as in "no longer" and "not any more"."""
