"""What a sentence states, and whether two of them state the same, the opposite, or one more than the other. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from memory.language.claims.drift import DriftSource, unfounded
from memory.language.claims.negation import negations_of
from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.terms import pieces, plain, saying_nothing, stem, telling

ALIKE = 0.75  # of all telling words of two sentences
VAGUELY = 0.5  # of all words, where there are no telling ones


@derived
def _beside_a_negation() -> frozenset[str]:
    return frozenset(stem(word) for language in languages().values() for word in language.negation.beside)


@derived
def _degrees() -> frozenset[str]:
    return frozenset(stem(word) for language in languages().values() for word in language.statements.degrees)


@derived
def _synonyms() -> Mapping[str, str]:
    groups = [group for language in languages().values() for group in language.statements.synonyms]
    return {stem(word): stem(group[0]) for group in groups for word in group}


class _Verb(NamedTuple):
    now: frozenset[str]
    before: frozenset[str]
    is_perfect: bool


@derived
def _verbs() -> Sequence[_Verb]:
    """Only where both sentences have one of these, and nothing in between, is one of another time."""
    tenses = [tense for language in languages().values() for tense in language.statements.tenses]
    return [_Verb(_pieces(tense.now), _pieces(tense.before), tense.perfect) for tense in tenses]


def _pieces(forms: Sequence[str]) -> frozenset[str]:
    return frozenset(pieces(" ".join(forms)))


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
    tenses: frozenset[tuple[int, bool]]

    @property
    def bare(self) -> frozenset[str]:
        """Its telling words without those that turn it around."""
        beside = _beside_a_negation() if self.negations else set()
        return self.telling - {stem(word) for word in self.negations} - beside


def statement(words: str, at: datetime, subject: str | None = None) -> Statement:
    synonyms = _synonyms()
    said, told = set(pieces(words)), {synonyms.get(word, word) for word in telling(words) - _degrees()}
    is_vague = not told or told <= said & saying_nothing()
    every = frozenset(said if is_vague else told)
    return Statement(words, at, subject, plain(words), every, frozenset(negations_of(words)), is_vague, _tenses(said))


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether the first says what the other does: in the same telling words, in fewer of them, or in nearly the same
    ones about the same subject. It names nothing that the other does not."""
    if one.letters == other.letters:
        return True
    if one.negations != other.negations or not one.telling or is_of_another_time(one, other):
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
    is_more = len(other.telling) > 1 and other.telling < one.telling
    return is_more and one.negations == other.negations and not is_of_another_time(one, other)


def is_of_another_time(one: Statement, other: Statement) -> bool:
    """Whether one says of now what the other says of before ("is my boss", "was my boss")."""
    return any((verb, not is_past) in other.tenses for verb, is_past in one.tenses)


def says_the_opposite(one: Statement, other: Statement) -> bool:
    """The same telling words, and only one of them negated."""
    return bool(one.bare) and one.bare == other.bare and bool(one.negations) != bool(other.negations)


def differs(one: Statement, other: Statement) -> bool:
    """Whether it names a number, a day or somebody that the other does not."""
    return bool(unfounded(one.words, [DriftSource(other.words, other.at)]))


def _tenses(said: set[str]) -> frozenset[tuple[int, bool]]:
    """Verbs that speak of one time only, and whether that is over: "has lived" is not."""
    verbs = _verbs()
    spoken = [(at, not said.isdisjoint(verb.now), not said.isdisjoint(verb.before)) for at, verb in enumerate(verbs)]
    told = {(at, is_past) for at, is_now, is_past in spoken if is_now != is_past}
    present = {(at, is_past) for at, is_past in told if not is_past}
    return frozenset(present if any(verbs[at].is_perfect for at, _ in present) else told)
