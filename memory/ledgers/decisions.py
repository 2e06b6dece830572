"""Decisions: recorded by events with their grounds, superseded by later decisions and never rewritten."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.ids import timed_id
from db.queries.ledgers import decisions as queries
from db.queries.ledgers.decisions import DecisionRow
from db.vocabulary import Channel, DecisionScope, DecisionStatus, Sensitivity
from memory.errors import NotFound, Refused
from memory.events.contents import LONGEST_REF, Content, choice_of, refs_of, text_of, texts_of
from memory.language.terms import index_terms, query_terms
from memory.privacy.channels import UNSHARED_CHANNELS, ensure_loadable
from memory.refusals import Refusal
from memory.unit import Unit

LONGEST = 2000
MAX_SEARCHED = 2000
GROUNDS = ("rationale", "constraints", "alternatives", "consequences")


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    decision: str
    scope: DecisionScope = DecisionScope.PROJECT
    rationale: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    supersedes: str | None = None

    @property
    def words(self) -> dict[str, Any]:
        return {"decision": self.decision, **{name: list(getattr(self, name)) for name in GROUNDS}}


def read_decision(content: Content) -> DecisionDraft:
    """Parse the content of a decision event. Raises Refused if it is invalid."""
    decision = text_of(content, "decision", longest=LONGEST)
    if decision is None:
        raise Refused(Refusal.DECISION_EMPTY, field="decision")
    return DecisionDraft(
        decision=decision,
        scope=choice_of(content, "scope", DecisionScope) or DecisionScope.PROJECT,
        refs=refs_of(content),
        supersedes=text_of(content, "supersedes", longest=LONGEST_REF),
        **{name: texts_of(content, name) for name in GROUNDS},
    )


async def add_decision(
    unit: Unit, draft: DecisionDraft, *, event_id: str | None, ts: datetime, sensitivity: Sensitivity
) -> DecisionRow:
    """Store a decision in the transaction of its event. The database marks the superseded decision."""
    ensure_loadable(unit.viewer, sensitivity)
    if draft.supersedes is not None:
        await _ensure_supersedable(unit, draft.supersedes)
    decision_id = timed_id("dec", ts)
    words: dict[str, Any] = draft.words
    if sensitivity == Sensitivity.HIGH:
        words = {"sealed": await unit.vault.seal(decision_id, words)}
    await queries.add_decision(
        unit.session,
        unit.viewer,
        id=decision_id,
        event_id=event_id,
        ts=ts,
        sensitivity=sensitivity,
        scope=draft.scope,
        refs=list(draft.refs),
        supersedes=draft.supersedes,
        **words,
    )
    return await find(unit, decision_id)


async def active_decisions(unit: Unit, *, limit: int) -> list[DecisionRow]:
    """Decisions in force, newest first."""
    found = await queries.decisions(unit.session, unit.viewer, status=DecisionStatus.ACTIVE, limit=limit)
    return await unit.vault.open_rows(found)


async def find(unit: Unit, decision_id: str) -> DecisionRow:
    row = await queries.decision(unit.session, unit.viewer, decision_id)
    if row is None:
        raise NotFound(Refusal.DECISION_NOT_FOUND)
    return (await unit.vault.open_rows([row]))[0]


async def decision_chain(unit: Unit, decision_id: str) -> list[DecisionRow]:
    """Return a decision with all decisions it superseded, newest first."""
    found = await queries.chain_of(unit.session, unit.viewer, decision_id)
    if not found:
        raise NotFound(Refusal.DECISION_NOT_FOUND)
    return await unit.vault.open_rows(found)


async def list_decisions(
    unit: Unit,
    *,
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int,
) -> tuple[list[DecisionRow], int]:
    """Return a page of decisions, newest first, and the total count. `after` is the last row of the previous page."""
    found = await queries.decisions(unit.session, unit.viewer, status=status, scope=scope, after=after, limit=limit)
    return await unit.vault.open_rows(found), await queries.count_decisions(
        unit.session, unit.viewer, status=status, scope=scope
    )


async def search_decisions(
    unit: Unit,
    *,
    words: str = "",
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
    limit: int = 20,
) -> list[DecisionRow]:
    """Return decisions that share words with the query, best first, or the newest if there are no words.

    Rare words weigh more; ties go to the newer decision.
    """
    terms = set(query_terms(words))
    most = MAX_SEARCHED if terms else limit
    rows = await unit.vault.open_rows(
        await queries.decisions(unit.session, unit.viewer, status=status, scope=scope, limit=most)
    )
    if not terms:
        return rows
    shared = [terms.intersection(index_terms("\n".join([row.words, *row.grounds]))) for row in rows]
    counts = {term: sum(term in found for found in shared) for term in terms}
    scores = [sum(1 / counts[term] for term in found) for found in shared]
    best = sorted((at for at, score in enumerate(scores) if score), key=lambda at: (-scores[at], at))
    return [rows[at] for at in best[:limit]]


async def _ensure_supersedable(unit: Unit, decision_id: str) -> None:
    """Explain refusals in advance: the database would refuse without a clear message."""
    earlier = await queries.decision(unit.session, unit.viewer, decision_id)
    if earlier is None:
        raise NotFound(Refusal.SUPERSEDED_NOT_FOUND, field="supersedes")
    if earlier.space != unit.viewer.place:
        raise Refused(Refusal.SUPERSEDED_ELSEWHERE, field="supersedes")
    if earlier.status == DecisionStatus.SUPERSEDED:
        raise Refused(Refusal.SUPERSEDED_ALREADY, field="supersedes", by=earlier.superseded_by or "one that is gone")
    if earlier.channel not in {unit.viewer.channel, *UNSHARED_CHANNELS} and unit.viewer.channel != Channel.PUBLIC:
        raise Refused(Refusal.SUPERSEDED_ALOUD, field="supersedes")
