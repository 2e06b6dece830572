"""Stores extracted facts with a receipt, or asks about them on a card, by their owner's mode.

Nothing is stored silently. Facts from imported messages are always asked about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from db.queries.facts.facts import lock_facts_of
from db.queries.facts.proposals import ProposalRow, unaccepted
from db.vocabulary import Approval, Mode, ProposalKind, ProposalStatus
from memory.consolidation.extraction.drafts import ExtractedFact
from memory.consolidation.extraction.reconcile import Relation, reconcile, says_the_same
from memory.errors import KeyMissing, Refused
from memory.facts import facts, proposals
from memory.facts.consent import ASK, Step, may_add, may_change
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt, ReceiptKind
from memory.language.terms import key_terms
from memory.turn import background_notices
from memory.unit import Unit


@dataclass(slots=True)
class KeptFacts:
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.receipts) + len(self.cards)


async def keep_facts(
    unit: Unit,
    candidates: Sequence[ExtractedFact],
    mode: Mode,
    distances: Mapping[str, Mapping[str, float]],
    batch: str,
) -> KeptFacts:
    """Store or propose the candidates. `batch` identifies their origin, so that the owner is notified once."""
    kept = KeptFacts()
    if not candidates or mode == Mode.MANUAL:
        return kept
    await lock_facts_of(unit.session, unit.viewer)
    for candidate in candidates:
        try:
            async with unit.session.begin_nested():
                await _keep(unit, candidate, mode, distances.get(candidate.undated, {}), kept)
        except (Refused, KeyMissing):
            continue  # forgotten, rejected, an excluded category, or too many cards
    for receipt in kept.receipts:
        await background_notices.add_receipt(unit, receipt)
    if kept.cards:
        await background_notices.add_cards(unit, batch, [card.row.id for card in kept.cards])
    return kept


async def comparable_facts(unit: Unit, candidates: Sequence[ExtractedFact]) -> dict[str, dict[str, str]]:
    """The facts whose vectors to compare with each candidate: those that share a key term. Sensitive facts are
    included, since nothing leaves this machine and nothing is stored."""
    known = await facts.own_facts(unit)
    return {
        candidate.undated: {row.id: row.words for row in known if key_terms(candidate.undated) & key_terms(row.words)}
        for candidate in candidates
    }


async def _keep(
    unit: Unit, candidate: ExtractedFact, mode: Mode, distances: Mapping[str, float], kept: KeptFacts
) -> None:
    known = await facts.own_facts(unit)
    cards = await unit.vault.open_rows(await unaccepted(unit.session, unit.viewer))
    asked = [card.content for card in cards if card.content and not _is_rejected_update(card)]
    reconciliation = reconcile(candidate, known, asked, distances)
    if reconciliation.relation == Relation.SAME:
        return
    draft, message = candidate.draft, candidate.message.text
    if reconciliation.relation == Relation.CHANGE and reconciliation.fact is not None:
        if any(says_the_same(candidate, card.content) for card in cards if card.content):
            return
        draft = replace(draft, category=reconciliation.fact.category, attribute=reconciliation.fact.attribute)
        verdict = (
            ASK if candidate.message.is_secondhand else may_change(message, reconciliation.fact, candidate.undated)
        )
        if verdict.approval is None:
            kept.cards.append(await proposals.propose(unit, ProposalKind.UPDATE, draft, reconciliation.fact))
        else:
            _add_receipt(kept, await facts.revise(unit, reconciliation.fact.id, draft, verdict.approval))
        return
    verdict = ASK if candidate.message.is_secondhand else may_add(mode, message, None, candidate.undated)
    if verdict.step == Step.ACT:
        _add_receipt(kept, await facts.remember(unit, draft, Approval.AUTO, separate=True, replaces=False))
    elif verdict.step == Step.ASK:
        kept.cards.append(await proposals.propose(unit, ProposalKind.ADD, draft))


def _is_rejected_update(card: ProposalRow) -> bool:
    """A rejected update may have been no change of that fact, so the statement may still be a new one."""
    return card.kind == ProposalKind.UPDATE and card.status == ProposalStatus.REJECTED


def _add_receipt(kept: KeptFacts, receipt: Receipt) -> None:
    if receipt.kind != ReceiptKind.KNOWN:
        kept.receipts.append(receipt)
