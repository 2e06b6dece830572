"""Patterns for yes and no, and for an assistant's offer to remember something.

All languages are matched at once, because "ok" is common to them.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class AnswerWords(LexiconSection):
    agreed: Alternatives
    polite: Alternatives
    """Neutral words, which may accompany an agreement."""
    refused: Alternatives
    """Beginnings of a refusal."""
    not_refused: Alternatives = NEVER
    """Beginnings that look like a refusal but are not: "no problem"."""
    before_refusal: Alternatives = NEVER
    """May precede a refusal."""
    offered: Alternatives
    """Asks whether to remember something."""
    offer_taken_back: Alternatives = NEVER
    """Words that turn an offer into its opposite."""
    waiting: Alternatives
    """Requests an answer without a question: "let me know whether", "reply yes to …"."""
    and_more: Alternatives
    """Ties the offer to something else."""
    asking: Alternatives = NEVER
    """Particles that end a question, like a question mark."""
