"""Cards: proposed changes that wait for their owner. A model can create cards; only the owner can answer them."""

import hmac
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256

from db.ids import short_id
from db.queries.facts import proposals as queries
from db.queries.facts.facts import FactRow, facts_by_id
from db.queries.facts.proposals import ProposalRow
from db.queries.privacy.audit import note
from db.vocabulary import Approval, ProposalKind, ProposalStatus, Sensitivity
from memory.errors import NotFound, Refused
from memory.facts import facts
from memory.facts.facts import FactDraft, clean_content, ensure_category_allowed, subject_in
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt
from memory.privacy.channels import LOADABLE, ensure_fit_for
from memory.refusals import Refusal
from memory.unit import Unit

MAX_WAITING = 20


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal, with the fact that it would change."""

    row: ProposalRow
    about: FactRow | None = None


async def propose(
    unit: Unit,
    kind: ProposalKind,
    draft: FactDraft,
    about: FactRow | None = None,
    *,
    author: str = "assistant",
    checks_private: bool = False,
) -> Card:
    """Create a card. Refuses content that is known, was forgotten or was rejected. If a card with the same content is
    waiting, returns that.

    The check sees the facts that this channel may read, or all of the owner's facts with `checks_private`.
    """
    content = clean_content(draft.content)
    await lock_facts(unit)
    await ensure_category_allowed(unit, draft.category)
    row = ProposalRow(
        id=short_id(),
        kind=kind,
        fact_id=about.id if about else None,
        fact_version=about.version if about else None,
        category=draft.category,
        attribute=draft.attribute,
        content=content,
        subject=subject_in(draft.subject, content),
        value=draft.value,
        sealed=None,
        sensitivity=facts.sensitivity_of(content, draft.attribute, about),
        content_hash="",
        source_event_id=draft.source_event_id,
        span=draft.span,
        author=author,
        reply_event_id=None,
        shown_at=None,
        status=ProposalStatus.WAITING,
        expires_at=unit.now + unit.limits.proposals,
        created_at=unit.now,
    )
    if kind != ProposalKind.FORGET:
        ensure_fit_for(unit.viewer, row.category, row.sensitivity)
    row = replace(row, content_hash=await _hash(unit, row))
    async with unit.in_private() if checks_private else nullcontext(unit) as checking_unit:
        waiting_count = await _ensure_proposable(checking_unit, row)
    duplicate = await queries.proposal_with_hash(unit.session, unit.viewer, row.content_hash, ProposalStatus.WAITING)
    if duplicate is not None:
        if duplicate.expires_at > unit.now:
            return Card(replace(row, id=duplicate.id, shown_at=duplicate.shown_at), about)
        await queries.expire(unit.session, unit.viewer, [duplicate.id])
    # Keeps the order of cards that are created at the same moment.
    row = replace(row, created_at=unit.now + timedelta(microseconds=waiting_count))
    if not await queries.add_proposal(unit.session, unit.viewer, await _seal(unit, row)):
        raise Refused(Refusal.ASK_NOT_HERE)  # no details: the same card may wait in a private chat
    await note(unit.session, unit.viewer, "proposed", row.id, unit.now, actor=author, kind=kind)
    return Card(row, about)


async def _ensure_proposable(unit: Unit, row: ProposalRow) -> int:
    """Refuse known, forgotten or rejected content, and too many cards. Return how many other cards are waiting."""
    content = row.content or ""
    if row.kind != ProposalKind.FORGET:
        await facts.ensure_not_forgotten(unit, content, Approval.AUTO)
        if await facts.fact_with_words(unit, content, row.attribute):
            raise Refused(Refusal.ASK_KNOWN, field="content")
    if await queries.proposal_with_hash(unit.session, unit.viewer, row.content_hash, ProposalStatus.REJECTED):
        raise Refused(Refusal.ASK_DECLINED, field="content")
    waiting = await queries.waiting_proposals(unit.session, unit.viewer, unit.now)
    others = [other for other in waiting if other.content_hash != row.content_hash]
    if len(others) >= MAX_WAITING:
        raise Refused(Refusal.TOO_MANY_CARDS, count=MAX_WAITING)
    return len(others)


async def waiting_cards(unit: Unit) -> list[Card]:
    """The viewer's waiting cards that may be read in this channel, oldest first."""
    waiting = await queries.waiting_proposals(unit.session, unit.viewer, unit.now)
    rows = await unit.vault.open_rows([row for row in waiting if row.sensitivity in LOADABLE[unit.viewer.channel]])
    fact_ids = [row.fact_id for row in rows if row.fact_id]
    opened = await unit.vault.open_rows(await facts_by_id(unit.session, unit.viewer, fact_ids) if fact_ids else [])
    own = {fact.id: fact for fact in opened if fact.owner == unit.viewer.user and not fact.forgotten}
    return [Card(row, own.get(row.fact_id or "")) for row in rows]


async def count_waiting_cards(unit: Unit) -> int:
    return len(await queries.waiting_proposals(unit.session, unit.viewer, unit.now))


async def waiting_card(unit: Unit, proposal_id: str) -> ProposalRow:
    row = await queries.proposal(unit.session, unit.viewer, proposal_id)
    if row is None or row.status != ProposalStatus.WAITING or row.expires_at <= unit.now:
        raise NotFound(Refusal.CARD_NOT_FOUND)
    return (await unit.vault.open_rows([row]))[0]


async def find_card(unit: Unit, proposal_id: str) -> ProposalRow | None:
    """One of the viewer's cards, answered or not."""
    return await queries.proposal(unit.session, unit.viewer, proposal_id)


async def accept(
    unit: Unit, proposal_id: str, content_hash: str, *, words: str | None = None, approval: Approval = Approval.CARD
) -> Receipt:
    """Carry out a card. `content_hash` proves that the owner approved what they saw; `words` replace its content."""
    await lock_facts(unit)  # before the lock on the card, in the same order as other changes of facts
    row = await waiting_card(unit, proposal_id)
    if words is not None and row.kind == ProposalKind.FORGET:
        raise Refused(Refusal.CARD_FIXED_WORDS, field="content")
    if row.content is None:
        raise Refused(Refusal.CARD_SEALED)
    is_same = hmac.compare_digest(row.content_hash.encode(), content_hash.encode())
    if not is_same or row.content_hash != await _hash(unit, row):
        raise NotFound(Refusal.CARD_NOT_FOUND)
    if not await queries.decide(
        unit.session, unit.viewer, proposal_id, content_hash, ProposalStatus.ACCEPTED, unit.now
    ):
        raise NotFound(Refusal.CARD_NOT_FOUND)
    await note(unit.session, unit.viewer, "accepted", proposal_id, unit.now, edited=words is not None)
    draft = FactDraft(
        content=words or row.content,
        category=row.category,
        subject=row.subject,
        attribute=row.attribute,
        value=row.value if words is None else None,
        source_event_id=row.source_event_id,
        span=row.span,
        author=row.author if words is None else None,
    )
    if row.fact_id is None:
        return await facts.remember(unit, draft, approval, separate=True, replaces=False)
    fact = await facts.own_fact(unit, row.fact_id)
    if fact.version != row.fact_version:
        raise Refused(Refusal.CARD_OUTDATED)
    if row.kind == ProposalKind.FORGET:
        return await facts.hide(unit, row.fact_id, approval)
    return await facts.revise(unit, row.fact_id, draft, approval)


async def reject(unit: Unit, proposal_id: str) -> ProposalRow:
    row = await waiting_card(unit, proposal_id)
    rejected = await queries.decide(
        unit.session, unit.viewer, proposal_id, row.content_hash, ProposalStatus.REJECTED, unit.now
    )
    if not rejected:
        raise NotFound(Refusal.CARD_NOT_FOUND)
    await note(unit.session, unit.viewer, "rejected", proposal_id, unit.now)
    return row


async def mark_shown(unit: Unit, ids: Sequence[str], at: datetime) -> None:
    """Record that the owner sees these cards. From now on a plain yes can accept them."""
    await queries.mark_shown(unit.session, unit.viewer, ids, at)


async def cards_on(unit: Unit, reply_event_id: str) -> list[ProposalRow]:
    return await unit.vault.open_rows(await queries.cards_on(unit.session, unit.viewer, reply_event_id))


async def _hash(unit: Unit, row: ProposalRow) -> str:
    """A hash of everything the card would store, which an approval must repeat. Sensitive content is hashed with the
    owner's key, because it could be guessed from a plain hash."""
    fields = (row.kind, row.fact_id, row.fact_version, row.category, row.attribute, row.subject, row.content)
    text = "\0".join("" if value is None else str(value) for value in fields).encode()
    if row.sensitivity == Sensitivity.HIGH:
        return hmac.new(await unit.vault.own_key(), text, sha256).hexdigest()
    return sha256(text).hexdigest()


async def _seal(unit: Unit, row: ProposalRow) -> ProposalRow:
    if row.sensitivity != Sensitivity.HIGH:
        return row
    plaintext = {"content": row.content, "subject": row.subject, "value": row.value}
    return replace(row, content=None, subject=None, value=None, sealed=await unit.vault.seal(row.id, plaintext))
