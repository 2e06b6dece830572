"""What tells a writer's own sentences from what they pass on, and the end of a sentence from a dot in it."""

from memory.language.lexicon.notation import NEVER, Alternatives, WordList
from memory.language.lexicon.section import LexiconSection


class SentenceWords(LexiconSection):
    forwarded: Alternatives = NEVER
    """How the header of something forwarded begins."""
    headers: Alternatives = NEVER
    """Names of lines at the head of a letter, which a colon follows."""
    task: Alternatives
    """How a task begins that is about a text: "Translate into German"."""
    before_task: Alternatives = NEVER
    """May stand before it, with its space."""
    abbreviations: WordList = ()
    """A full stop after these does not end a sentence."""
    after_ordinal: Alternatives = NEVER
    """What follows an ordinal number that is written with a full stop; with its capitals, and not folded."""
