"""Compares what was found with what is known: the same, a change of it, or something new. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from db.queries.facts.facts import FactRow
from db.vocabulary import ONE_VALUE
from memory.consolidation.extraction.drafts import Finding
from memory.consolidation.extraction.likeness import NEAR
from memory.language.claims import statements
from memory.language.claims.statements import Statement, statement
from memory.language.terms import plain, telling


class Reconciled(StrEnum):
    SAME = "same"
    CHANGE = "change"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Judgement:
    outcome: Reconciled
    fact: FactRow | None = None


NEW = Judgement(Reconciled.NEW)


def judge(
    finding: Finding, known: Sequence[FactRow], asked: Sequence[str], distances: Mapping[str, float]
) -> Judgement:
    """`asked` are the words of cards that wait or were declined; `distances` tell how far the vectors of facts are. A
    fact that was given its words after the message was said is newer than what the message says."""
    words = [row for row in known if row.content is not None]
    same = next((row for row in words if says_the_same(finding, row.words, row)), None)
    if same is not None or any(says_the_same(finding, each) for each in asked):
        return Judgement(Reconciled.SAME, same)
    near = [row for row in words if distances.get(row.id, 1.0) <= NEAR and telling(row.words) & telling(finding.bare)]
    if near and not differs(finding, near[0].words):
        return Judgement(Reconciled.SAME, near[0])
    changed = next((row for row in words if row.id == finding.changes), None)
    if changed is None and finding.draft.attribute in ONE_VALUE:
        changed = next((row for row in words if row.attribute == finding.draft.attribute), None)
    if changed is None:
        changed = next((row for row in words if says_more(finding, row.words)), None)
    if changed is None:
        return NEW
    is_older = finding.message.said_at < changed.updated_at
    return Judgement(Reconciled.SAME if is_older else Reconciled.CHANGE, changed)


def says_the_same(finding: Finding, words: str, row: FactRow | None = None) -> bool:
    """In the same telling words, in fewer of them, or in nearly the same ones about the same subject."""
    if plain(finding.draft.content) == plain(words):
        return True
    return statements.says_the_same(*_stated(finding, words, row.subject if row else None))


def says_more(finding: Finding, words: str) -> bool:
    """All that is known, and something besides."""
    return statements.says_more(*_stated(finding, words))


def differs(finding: Finding, words: str) -> bool:
    """Whether it names a number, a day or somebody that the other words do not."""
    return statements.differs(*_stated(finding, words))


def _stated(finding: Finding, words: str, subject: str | None = None) -> tuple[Statement, Statement]:
    """What was found and what is known, both as if said at the same moment."""
    at = finding.message.said_at
    return statement(finding.bare, at, finding.draft.subject), statement(words, at, subject)
