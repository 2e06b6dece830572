"""Does with what was found what its owner chose: stored with a receipt, asked, or left. Nothing is stored silently.

What came by another hand is only ever asked, whatever its owner chose.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from db.queries.facts.facts import lock_facts_of
from db.queries.facts.proposals import ProposalRow, unaccepted
from db.vocabulary import Approval, Mode, ProposalKind, ProposalStatus
from memory.consolidation.extraction.drafts import Finding
from memory.consolidation.extraction.reconcile import Reconciled, judge, says_the_same
from memory.errors import KeyMissing, Refused
from memory.facts import facts, proposals
from memory.facts.consent import ASK, Step, may_add, may_change
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt, ReceiptKind
from memory.language.terms import telling
from memory.turn import background_notices
from memory.unit import Unit


@dataclass(slots=True)
class KeptFindings:
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.receipts) + len(self.cards)


async def keep_findings(
    unit: Unit, findings: Sequence[Finding], mode: Mode, distances: Mapping[str, Mapping[str, float]], batch: str
) -> KeptFindings:
    """`batch` names where they come from, so that their owner is told of it once."""
    kept = KeptFindings()
    if not findings or mode == Mode.MANUAL:
        return kept
    await lock_facts_of(unit.session, unit.viewer)
    for finding in findings:
        try:
            async with unit.session.begin_nested():
                await _keep(unit, finding, mode, distances.get(finding.bare, {}), kept)
        except (Refused, KeyMissing):
            continue  # forgotten, declined, not wanted, or too much to ask: it is not kept, and nobody is bothered
    for receipt in kept.receipts:
        await background_notices.add_receipt(unit, receipt)
    if kept.cards:
        await background_notices.add_cards(unit, batch, [card.row.id for card in kept.cards])
    return kept


async def compared_with(unit: Unit, findings: Sequence[Finding]) -> dict[str, dict[str, str]]:
    """The facts whose vectors are worth comparing with each finding: those that share a word with it. Sensitive ones
    too, because nothing leaves this machine for it, and nothing is kept of it."""
    known = await facts.own_facts(unit)
    return {
        finding.bare: {row.id: row.words for row in known if telling(finding.bare) & telling(row.words)}
        for finding in findings
    }


async def _keep(unit: Unit, finding: Finding, mode: Mode, distances: Mapping[str, float], kept: KeptFindings) -> None:
    known = await facts.own_facts(unit)
    cards = await unit.vault.opened(await unaccepted(unit.session, unit.viewer))
    asked = [card.content for card in cards if card.content and not _was_no_change(card)]
    judged = judge(finding, known, asked, distances)
    if judged.outcome == Reconciled.SAME:
        return
    draft, message = finding.draft, finding.message.text
    if judged.outcome == Reconciled.CHANGE and judged.fact is not None:
        if any(says_the_same(finding, card.content) for card in cards if card.content):
            return
        draft = replace(draft, category=judged.fact.category, attribute=judged.fact.attribute)
        verdict = ASK if finding.message.is_secondhand else may_change(message, judged.fact, finding.bare)
        if verdict.approval is None:
            kept.cards.append(await proposals.propose(unit, ProposalKind.UPDATE, draft, judged.fact))
        else:
            _note(kept, await facts.revise(unit, judged.fact.id, draft, verdict.approval))
        return
    verdict = ASK if finding.message.is_secondhand else may_add(mode, message, None, finding.bare)
    if verdict.step == Step.ACT:
        _note(kept, await facts.remember(unit, draft, Approval.AUTO, separate=True, replaces=False))
    elif verdict.step == Step.ASK:
        kept.cards.append(await proposals.propose(unit, ProposalKind.ADD, draft))


def _was_no_change(card: ProposalRow) -> bool:
    """A no to a change may mean that it is no change of that fact: what was said may still be something new."""
    return card.kind == ProposalKind.UPDATE and card.status == ProposalStatus.REJECTED


def _note(kept: KeptFindings, receipt: Receipt) -> None:
    if receipt.kind != ReceiptKind.KNOWN:
        kept.receipts.append(receipt)
