"""Forgets for good: purges what was deleted, forgets by topic, attribute, subject or time, and erases a person."""

import logging
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from hashlib import sha256

from db.queries.consolidation.consolidation import unread_all
from db.queries.consolidation.notices import remove_told
from db.queries.consolidation.summaries import drop_summaries, own_summaries
from db.queries.facts import facts as queries
from db.queries.facts.facts import FactRow
from db.queries.facts.proposals import ProposalRow, all_proposals, remove_done, remove_proposals
from db.queries.facts.topics import topics_of
from db.queries.people import spaces
from db.queries.privacy import erasure
from db.queries.privacy.audit import note
from db.queries.privacy.erasure import ErasableEvent
from db.tables.events import IMPORTED
from db.viewer import Viewer
from db.vocabulary import Attribute, ProposalKind, ProposalStatus, SpaceKind
from memory.errors import Refused, WriteRefused
from memory.facts.facts import own_facts
from memory.language.terms import plain
from memory.privacy.forgetting.blanking import blank_events, blank_summaries, drop_cards, drop_topics
from memory.privacy.forgetting.copies import drop_copies
from memory.privacy.forgetting.tombstones import lay, lay_for_messages
from memory.privacy.forgetting.traces import DerivedRows, drop_made, drop_traces, made_in
from memory.unit import Memory, Unit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wish:
    """What to forget at once, without a way back. All that is named is forgotten."""

    topics: Sequence[str] = ()
    attributes: Sequence[Attribute] = ()
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    clear_summary: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What went, counted. What merely repeated a fact went with it, and is not."""

    facts: int = 0
    messages: int = 0
    topics: Sequence[str] = ()
    attributes: Sequence[Attribute] = ()
    summaries: int = 0
    cards: int = 0
    decisions: int = 0
    tasks: int = 0
    artifacts: int = 0
    handoffs: int = 0

    @property
    def entries(self) -> int:
        """Of all ledgers together."""
        return self.decisions + self.tasks + self.artifacts + self.handoffs

    @property
    def is_nothing(self) -> bool:
        return not any(astuple(self))


@dataclass(frozen=True, slots=True)
class Meant:
    """What a wish would take: facts as they stand, hidden ones too, and whatever was said and made in its span of
    time. With messages go all summaries, which may rest on them."""

    facts: Sequence[FactRow]
    events: Sequence[ErasableEvent]
    topics: Sequence[str]
    attributes: Sequence[Attribute]
    summaries: Sequence[str]
    cards: Sequence[ProposalRow]
    made: DerivedRows

    @property
    def counted(self) -> Forgotten:
        return Forgotten(
            facts=len(self.facts),
            messages=len(self.events),
            topics=self.topics,
            attributes=self.attributes,
            summaries=len(self.summaries),
            cards=len(self.cards),
            decisions=len(self.made.decisions),
            tasks=len(self.made.tasks),
            artifacts=len(self.made.artifacts),
            handoffs=len(self.made.handoffs),
        )

    @property
    def fingerprint(self) -> str:
        """Tells whether something else would go than was shown."""
        facts = [f"{row.id}.{row.version}" for row in self.facts]
        rows = [*(row.id for row in self.events), *(row.id for row in self.cards)]
        made = [id for ids in astuple(self.made) for id in ids]
        return sha256("\n".join(sorted([*facts, *rows, *made, *self.topics, *self.summaries])).encode()).hexdigest()


class NotAsShown(Refused):
    """Something else would go now than was shown."""

    def __init__(self, going: Meant) -> None:
        self.going = going
        super().__init__("Meanwhile this has changed, so I did nothing. This is what would go now.")


async def purge_due(memory: Memory, tenant: str, now: datetime) -> int:
    """Purge, for everybody, what was deleted longer ago than it can be undone. Gives how many facts that were."""
    before, count = now - memory.limits.undo, 0
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        users = await erasure.due_purges(session, before)
    for user in users:
        try:
            async with memory.unit(Viewer.in_private(tenant, user), now=now) as unit:
                count += await purge_own(unit)
        except WriteRefused as trouble:
            log.error("a purge was refused: %s", trouble)  # the others' is due all the same
    return count


async def purge_own(unit: Unit) -> int:
    """The same for the viewer alone, with the cards that were accepted or ran out as long ago."""
    await queries.lock_facts_of(unit.session, unit.viewer)
    before = unit.now - unit.limits.undo
    due = await queries.hidden_facts(unit.session, unit.viewer, before=before)
    await purge(unit, [row.id for row in due])
    await remove_done(unit.session, unit.viewer, before)
    await remove_told(unit.session, unit.viewer, before)
    return len(due)


async def purge(unit: Unit, fact_ids: Sequence[str]) -> None:
    """Remove these facts with every version, and take their words out of whatever repeats them."""
    if not fact_ids:
        return
    await queries.lock_facts_of(unit.session, unit.viewer)
    await drop_copies(unit)
    versions = await unit.vault.opened(await queries.versions_of(unit.session, unit.viewer, fact_ids))
    await lay(unit, versions)
    for row in _wordings(versions):
        touched = await blank_events(unit, row)
        await blank_summaries(unit, row)
        await drop_cards(unit, row)
        await drop_traces(unit, row, touched)
    await drop_topics(unit, versions)
    await erasure.remove_facts(unit.session, unit.viewer, fact_ids)
    for fact_id in fact_ids:
        await note(unit.session, unit.viewer, "purged", fact_id, unit.now)


async def meant(unit: Unit, wish: Wish) -> Meant:
    """What this wish would take, and nothing is touched."""
    events, cards, made = list[ErasableEvent](), list[ProposalRow](), DerivedRows()
    if wish.since or wish.until:
        since = wish.since or datetime.min.replace(tzinfo=unit.now.tzinfo)
        until = wish.until or datetime.max.replace(tzinfo=unit.now.tzinfo)
        events = list(await erasure.events_between(unit.session, unit.viewer, since, until))
    from_then = {event.id for event in events}
    if wish.since or wish.until:
        asked = await all_proposals(unit.session, unit.viewer)
        cards = [card for card in asked if card.source_event_id in from_then or _within(card.created_at, wish)]
        made = await made_in(unit, lambda moment: _within(moment, wish), [*from_then])
    named = {plain(name) for name in (*wish.topics, *([wish.subject] if wish.subject else []))}
    hidden = await queries.hidden_facts(unit.session, unit.viewer)
    facts = {row.id: row for row in [*await own_facts(unit), *await unit.vault.opened(hidden)]}
    due = [
        row
        for row in await unit.vault.opened(await queries.versions_of(unit.session, unit.viewer, [*facts]))
        if (row.attribute and row.attribute in wish.attributes)
        or (row.subject and plain(row.subject) in named)
        or row.source_event_id in from_then
        or _within(row.updated_at, wish)
    ]
    wanted = {name.lower() for name in wish.topics}
    topics = await topics_of(unit.session, unit.viewer)
    digests = await own_summaries(unit.session, unit.viewer) if wish.clear_summary or events else []
    return Meant(
        facts=[facts[id] for id in dict.fromkeys(row.id for row in due)],
        events=events,
        topics=sorted(row.name for row in topics if row.name in wanted or (events and _within(row.last_seen, wish))),
        attributes=sorted({row.attribute for row in due if row.attribute and row.attribute in wish.attributes}),
        summaries=[row.id for row in digests],
        cards=cards,
        made=made,
    )


async def forget(unit: Unit, wish: Wish, *, shown: str | None = None) -> Forgotten:
    """Forget what the wish names: facts are purged at once, messages of a time span are removed. Where somebody was
    `shown` what would go, nothing else goes: what came in since must be shown first."""
    await queries.lock_facts_of(unit.session, unit.viewer)
    going = await meant(unit, wish)
    told = going.counted
    if shown is not None and shown != going.fingerprint and not told.is_nothing:
        raise NotAsShown(going)
    await drop_copies(unit)
    await purge(unit, sorted(row.id for row in going.facts))
    await lay(unit, await unit.vault.opened([card for card in going.cards if _is_declined(card)]))
    await remove_proposals(unit.session, unit.viewer, [card.id for card in going.cards])
    await drop_made(unit, going.made)
    await lay_for_messages(unit, [event.id for event in going.events if IMPORTED in event.tags])
    for event in going.events:
        await erasure.erase_event(unit.session, event.id)
    await erasure.forget_topics(unit.session, unit.viewer, going.topics)
    if wish.clear_summary or going.events:
        await drop_summaries(unit.session, unit.viewer)
    if wish.clear_summary:
        await unread_all(unit.session, unit.viewer)  # or they would be made again
    await note(unit.session, unit.viewer, "forgot", "selection", unit.now, facts=told.facts, messages=told.messages)
    return told


async def erase(memory: Memory, tenant: str, user: str) -> None:
    """Remove every trace of a person. Repeating it does no harm, and mends a crash in the middle."""
    alone = Viewer.in_private(tenant, user)
    async with memory.unit(alone, read_only=True) as unit:
        shared = [space for space in await spaces.spaces_of(unit.session, alone) if space.kind != SpaceKind.PERSONAL]
    for space in shared:
        there = replace(alone, space=space.id)
        await memory.write(there, lambda unit: spaces.remove_member(unit.session, unit.viewer, user))
    await memory.write(alone, lambda unit: erasure.erase_person(unit.session, alone))


def _within(moment: datetime, wish: Wish) -> bool:
    if wish.since is None and wish.until is None:
        return False
    return (wish.since is None or moment >= wish.since) and (wish.until is None or moment < wish.until)


def _is_declined(card: ProposalRow) -> bool:
    """Whether its words shall not be asked again: a no holds, also when they are gone."""
    return card.status == ProposalStatus.REJECTED and card.kind != ProposalKind.FORGET


def _wordings(versions: Sequence[FactRow]) -> list[FactRow]:
    """Each different wording, and each source, once."""
    return list({(row.content, row.source_event_id, row.span): row for row in versions}.values())
