"""The words by which it is told what is private.

Case and accents do not matter. `diabet*` begins a word, `*krebs` ends one; Han needs neither. An apostrophe or a hyphen
is a space here: "I'm" reads "i m", "HIV-positive" reads "hiv positive".
"""

from pydantic import Field

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class SensitiveSigns(LexiconSection):
    """Where words do not stand apart. A string is a set of single signs."""

    surnames: str
    """With which a name of two or three signs begins."""
    after_surname: str
    """What follows a name, besides a private matter."""
    of: str
    about: Words
    """Before a matter that is the world's."""
    studies: Words
    """Behind a matter that is the world's."""
    called: str
    not_called: str
    """What does not follow `called` where it gives a name."""
    roads: str
    road_numbers: str
    house_numbers: str
    buildings: Words
    rooms: Words


class SensitivityWords(LexiconSection):
    alike: dict[str, str] = Field(default_factory=dict)
    """Letters and signs that people swap or leave out, with what is read for them."""
    prefixes: Alternatives = NEVER
    """A pattern, for a script without other languages of ours, of what is written as one with the word that follows."""

    # Whoever is spoken of.
    kin: Words
    """Only those one has few of: "children with asthma" are nobody we know."""
    family: Words
    """Those of the family who are no `kin`."""
    persons: Words
    """All others, and verbs that say who."""
    perhaps: Words = ()
    """Somebody only where the matter follows at once: "su diabetes", but not "la diabetes y sus causas"."""
    mine: Words = ()
    owners: Words = ()
    """Before a name they say that it has something: "у"."""
    copulas: Words = ()
    links: Words = ()
    """What stands after a name, besides copulas and verbs."""
    verbs: Words
    """What follows a name, or alone opens a note: "takes insulin"."""
    fillers: Words = ()
    """May stand between a copula and a trait."""
    articles: Words = ()
    """Words before which no name stands."""
    no_names: Words
    """Words that open a sentence and are no names."""
    asides: Words
    """Set phrases that name a person or a matter and mean neither."""

    # What is private.
    traits: Words
    """What a person is. After a copula, or a name where the language needs none, it is said of somebody."""
    matters: Words
    """Illness, cure, body; bed; belief; politics and origin; crime; money: private once a person stands beside it."""
    sayings: Words
    """Private as they stand: the person is in the phrase."""
    works: Words = ()
    """Works on a matter: what follows is the world's, unless a person turns up in it."""
    studies: Words = ()
    """The same, behind the matter."""
    earns: Words
    """Says that a figure is money."""
    makes: Words = ()
    """The same where money is named: what one "makes" may be cakes."""
    currencies: Words = ()
    """How money begins that makes any number before it a figure."""
    amounts: Words = ()
    """How money begins that is made or owed."""
    thousand: Words = ()
    """May stand between a number and its money."""
    per: Words = ()
    """Stands before the time in which money is made."""
    stands: Words
    """Takes sides, with one of the `parties`."""
    parties: Words
    papers: Words
    """Papers and accounts: private where a number of theirs follows."""

    # What stays out of public channels.
    whereabouts: Words
    """Where and when somebody is at home and was born."""
    at_home: Words
    """The same, with the person in the phrase."""
    named: Words
    """What a name is given with."""
    called: Words = ()
    """May stand between one of the family and the name."""
    calls: Words
    """How to reach somebody: where a number follows."""
    streets_before: Words = ()
    """Streets of which the number stands behind."""
    streets_after: Words = ()
    """Streets of which the number stands before their names."""
    streets_behind_number: Words = ()
    """Streets that follow their number at once."""
    number_suffixes: Words = ()
    """May stand behind the number of a house."""
    no_street: Words = ()
    """What does not stand between a number and its street."""
    signs: SensitiveSigns | None = None
