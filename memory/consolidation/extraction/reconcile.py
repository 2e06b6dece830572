"""Compares an extracted fact with the known ones: the same, a change of one, or new. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts.facts import FactRow
from db.vocabulary import ONE_VALUE
from memory.consolidation.extraction.drafts import ExtractedFact
from memory.consolidation.extraction.similarity import SAME_FACT_DISTANCE
from memory.language.claims import statements
from memory.language.claims.statements import Statement, statement
from memory.language.terms import key_terms, normalise


class Relation(StrEnum):
    SAME = "same"
    CHANGE = "change"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Reconciliation:
    relation: Relation
    fact: FactRow | None = None


NEW = Reconciliation(Relation.NEW)


def reconcile(
    candidate: ExtractedFact, known: Sequence[FactRow], asked: Sequence[str], distances: Mapping[str, float]
) -> Reconciliation:
    """Compare a candidate with known facts and with `asked`, the contents of waiting and rejected cards. `distances`
    are those of the facts' vectors. A fact that was changed after the message was sent is not changed back by it."""
    words = [row for row in known if row.content is not None]
    same = next((row for row in words if says_the_same(candidate, row.words, row)), None)
    if same is not None or any(says_the_same(candidate, each) for each in asked):
        return Reconciliation(Relation.SAME, same)
    near = [
        row
        for row in words
        if distances.get(row.id, 1.0) <= SAME_FACT_DISTANCE and key_terms(row.words) & key_terms(candidate.undated)
    ]
    if near and not differs(candidate, near[0].words):
        return Reconciliation(Relation.SAME, near[0])
    changed = next((row for row in words if row.id == candidate.changes), None)
    if changed is None and candidate.draft.attribute in ONE_VALUE:
        changed = next((row for row in words if row.attribute == candidate.draft.attribute), None)
    if changed is None:
        changed = next((row for row in words if says_more(candidate, row.words)), None)
    if changed is None:
        return NEW
    is_older = candidate.message.said_at < changed.updated_at
    return Reconciliation(Relation.SAME if is_older else Relation.CHANGE, changed)


def says_the_same(candidate: ExtractedFact, words: str, row: FactRow | None = None) -> bool:
    """Whether the candidate says the same: with the same key terms, fewer, or nearly the same about the same
    subject."""
    if normalise(candidate.draft.content) == normalise(words):
        return True
    return statements.says_the_same(*_stated(candidate, words, row.subject if row else None))


def says_more(candidate: ExtractedFact, words: str) -> bool:
    """Whether the candidate says all of the known words and more."""
    return statements.says_more(*_stated(candidate, words))


def differs(candidate: ExtractedFact, words: str) -> bool:
    """Whether the candidate names a number, date or person that the known words do not."""
    return statements.adds_details(*_stated(candidate, words))


def _stated(candidate: ExtractedFact, words: str, subject: str | None = None) -> tuple[Statement, Statement]:
    """Both as statements made at the same moment."""
    at = candidate.message.said_at
    return statement(candidate.undated, at, candidate.draft.subject), statement(words, at, subject)
