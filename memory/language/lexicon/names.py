"""The words that distinguish a name from other capitalised words. All are folded."""

from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class CapitalisedNouns(LexiconSection):
    """For a language that capitalises every noun."""

    before: Words
    """Precedes a noun, but not a name."""
    declined_before: Words
    """The same, with or without one of the `declined_endings`."""
    declined_endings: Words
    adjective_endings: Words
    """A word with such an ending is taken for an adjective, so a noun follows."""
    no_adjectives: Words
    """Words with such an ending that are no adjectives."""
    before_names: Words
    """Precedes a name, though it may end like an adjective."""
    endings: Words
    """Endings of nouns, but not of names."""
    everyday: Words
    """Common nouns that often occur without any of these clues."""


class NameWords(LexiconSection):
    no_names: Words
    """The program's own words for people, forms of address, and abbreviations in any capitalisation."""
    openers: Words
    """Words that open a sentence and are no names, in addition to the function words."""
    verbs: Words
    """Third-person verbs, which follow a name. Matched per language: "a" is a verb in French."""
    joiners: Words
    """Words between two names."""
    endings: Words = ()
    """Different endings of the forms of one name: "Annas", "Italian"."""
    verb_endings: Words = ()
    """Endings of third-person verbs."""
    no_verb_endings: Words = ()
    """Endings of words that look like such verbs but are not."""
    gerund_endings: Words = ()
    """Endings of words that open a sentence before a verb and are no names."""
    no_subject_endings: Words = ()
    """Endings of words that open a sentence and are never names."""
    nouns: CapitalisedNouns | None = None
