"""Compares statements: two may say the same or the opposite, or one may say more than the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from memory.language.claims.drift import DriftSource, unsupported_claims
from memory.language.claims.negation import negations_in
from memory.language.lexicon import languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import key_terms, normalise, stem, tokenise, uninformative_words

MIN_OVERLAP = 0.75  # share of the key terms of both statements
MIN_VAGUE_OVERLAP = 0.5  # share of all words, where neither has key terms


@lexicon_cached
def _redundant_with_negation() -> frozenset[str]:
    return frozenset(stem(word) for language in languages().values() for word in language.negation.redundant)


@lexicon_cached
def _degrees() -> frozenset[str]:
    return frozenset(stem(word) for language in languages().values() for word in language.statements.degrees)


@lexicon_cached
def _synonyms() -> Mapping[str, str]:
    groups = [group for language in languages().values() for group in language.statements.synonyms]
    return {stem(word): stem(group[0]) for group in groups for word in group}


class _Verb(NamedTuple):
    present: frozenset[str]
    past: frozenset[str]
    is_perfect: bool


@lexicon_cached
def _verbs() -> Sequence[_Verb]:
    """Verbs with distinct present and past forms, which show that two statements differ in tense."""
    tenses = [tense for language in languages().values() for tense in language.statements.tenses]
    return [_Verb(_forms(tense.now), _forms(tense.before), tense.perfect) for tense in tenses]


def _forms(forms: Sequence[str]) -> frozenset[str]:
    return frozenset(tokenise(" ".join(forms)))


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, prepared for comparison. `at` is the time of writing, in the writer's time zone."""

    words: str
    at: datetime
    subject: str | None
    normalised: str
    key_terms: frozenset[str]
    negations: frozenset[str]
    is_vague: bool
    """True if it has no key terms, so that all its words are compared instead."""
    tenses: frozenset[tuple[int, bool]]
    """Indexes into `_verbs()`, each with whether the verb is in the past."""

    @property
    def without_negation(self) -> frozenset[str]:
        """Its key terms without the negation."""
        redundant = _redundant_with_negation() if self.negations else set()
        return self.key_terms - {stem(word) for word in self.negations} - redundant


def statement(words: str, at: datetime, subject: str | None = None) -> Statement:
    synonyms = _synonyms()
    tokens, terms = set(tokenise(words)), {synonyms.get(word, word) for word in key_terms(words) - _degrees()}
    is_vague = not terms or terms <= tokens & uninformative_words()
    compared = frozenset(tokens if is_vague else terms)
    negations = frozenset(negations_in(words))
    return Statement(words, at, subject, normalise(words), compared, negations, is_vague, _tenses(tokens))


def says_the_same(one: Statement, other: Statement) -> bool:
    """Return whether the first statement says the same as the other and adds no details.

    Its key terms are the same, a subset, or nearly the same about the same subject.
    """
    if one.normalised == other.normalised:
        return True
    if one.negations != other.negations or not one.key_terms or differs_in_tense(one, other):
        return False
    subjects = {normalise(subject) for subject in (one.subject, other.subject) if subject}
    shared, both = one.key_terms & other.key_terms, one.key_terms | other.key_terms
    is_within = one.key_terms == other.key_terms or (len(one.key_terms) > 1 and one.key_terms <= other.key_terms)
    least = MIN_VAGUE_OVERLAP if one.is_vague and other.is_vague else MIN_OVERLAP
    is_alike = len(subjects) < 2 and len(shared) >= least * len(both)
    return (is_within or is_alike) and not adds_details(one, other)


def says_more(one: Statement, other: Statement) -> bool:
    """Return whether the first says everything that the other does, and more. A new subject is not more."""
    if one.subject and normalise(one.subject) in one.normalised and not key_terms(one.subject) <= other.key_terms:
        return False
    is_more = len(other.key_terms) > 1 and other.key_terms < one.key_terms
    return is_more and one.negations == other.negations and not differs_in_tense(one, other)


def differs_in_tense(one: Statement, other: Statement) -> bool:
    """Return whether one is in the present and the other in the past ("is my boss", "was my boss")."""
    return any((verb, not is_past) in other.tenses for verb, is_past in one.tenses)


def says_the_opposite(one: Statement, other: Statement) -> bool:
    """Return whether both have the same key terms, and only one is negated."""
    return (
        bool(one.without_negation)
        and one.without_negation == other.without_negation
        and bool(one.negations) != bool(other.negations)
    )


def adds_details(one: Statement, other: Statement) -> bool:
    """Return whether the first names a number, date or person that the other does not."""
    return bool(unsupported_claims(one.words, [DriftSource(other.words, other.at)]))


def _tenses(tokens: set[str]) -> frozenset[tuple[int, bool]]:
    """Return the verbs in one tense only, and whether that is the past. The present perfect is not past."""
    verbs = _verbs()
    found = [
        (at, not tokens.isdisjoint(verb.present), not tokens.isdisjoint(verb.past)) for at, verb in enumerate(verbs)
    ]
    tenses = {(at, is_past) for at, is_present, is_past in found if is_present != is_past}
    present = {(at, is_past) for at, is_past in tenses if not is_past}
    return frozenset(present if any(verbs[at].is_perfect for at, _ in present) else tenses)
