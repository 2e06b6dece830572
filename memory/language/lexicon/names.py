"""The words by which a name is told from what is written with a capital for another reason.

All as they look after folding.
"""

from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class CapitalisedNouns(LexiconSection):
    """Of a language that writes every noun with a capital."""

    before: Words
    """What stands before a noun and not before a name."""
    declined_before: Words
    """The same, with one of the `declined_endings` or without."""
    declined_endings: Words
    adjective_endings: Words
    """A word that ends with one of them is taken for an adjective, which makes what follows a noun."""
    no_adjectives: Words
    """What ends so and is none."""
    before_names: Words
    """What stands before a name, though it may end like an adjective."""
    endings: Words
    """How nouns end and names do not."""
    everyday: Words
    """Nouns that often stand without any of this."""


class NameWords(LexiconSection):
    no_names: Words
    """What the program calls the people, forms of address, and short signs that are written as one likes."""
    openers: Words
    """What opens a sentence and is no name, besides the function words."""
    verbs: Words
    """Verbs of the third person, which follow a name; each in its language, for "a" is one in French."""
    joiners: Words
    """What joins one name with the next."""
    endings: Words = ()
    """By which forms of one name differ: "Annas", "Italian"."""
    verb_endings: Words = ()
    """How verbs of the third person end."""
    no_verb_endings: Words = ()
    """How words end that look like such verbs and are none."""
    gerund_endings: Words = ()
    """Of what opens a sentence before a verb and is no name."""
    no_subject_endings: Words = ()
    """Of what opens a sentence and is no name, whatever follows."""
    nouns: CapitalisedNouns | None = None
