"""The words that mark private statements.

Case and accents are ignored. `diabet*` matches a prefix, `*krebs` a suffix; Han words match anywhere. An apostrophe or
a hyphen is a space: write "i m" for "I'm" and "hiv positive" for "HIV-positive".
"""

from pydantic import Field

from memory.language.lexicon.notation import NEVER, Alternatives
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.time import Words


class SensitiveSigns(LexiconSection):
    """For languages without spaces. A string is a set of single characters."""

    surnames: str
    """First characters of names of two or three characters."""
    after_surname: str
    """Follows a name, in addition to private matters."""
    of: str
    about: Words
    """Precedes a matter in general, as opposed to a person's."""
    studies: Words
    """Follows a matter in general, as opposed to a person's."""
    called: str
    not_called: str
    """Does not follow `called` where a name is given."""
    roads: str
    road_numbers: str
    house_numbers: str
    buildings: Words
    rooms: Words


class SensitivityWords(LexiconSection):
    alike: dict[str, str] = Field(default_factory=dict)
    """Characters that people confuse or omit, and their replacements."""
    prefixes: Alternatives = NEVER
    """A pattern for prefixes attached to a word, for a script that no other spoken language uses."""

    # People.
    kin: Words
    """Close relatives only. "Children" is left out: "children with asthma" is about children in general."""
    family: Words
    """Other family members."""
    persons: Words
    """All other people, and verbs that imply a person."""
    perhaps: Words = ()
    """A person only directly before the matter: "su diabetes", but not "la diabetes y sus causas"."""
    mine: Words = ()
    owners: Words = ()
    """Before a name they express possession: "у"."""
    copulas: Words = ()
    links: Words = ()
    """Follows a name, in addition to copulas and verbs."""
    verbs: Words
    """Follows a name, or opens a note without one: "takes insulin"."""
    fillers: Words = ()
    """May stand between a copula and a trait."""
    articles: Words = ()
    """Words that are not followed by a name."""
    no_names: Words
    """Words that open a sentence but are no names."""
    asides: Words
    """Set phrases that contain a person or a matter but mean neither."""

    # Private matters.
    traits: Words
    """Traits of a person: private after a copula, or after a name if the language needs no copula."""
    matters: Words
    """Health, body, sexuality, belief, politics, origin, crime, money: private together with a person."""
    sayings: Words
    """Private phrases that include the person."""
    works: Words = ()
    """Works about a matter, such as books. The text after them is general unless it mentions a person."""
    studies: Words = ()
    """The same, after the matter."""
    earns: Words
    """Says that a figure is income."""
    makes: Words = ()
    """The same, only with a currency: people also "make" cakes."""
    currencies: Words = ()
    """Beginnings of currency words, which make a number before them an amount of money."""
    amounts: Words = ()
    """Beginnings of currency words after an earned or owed amount."""
    thousand: Words = ()
    """May stand between a number and its currency."""
    per: Words = ()
    """Precedes the period of an income."""
    stands: Words
    """Takes a political side, together with one of the `parties`."""
    parties: Words
    papers: Words
    """Documents and accounts: private if a number follows."""

    # Personal details that stay out of public channels.
    whereabouts: Words
    """Residence and birth."""
    at_home: Words
    """The same, in phrases that include the person."""
    named: Words
    """Words that introduce a name."""
    called: Words = ()
    """May stand between a family member and the name."""
    calls: Words
    """Contact details: private if a number follows."""
    streets_before: Words = ()
    """Street words with the house number after the name."""
    streets_after: Words = ()
    """Street words with the house number before the name."""
    streets_behind_number: Words = ()
    """Street words directly after the house number."""
    number_suffixes: Words = ()
    """May follow a house number."""
    no_street: Words = ()
    """Does not occur between a house number and its street."""
    signs: SensitiveSigns | None = None
