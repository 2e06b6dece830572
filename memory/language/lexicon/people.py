"""Patterns for statements about other people and a shared life, written as in `[precheck]`.

A capital alone proves no name, since every sentence begins with one. A verb about people must follow.
"""

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection


class PeopleWords(LexiconSection):
    no_name: Alternatives = NEVER
    """Capitalised words that are no names, including words that begin a sentence."""
    things: Alternatives = NEVER
    """Frequently mentioned things that are capitalised like a name."""
    article: Alternatives = NEVER
    """May precede a name."""
    steps: Alternatives = NEVER
    """May stand between a person and the verb."""
    does: Alternatives = NEVER
    """Verbs about a person, after a name or a pronoun."""
    he: Alternatives = NEVER
    acts: Alternatives = NEVER
    """Verbs after a name that begins its clause: many, except those that are also said of things."""
    kin: Alternatives
    """Family, pets and homes without "my", at the beginning of a clause."""
    kin_does: Alternatives
    """Turns `kin` into a statement; includes the leading space."""
    lives: Alternatives
    """States a fact anywhere in a clause, about any person."""
