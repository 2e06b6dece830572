"""Words that separate the writer's own sentences from forwarded text, and full stops from other dots."""

from memory.language.lexicon.notation import NEVER, Alternatives, WordList
from memory.language.lexicon.section import LexiconSection


class SentenceWords(LexiconSection):
    forwarded: Alternatives = NEVER
    """Beginnings of the header of a forwarded message."""
    headers: Alternatives = NEVER
    """Header names of an e-mail, followed by a colon."""
    task: Alternatives
    """Beginnings of a task about a text: "Translate into German"."""
    before_task: Alternatives = NEVER
    """May precede the task; includes the trailing space."""
    abbreviations: WordList = ()
    """A full stop after these does not end a sentence."""
    after_ordinal: Alternatives = NEVER
    """Follows an ordinal that is written with a full stop; case-sensitive and not folded."""
