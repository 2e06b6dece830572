"""What a sentence states, and whether two of them state the same, the opposite, or one more than the other. Pure."""

from dataclasses import dataclass
from datetime import datetime

from memory.consent import negations_of
from memory.consolidation.drift import Source, unfounded
from memory.retrieval.languages import SAYING_NOTHING, pieces, plain, stem, telling

ALIKE = 0.75  # of all telling words of two sentences
VAGUELY = 0.5  # of all words, where there are no telling ones
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
# What people and models put one for the other, without saying anything else.
SYNONYMS = {
    stem(word): stem(group.split()[0])
    for group in (
        "like likes liked love loves enjoy enjoys adore adores",
        "live lives lived reside resides dwell dwells",
        "called named",
        "work works worked serve serves employed",
        "play plays played perform performs",
        "fail failed flunk flunked",
        "gusta gustan encanta encantan",
        "mag mögen liebe liebt lieben",
        "wohne wohnt lebe lebt",
        "aime aimes adore adores",
        "gosto gosta adoro adora",
        "люблю любит нравится",
        "живу живет проживаю проживает",
    )
    for word in group.split()
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with what it is compared by; `at` is when it was said, by the clock of who said it."""

    words: str
    at: datetime
    subject: str | None
    letters: str
    telling: frozenset[str]
    negations: frozenset[str]
    is_vague: bool
    """Whether it has no telling words, so that all of its words stand for them."""

    @property
    def bare(self) -> frozenset[str]:
        """Its telling words without those that turn it around."""
        return self.telling - {stem(word) for word in self.negations} - (BESIDE_A_NEGATION if self.negations else set())


def statement(words: str, at: datetime, subject: str | None = None) -> Statement:
    told = {SYNONYMS.get(word, word) for word in telling(words) - DEGREES}
    is_vague = not told or told <= set(pieces(words)) & SAYING_NOTHING
    every = frozenset(set(pieces(words)) if is_vague else told)
    return Statement(words, at, subject, plain(words), every, frozenset(negations_of(words)), is_vague)


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
    least = VAGUELY if one.is_vague and other.is_vague else ALIKE
    is_alike = len(subjects) < 2 and len(shared) >= least * len(both)
    return (is_within or is_alike) and not differs(one, other)


def says_more(one: Statement, other: Statement) -> bool:
    """All that the other says, and something besides; not the same of somebody whom the other does not name."""
    if one.subject and plain(one.subject) in one.letters and not telling(one.subject) <= other.telling:
        return False
    return len(other.telling) > 1 and other.telling < one.telling and one.negations == other.negations


def says_the_opposite(one: Statement, other: Statement) -> bool:
    """The same telling words, and only one of them negated."""
    return bool(one.bare) and one.bare == other.bare and bool(one.negations) != bool(other.negations)


def differs(one: Statement, other: Statement) -> bool:
    """Whether it names a number, a day or somebody that the other does not."""
    return bool(unfounded(one.words, [Source(other.words, other.at)]))
