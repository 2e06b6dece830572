"""What its owner is told of what happened in the background: receipts, cards that wait, reminders; each once."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from db.ids import timed_id
from db.queries.consolidation import notices as queries
from db.queries.consolidation.notices import NoticeRow
from db.queries.facts.facts import FactRow, versions_of
from db.queries.facts.proposals import waiting_proposals
from db.viewer import Viewer
from db.vocabulary import NoticeKind
from memory.facts.receipts import Receipt, ReceiptKind
from memory.turn.outcome import NoticeCode, Outcome
from memory.unit import Memory, Unit


@dataclass(slots=True)
class Told:
    """`cards` counts those that still wait."""

    receipts: list[Receipt] = field(default_factory=list)
    cards: int = 0
    reminders: list[FactRow] = field(default_factory=list)


async def add_receipt(unit: Unit, receipt: Receipt) -> None:
    await _add(unit, NoticeKind.RECEIPT, f"{receipt.row.id}@{receipt.row.version}", [receipt.row.id], unit.now)


async def add_cards(unit: Unit, batch: str, ids: Sequence[str]) -> None:
    await _add(unit, NoticeKind.CARDS, batch, ids, unit.now)


async def add_reminder(unit: Unit, fact_id: str, day: str, due_at: datetime) -> bool:
    """Whether it is new: a fact is reminded of once on a day."""
    return await _add(unit, NoticeKind.REMINDER, f"{fact_id}/{day}", [fact_id], due_at)


async def add_notices(unit: Unit, outcome: Outcome) -> None:
    """Add what is still to be told, in the transaction that keeps the answer, so that each thing is told once; aloud
    nothing is."""
    if unit.viewer.is_aloud:
        return
    told = await tell(unit)
    outcome.receipts += told.receipts
    for row in told.reminders:
        outcome.notice(NoticeCode.REMINDER, words=row.words)
    if told.cards:
        outcome.notice(NoticeCode.CARDS_WAIT, count=told.cards)


async def tell(unit: Unit) -> Told:
    """All that the viewer has still to be told, alone with the assistant; from here on it is told. What was taken back,
    answered or forgotten meanwhile is not worth a word."""
    told = Told()
    rows = await queries.untold(unit.session, unit.viewer, unit.now)
    if not rows:
        return told
    waiting = {card.id for card in await waiting_proposals(unit.session, unit.viewer, unit.now)}
    for row in rows:
        match row.kind:
            case NoticeKind.RECEIPT:
                if receipt := await _receipt(unit, row):
                    told.receipts.append(receipt)
            case NoticeKind.CARDS:
                told.cards += len(waiting.intersection(row.refs))
            case NoticeKind.REMINDER:
                if fact := await reminded(unit, row):
                    told.reminders.append(fact)
    await queries.mark_told(unit.session, unit.viewer, [row.id for row in rows], unit.now)
    return told


async def claim_reminders(
    memory: Memory, tenant: str, whose: str, now: datetime, held_for: timedelta, *, limit: int
) -> Sequence[tuple[str, str]]:
    """Reminders that are due for people whose id begins so, with their owners; nobody else gets them meanwhile."""
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        return await queries.claim_reminders(session, whose, now, held_for, limit=limit)


async def reminder(unit: Unit, notice_id: str) -> FactRow | None:
    """The fact that a reminder is about; nothing, once its owner was told or the fact is gone."""
    row = await queries.notice(unit.session, unit.viewer, notice_id)
    return await reminded(unit, row) if row else None


async def mark_told(unit: Unit, notice_id: str) -> None:
    await queries.mark_told(unit.session, unit.viewer, [notice_id], unit.now)


async def reminded(unit: Unit, row: NoticeRow) -> FactRow | None:
    """The fact that a reminder is about, as it stands."""
    versions = await _versions(unit, row)
    return versions[-1] if versions and not versions[-1].forgotten else None


async def _receipt(unit: Unit, row: NoticeRow) -> Receipt | None:
    """Made from the stored row, as every receipt is; of a change that still stands."""
    versions = await _versions(unit, row)
    number = int(row.key.rpartition("@")[2])
    if not versions or versions[-1].version != number:
        return None
    before = versions[-2] if len(versions) > 1 else None
    kind = ReceiptKind.STORED if before is None else ReceiptKind.CHANGED
    return Receipt(ReceiptKind.RESTORED if before and before.forgotten else kind, versions[-1], before)


async def _versions(unit: Unit, row: NoticeRow) -> list[FactRow]:
    return await unit.vault.opened(await versions_of(unit.session, unit.viewer, list(row.refs)))


async def _add(unit: Unit, kind: NoticeKind, key: str, refs: Sequence[str], due_at: datetime) -> bool:
    """Its owner alone reads it, wherever it came to be."""
    async with unit.in_private() as private:
        return await queries.add_notice(
            private.session,
            private.viewer,
            id=timed_id("ntc", unit.now),
            kind=kind,
            key=key,
            refs=refs,
            due_at=due_at,
            now=unit.now,
        )
