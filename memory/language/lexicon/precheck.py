"""How people of one language tell something about themselves. A clause that asks or is about the chat tells nothing.

A pattern begins at the edge of a word, of an unspaced language anywhere. A call of the model that finds nothing is
better than a fact that is never found, so a wide pattern with exceptions stands where a language has one.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class PrecheckWords(LexiconSection):
    asks: Alternatives
    """How a clause begins that asks, orders, or only supposes something."""
    asks_first: bool = True
    """Whether the words that ask open the question, so that what stands before them in its clause tells."""
    asks_within: Alternatives = NEVER
    """Words that make a question or an order of a clause wherever they stand."""
    chat: Alternatives
    """Anywhere in a clause: it is about the work at hand."""
    tells: Alternatives
    speaks: Alternatives = NEVER
    """The first person with a verb of which little is known: tells, unless it is about a thing at hand."""
    at_hand: Alternatives = NEVER
    bare: Alternatives = NEVER
    """Tells only as the first words of a clause, where "I" is left out."""
    cuts: Alternatives = NEVER
    """Words between two clauses; the first clause ends before them."""
