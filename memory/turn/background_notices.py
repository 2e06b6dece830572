"""Notices about background work, each delivered once: receipts, waiting cards and reminders."""

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
class PendingNotices:
    receipts: list[Receipt] = field(default_factory=list)
    cards: int = 0
    """How many cards wait for an answer."""
    reminders: list[FactRow] = field(default_factory=list)


async def add_receipt(unit: Unit, receipt: Receipt) -> None:
    await _add(unit, NoticeKind.RECEIPT, f"{receipt.row.id}@{receipt.row.version}", [receipt.row.id], unit.now)


async def add_cards(unit: Unit, batch: str, ids: Sequence[str]) -> None:
    await _add(unit, NoticeKind.CARDS, batch, ids, unit.now)


async def add_reminder(unit: Unit, fact_id: str, day: str, due_at: datetime) -> bool:
    """Return whether it is new: a fact has at most one reminder per day."""
    return await _add(unit, NoticeKind.REMINDER, f"{fact_id}/{day}", [fact_id], due_at)


async def add_notices(unit: Unit, outcome: Outcome) -> None:
    """Add pending notices to the outcome, in the transaction that stores the answer. In a group nothing is added."""
    if unit.viewer.is_aloud:
        return
    notices = await take_pending(unit)
    outcome.receipts += notices.receipts
    for row in notices.reminders:
        outcome.notice(NoticeCode.REMINDER, words=row.words)
    if notices.cards:
        outcome.notice(NoticeCode.CARDS_WAIT, count=notices.cards)


async def take_pending(unit: Unit) -> PendingNotices:
    """Return the viewer's pending notices and mark them as delivered. Changes that were undone, cards that were
    answered and facts that were forgotten meanwhile are left out."""
    notices = PendingNotices()
    rows = await queries.pending_notices(unit.session, unit.viewer, unit.now)
    if not rows:
        return notices
    waiting = {card.id for card in await waiting_proposals(unit.session, unit.viewer, unit.now)}
    for row in rows:
        match row.kind:
            case NoticeKind.RECEIPT:
                if receipt := await _receipt(unit, row):
                    notices.receipts.append(receipt)
            case NoticeKind.CARDS:
                notices.cards += len(waiting.intersection(row.refs))
            case NoticeKind.REMINDER:
                if fact := await reminder_fact(unit, row):
                    notices.reminders.append(fact)
    await queries.mark_delivered(unit.session, unit.viewer, [row.id for row in rows], unit.now)
    return notices


async def claim_reminders(
    memory: Memory, tenant: str, id_prefix: str, now: datetime, leased_for: timedelta, *, limit: int
) -> Sequence[tuple[str, str]]:
    """Lease due reminders of people whose id has this prefix. Return (notice id, owner) pairs."""
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        return await queries.claim_reminders(session, id_prefix, now, leased_for, limit=limit)


async def find_reminder(unit: Unit, notice_id: str) -> FactRow | None:
    """The fact that a reminder is about; None once it was delivered or the fact is gone."""
    row = await queries.notice(unit.session, unit.viewer, notice_id)
    return await reminder_fact(unit, row) if row else None


async def mark_delivered(unit: Unit, notice_id: str) -> None:
    await queries.mark_delivered(unit.session, unit.viewer, [notice_id], unit.now)


async def reminder_fact(unit: Unit, row: NoticeRow) -> FactRow | None:
    """The current version of the fact that a reminder is about."""
    versions = await _versions(unit, row)
    return versions[-1] if versions and not versions[-1].forgotten else None


async def _receipt(unit: Unit, row: NoticeRow) -> Receipt | None:
    """The receipt of a change, built from the stored row; None if the change no longer stands."""
    versions = await _versions(unit, row)
    number = int(row.key.rpartition("@")[2])
    if not versions or versions[-1].version != number:
        return None
    before = versions[-2] if len(versions) > 1 else None
    kind = ReceiptKind.STORED if before is None else ReceiptKind.CHANGED
    return Receipt(ReceiptKind.RESTORED if before and before.forgotten else kind, versions[-1], before)


async def _versions(unit: Unit, row: NoticeRow) -> list[FactRow]:
    return await unit.vault.open_rows(await versions_of(unit.session, unit.viewer, list(row.refs)))


async def _add(unit: Unit, kind: NoticeKind, key: str, refs: Sequence[str], due_at: datetime) -> bool:
    """Store a notice in its owner's private channel, whatever the present one is."""
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
