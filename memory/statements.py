"""What a sentence states, and whether two of them state the same, the opposite, or one more than the other. Pure."""

from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime

from memory.consent import negations_of
from memory.consolidation.drift import Source, unfounded
from memory.retrieval.languages import pieces, plain, stem, telling

ALIKE = 0.75  # of all telling words of two sentences
MOSTLY = 0.5  # of the telling words of one
# "No longer" and "not any more": beside a negation they say no more than it does.
BESIDE_A_NEGATION = frozenset(map(stem, "longer anymore more mehr mas plus mais больше".split()))
# How much, and how true: said or not, the statement is the same.
DEGREES = frozenset(
    map(
        stem,
        "lot lots really very truly indeed true just quite so sehr wirklich echt muy mucho realmente tres vraiment "
        "beaucoup muito очень действительно बहुत جدا 很 真 非 常".split(),
    )
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with what it is compared by; `at` is when it was said, by the clock of who said it."""

    words: str
    at: datetime
    subject: str | None
    letters: str
    telling: frozenset[str]
    negations: frozenset[str]

    @property
    def bare(self) -> frozenset[str]:
        """Its telling words without those that turn it around."""
        return self.telling - {stem(word) for word in self.negations} - (BESIDE_A_NEGATION if self.negations else set())


def statement(words: str, at: datetime, subject: str | None = None) -> Statement:
    told = telling(words) - DEGREES or set(pieces(words))
    return Statement(words, at, subject, plain(words), frozenset(told), frozenset(negations_of(words)))


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether the first says what the other does: in the same telling words, in fewer of them, or in nearly the same
    ones about the same subject. It names nothing that the other does not."""
    if one.letters == other.letters:
        return True
    if one.negations != other.negations or not one.telling:
        return False
    subjects = {plain(each) for each in (one.subject, other.subject) if each}
    shared, both = one.telling & other.telling, one.telling | other.telling
    is_within = one.telling == other.telling or (len(one.telling) > 1 and one.telling <= other.telling)
    is_alike = len(subjects) < 2 and len(shared) >= ALIKE * len(both)
    return (is_within or is_alike) and not differs(one, other)


def says_more(one: Statement, other: Statement) -> bool:
    """All that the other says, and something besides; not the same of somebody whom the other does not name."""
    if one.subject and plain(one.subject) in one.letters and not telling(one.subject) <= other.telling:
        return False
    return len(other.telling) > 1 and other.telling < one.telling and one.negations == other.negations


def repeats(one: Statement, other: Statement, heard: Set[str]) -> bool:
    """Whether the first says nothing that the other does not, but for words that nobody was heard to say: it is mostly
    the other, and what it adds is whoever's words it was written in. `heard` are telling words."""
    if says_the_same(one, other):
        return True
    shared, added = one.telling & other.telling, one.telling - other.telling
    return one.negations == other.negations and len(shared) >= MOSTLY * len(one.telling) > 0 and not added & heard


def says_the_opposite(one: Statement, other: Statement) -> bool:
    """The same telling words, and only one of them negated."""
    return bool(one.bare) and one.bare == other.bare and bool(one.negations) != bool(other.negations)


def differs(one: Statement, other: Statement) -> bool:
    """Whether it names a number, a day or somebody that the other does not."""
    return bool(unfounded(one.words, [Source(other.words, other.at)]))
