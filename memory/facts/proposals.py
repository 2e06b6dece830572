"""Cards: what waits for its owner's word. A model can only make one; only its owner can answer it."""

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
from memory.facts.facts import FactDraft, ensure_wanted, fit_to_keep, subject_in
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt
from memory.privacy.channels import LOADABLE, ensure_fit_for
from memory.unit import Unit

MOST_WAITING = 20


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as its owner is asked it: with the present words of the fact that it would change."""

    row: ProposalRow
    about: FactRow | None = None


GONE = "There is no such card. It may have been answered, changed or expired."


async def propose(
    unit: Unit,
    kind: ProposalKind,
    draft: FactDraft,
    about: FactRow | None = None,
    *,
    author: str = "assistant",
    looks_alone: bool = False,
) -> Card:
    """Ask the owner. What is known already, was forgotten, or is asked already, is not asked (again). Where it is asked
    aloud, only what is known there is looked at, unless whoever asks may look at all that is the owner's."""
    content = fit_to_keep(draft.content)
    await lock_facts(unit)
    await ensure_wanted(unit, draft.category)
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
    async with unit.in_private() if looks_alone else nullcontext(unit) as looking:
        others = await _ensure_askable(looking, row)
    if asked := await queries.asked_before(unit.session, unit.viewer, row.content_hash, ProposalStatus.WAITING):
        if asked.expires_at > unit.now:
            return Card(replace(row, id=asked.id, shown_at=asked.shown_at), about)
        await queries.expire(unit.session, unit.viewer, [asked.id])
    # Cards of one moment keep the order in which they were asked.
    row = replace(row, created_at=unit.now + timedelta(microseconds=others))
    if not await queries.add_proposal(unit.session, unit.viewer, await _sealed(unit, row)):
        raise Refused("Not asked: this cannot be asked here.")  # nothing more: it may wait in a private chat
    await note(unit.session, unit.viewer, "proposed", row.id, unit.now, actor=author, kind=kind)
    return Card(row, about)


async def _ensure_askable(unit: Unit, row: ProposalRow) -> int:
    """Refuses what is known, was forgotten or got a no, and what is too much; gives how many other cards wait."""
    content = row.content or ""
    if row.kind != ProposalKind.FORGET:
        await facts.ensure_not_forgotten(unit, content, Approval.AUTO)
        if await facts.known_words(unit, content, row.attribute):
            raise Refused("Not asked: this is remembered already.", field="content")
    if await queries.asked_before(unit.session, unit.viewer, row.content_hash, ProposalStatus.REJECTED):
        raise Refused("Not asked: the user said no to this already.", field="content")
    waiting_ones = await queries.waiting_proposals(unit.session, unit.viewer, unit.now)
    others = [each for each in waiting_ones if each.content_hash != row.content_hash]
    if len(others) >= MOST_WAITING:
        raise Refused("Not asked: {count} cards wait for an answer already.", count=MOST_WAITING)
    return len(others)


async def waiting(unit: Unit) -> list[Card]:
    """What waits for the viewer's word and may be read here, oldest first."""
    found = await queries.waiting_proposals(unit.session, unit.viewer, unit.now)
    rows = await unit.vault.opened([row for row in found if row.sensitivity in LOADABLE[unit.viewer.channel]])
    named = [row.fact_id for row in rows if row.fact_id]
    about = await unit.vault.opened(await facts_by_id(unit.session, unit.viewer, named) if named else [])
    known = {fact.id: fact for fact in about if fact.owner == unit.viewer.user and not fact.forgotten}
    return [Card(row, known.get(row.fact_id or "")) for row in rows]


async def count_waiting(unit: Unit) -> int:
    """How many cards wait for the viewer's word."""
    return len(await queries.waiting_proposals(unit.session, unit.viewer, unit.now))


async def find(unit: Unit, proposal_id: str) -> ProposalRow:
    row = await queries.proposal(unit.session, unit.viewer, proposal_id)
    if row is None or row.status != ProposalStatus.WAITING or row.expires_at <= unit.now:
        raise NotFound(GONE)
    return (await unit.vault.opened([row]))[0]


async def any_card(unit: Unit, proposal_id: str) -> ProposalRow | None:
    """A card of the viewer's, answered or not."""
    return await queries.proposal(unit.session, unit.viewer, proposal_id)


async def accept(
    unit: Unit, proposal_id: str, content_hash: str, *, words: str | None = None, approval: Approval = Approval.CARD
) -> Receipt:
    """The owner's yes to exactly what was shown, or to their own words in its place."""
    await lock_facts(unit)  # before the card: whoever changes a fact comes from there
    row = await find(unit, proposal_id)
    if words is not None and row.kind == ProposalKind.FORGET:
        raise Refused("This card asks whether to forget; it takes no words.", field="content")
    if row.content is None:
        raise Refused("The words of this card are encrypted, and their key is missing.")
    is_shown = hmac.compare_digest(row.content_hash.encode(), content_hash.encode())
    if not is_shown or row.content_hash != await _hash(unit, row):
        raise NotFound(GONE)
    if not await queries.decide(
        unit.session, unit.viewer, proposal_id, content_hash, ProposalStatus.ACCEPTED, unit.now
    ):
        raise NotFound(GONE)
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
    present = await facts.own_fact(unit, row.fact_id)
    if present.version != row.fact_version:
        raise Refused("That fact has changed since the card was made, so the card no longer holds.")
    if row.kind == ProposalKind.FORGET:
        return await facts.hide(unit, row.fact_id, approval)
    return await facts.revise(unit, row.fact_id, draft, approval)


async def reject(unit: Unit, proposal_id: str) -> ProposalRow:
    row = await find(unit, proposal_id)
    rejected = await queries.decide(
        unit.session, unit.viewer, proposal_id, row.content_hash, ProposalStatus.REJECTED, unit.now
    )
    if not rejected:
        raise NotFound(GONE)
    await note(unit.session, unit.viewer, "rejected", proposal_id, unit.now)
    return row


async def mark_shown(unit: Unit, ids: Sequence[str], at: datetime) -> None:
    """These cards are in front of their owner: from now on a plain yes can mean them."""
    await queries.mark_shown(unit.session, unit.viewer, ids, at)


async def cards_on(unit: Unit, reply_event_id: str) -> list[ProposalRow]:
    """All cards that hang on a reply."""
    return await unit.vault.opened(await queries.cards_on(unit.session, unit.viewer, reply_event_id))


async def _hash(unit: Unit, row: ProposalRow) -> str:
    """Of all that would be stored, so that an approval holds for this and nothing else. Of sensitive words it is made
    with their owner's key: a plain hash could be guessed."""
    shown = (row.kind, row.fact_id, row.fact_version, row.category, row.attribute, row.subject, row.content)
    text = "\0".join("" if part is None else str(part) for part in shown).encode()
    if row.sensitivity == Sensitivity.HIGH:
        return hmac.new(await unit.vault.own_key(), text, sha256).hexdigest()
    return sha256(text).hexdigest()


async def _sealed(unit: Unit, row: ProposalRow) -> ProposalRow:
    if row.sensitivity != Sensitivity.HIGH:
        return row
    words = {"content": row.content, "subject": row.subject, "value": row.value}
    return replace(row, content=None, subject=None, value=None, sealed=await unit.vault.seal(row.id, words))
