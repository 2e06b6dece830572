"""How one language turns a sentence around."""

from memory.language.lexicon.notation import WordList
from memory.language.lexicon.section import LexiconSection


class NegationWords(LexiconSection):
    words: WordList
    """As they look after folding; of an unspaced language single signs."""
    endings: tuple[str, ...] = ()
    """Of words that negate: the end of "don't"."""
    beside: WordList = ()
    """ "No longer" and "not any more": beside a negation these say no more than it does."""
