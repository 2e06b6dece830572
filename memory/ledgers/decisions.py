"""Decisions: entered by events, superseded by later ones and never rewritten, each with what it rests on."""

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
from memory.privacy.channels import ensure_loadable
from memory.unit import Unit

LONGEST = 2000
MOST_SEARCHED = 2000
UNHEARD = (Channel.PRIVATE, Channel.AGENT)
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
    """What the content of an event decides; raises where it is none."""
    decision = text_of(content, "decision", longest=LONGEST)
    if decision is None:
        raise Refused("Not kept: a decision needs words, under `decision`.", field="decision")
    return DecisionDraft(
        decision=decision,
        scope=choice_of(content, "scope", DecisionScope) or DecisionScope.PROJECT,
        refs=refs_of(content),
        supersedes=text_of(content, "supersedes", longest=LONGEST_REF),
        **{name: texts_of(content, name) for name in GROUNDS},
    )


async def enter(
    unit: Unit, draft: DecisionDraft, *, event_id: str | None, ts: datetime, sensitivity: Sensitivity
) -> DecisionRow:
    """Write a decision down, in the transaction that writes its event. What it supersedes is marked by the database."""
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


async def current(unit: Unit, *, limit: int) -> list[DecisionRow]:
    """The decisions that hold, newest first."""
    found = await queries.decisions(unit.session, unit.viewer, status=DecisionStatus.ACTIVE, limit=limit)
    return await unit.vault.opened(found)


async def find(unit: Unit, decision_id: str) -> DecisionRow:
    row = await queries.decision(unit.session, unit.viewer, decision_id)
    if row is None:
        raise NotFound("There is no such decision.")
    return (await unit.vault.opened([row]))[0]


async def chain(unit: Unit, decision_id: str) -> list[DecisionRow]:
    """A decision with all that it superseded, newest first."""
    found = await queries.chain_of(unit.session, unit.viewer, decision_id)
    if not found:
        raise NotFound("There is no such decision.")
    return await unit.vault.opened(found)


async def newest(
    unit: Unit,
    *,
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
    after: tuple[datetime, str] | None = None,
    limit: int,
) -> tuple[list[DecisionRow], int]:
    """The newest, from after one of which the moment and the id are given; and how many there are in all."""
    found = await queries.decisions(unit.session, unit.viewer, status=status, scope=scope, after=after, limit=limit)
    return await unit.vault.opened(found), await queries.count_decisions(
        unit.session, unit.viewer, status=status, scope=scope
    )


async def query(
    unit: Unit,
    *,
    words: str = "",
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
    limit: int = 20,
) -> list[DecisionRow]:
    """Decisions that share words with the question, the rarest words counting most, ties newest first; without words
    the newest."""
    asked = set(query_terms(words))
    most = MOST_SEARCHED if asked else limit
    rows = await unit.vault.opened(
        await queries.decisions(unit.session, unit.viewer, status=status, scope=scope, limit=most)
    )
    if not asked:
        return rows
    shared = [asked.intersection(index_terms("\n".join([row.words, *row.grounds]))) for row in rows]
    holders = {term: sum(term in held for held in shared) for term in asked}
    scores = [sum(1 / holders[term] for term in held) for held in shared]
    best = sorted((place for place, score in enumerate(scores) if score), key=lambda place: (-scores[place], place))
    return [rows[place] for place in best[:limit]]


async def _ensure_supersedable(unit: Unit, decision_id: str) -> None:
    """A clear word before the database's own no."""
    earlier = await queries.decision(unit.session, unit.viewer, decision_id)
    if earlier is None:
        raise NotFound("There is no such decision to supersede.", field="supersedes")
    if earlier.space != unit.viewer.place:
        raise Refused("That decision was made in another space; supersede it there.", field="supersedes")
    if earlier.status == DecisionStatus.SUPERSEDED:
        raise Refused(
            f"That decision is superseded already, by {earlier.superseded_by or 'one that is gone'}.",
            field="supersedes",
        )
    if earlier.channel not in (unit.viewer.channel, *UNHEARD) and unit.viewer.channel != Channel.PUBLIC:
        raise Refused("That was decided aloud; supersede it where everybody who knows it can hear.", field="supersedes")
