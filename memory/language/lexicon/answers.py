"""How people of one language say yes and no, and how an assistant offers to remember.

All languages are tried at once, because an "ok" belongs to everybody.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class AnswerWords(LexiconSection):
    agreed: Alternatives
    polite: Alternatives
    """Says nothing of itself; with an agreement it stays one."""
    refused: Alternatives
    """First words of a refusal."""
    not_refused: Alternatives = NEVER
    """First words that look like a refusal and are none: "no problem"."""
    before_refusal: Alternatives = NEVER
    """May stand before it."""
    offered: Alternatives
    """Asks whether to remember."""
    offer_taken_back: Alternatives = NEVER
    """Words that make the contrary of an offer."""
    waiting: Alternatives
    """Waits for a word without asking: "let me know whether", "reply yes to …"."""
    and_more: Alternatives
    """Binds the offer to something else."""
    asking: Alternatives = NEVER
    """Words that end a question as a question mark does."""
