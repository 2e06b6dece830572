"""How people of one language tell of others, and of a life they share. Patterns as in `[precheck]`.

Many a first word has a capital: a name needs a verb of people.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class PeopleWords(LexiconSection):
    no_name: Alternatives = NEVER
    """Words that begin a sentence or are always written with a capital, and name nobody."""
    things: Alternatives = NEVER
    """Written with a capital like a name, and much talked about."""
    article: Alternatives = NEVER
    """May stand before a name."""
    steps: Alternatives = NEVER
    """May stand between who and what they do."""
    does: Alternatives = NEVER
    """What is told of somebody after their name, or after he and she."""
    he: Alternatives = NEVER
    acts: Alternatives = NEVER
    """What is told of a name that begins its clause: wide, with what is said of things left out."""
    kin: Alternatives
    """Family, pets and homes without "my", as the first words of a clause."""
    kin_does: Alternatives
    """What makes a statement of it; begins with its own space."""
    lives: Alternatives
    """Tells anywhere, whoever it is."""
