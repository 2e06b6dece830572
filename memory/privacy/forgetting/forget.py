"""Permanent forgetting: purges deleted facts, forgets by topic, subject or time span, and erases a person."""

import logging
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from datetime import datetime
from hashlib import sha256

from db.queries.consolidation.consolidation import exclude_from_summaries
from db.queries.consolidation.notices import remove_delivered
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
from memory.language.terms import normalise
from memory.privacy.forgetting.blanking import blank_events, blank_summaries, drop_cards, drop_topics
from memory.privacy.forgetting.cached_copies import drop_cached_copies
from memory.privacy.forgetting.ledger_removal import (
    LedgerIds,
    find_ledger_rows,
    remove_ledger_repeats,
    remove_ledger_rows,
)
from memory.privacy.forgetting.tombstones import add_message_tombstones, add_tombstones
from memory.refusals import Refusal
from memory.unit import Memory, Unit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    """What to forget at once, without undo. Everything that matches any of the fields is forgotten."""

    topics: Sequence[str] = ()
    attributes: Sequence[Attribute] = ()
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    clear_summary: bool = False


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """Counts of what was forgotten. Repetitions of a forgotten fact do not count."""

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
    def ledger_entries(self) -> int:
        return self.decisions + self.tasks + self.artifacts + self.handoffs

    @property
    def is_empty(self) -> bool:
        return not any(astuple(self))


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What a request would forget: current and hidden facts, and all messages, cards and entries of its time span.

    If it forgets messages, all summaries go too, because they may be based on them.
    """

    facts: Sequence[FactRow]
    events: Sequence[ErasableEvent]
    topics: Sequence[str]
    attributes: Sequence[Attribute]
    summaries: Sequence[str]
    cards: Sequence[ProposalRow]
    ledgers: LedgerIds

    @property
    def counts(self) -> ForgetResult:
        return ForgetResult(
            facts=len(self.facts),
            messages=len(self.events),
            topics=self.topics,
            attributes=self.attributes,
            summaries=len(self.summaries),
            cards=len(self.cards),
            decisions=len(self.ledgers.decisions),
            tasks=len(self.ledgers.tasks),
            artifacts=len(self.ledgers.artifacts),
            handoffs=len(self.ledgers.handoffs),
        )

    @property
    def fingerprint(self) -> str:
        """A hash that changes if the request would forget something else."""
        facts = [f"{row.id}.{row.version}" for row in self.facts]
        rows = [*(row.id for row in self.events), *(row.id for row in self.cards)]
        entries = [id for ids in astuple(self.ledgers) for id in ids]
        return sha256("\n".join(sorted([*facts, *rows, *entries, *self.topics, *self.summaries])).encode()).hexdigest()


class PreviewChanged(Refused):
    """The request would no longer forget what the preview showed."""

    def __init__(self, preview: ForgetPreview) -> None:
        self.preview = preview
        super().__init__(Refusal.FORGET_CHANGED)


async def purge_due(memory: Memory, tenant: str, now: datetime) -> int:
    """Purge all users' facts whose undo period has passed. Returns how many."""
    before, count = now - memory.limits.undo, 0
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        users = await erasure.due_purges(session, before)
    for user in users:
        try:
            async with memory.unit(Viewer.in_private(tenant, user), now=now) as unit:
                count += await purge_own(unit)
        except WriteRefused as error:
            log.error("a purge was refused: %s", error)  # go on with the other users
    return count


async def purge_own(unit: Unit) -> int:
    """Purge the viewer's facts whose undo period has passed, and cards and notices that were done before then."""
    await queries.lock_facts_of(unit.session, unit.viewer)
    before = unit.now - unit.limits.undo
    due = await queries.hidden_facts(unit.session, unit.viewer, before=before)
    await purge(unit, [row.id for row in due])
    await remove_done(unit.session, unit.viewer, before)
    await remove_delivered(unit.session, unit.viewer, before)
    return len(due)


async def purge(unit: Unit, fact_ids: Sequence[str]) -> None:
    """Remove all versions of these facts, and their words wherever they are repeated."""
    if not fact_ids:
        return
    await queries.lock_facts_of(unit.session, unit.viewer)
    await drop_cached_copies(unit)
    versions = await unit.vault.open_rows(await queries.versions_of(unit.session, unit.viewer, fact_ids))
    await add_tombstones(unit, versions)
    for row in _wordings(versions):
        blanked = await blank_events(unit, row)
        await blank_summaries(unit, row)
        await drop_cards(unit, row)
        await remove_ledger_repeats(unit, row, blanked)
    await drop_topics(unit, versions)
    await erasure.remove_facts(unit.session, unit.viewer, fact_ids)
    for fact_id in fact_ids:
        await note(unit.session, unit.viewer, "purged", fact_id, unit.now)


async def preview_forget(unit: Unit, request: ForgetRequest) -> ForgetPreview:
    """Return what this request would forget, without changing anything."""
    events, event_ids, cards, ledgers = list[ErasableEvent](), set[str](), list[ProposalRow](), LedgerIds()
    if request.since or request.until:
        since = request.since or datetime.min.replace(tzinfo=unit.now.tzinfo)
        until = request.until or datetime.max.replace(tzinfo=unit.now.tzinfo)
        events = list(await erasure.events_between(unit.session, unit.viewer, since, until))
        event_ids = {event.id for event in events}
        proposals = await all_proposals(unit.session, unit.viewer)
        cards = [card for card in proposals if card.source_event_id in event_ids or _within(card.created_at, request)]
        ledgers = await find_ledger_rows(unit, lambda moment: _within(moment, request), [*event_ids])
    subjects = {normalise(name) for name in (*request.topics, *([request.subject] if request.subject else []))}
    hidden = await queries.hidden_facts(unit.session, unit.viewer)
    facts = {row.id: row for row in [*await own_facts(unit), *await unit.vault.open_rows(hidden)]}
    matching = [
        row
        for row in await unit.vault.open_rows(await queries.versions_of(unit.session, unit.viewer, [*facts]))
        if (row.attribute and row.attribute in request.attributes)
        or (row.subject and normalise(row.subject) in subjects)
        or row.source_event_id in event_ids
        or _within(row.updated_at, request)
    ]
    requested = {name.lower() for name in request.topics}
    topics = await topics_of(unit.session, unit.viewer)
    summaries = await own_summaries(unit.session, unit.viewer) if request.clear_summary or events else []
    return ForgetPreview(
        facts=[facts[id] for id in dict.fromkeys(row.id for row in matching)],
        events=events,
        topics=sorted(
            row.name for row in topics if row.name in requested or (events and _within(row.last_seen, request))
        ),
        attributes=sorted({row.attribute for row in matching if row.attribute and row.attribute in request.attributes}),
        summaries=[row.id for row in summaries],
        cards=cards,
        ledgers=ledgers,
    )


async def forget(unit: Unit, request: ForgetRequest, *, fingerprint: str | None = None) -> ForgetResult:
    """Purge the requested facts at once and remove the messages of the time span.

    Given the `fingerprint` of a preview, raises PreviewChanged if the request would now forget something else.
    """
    await queries.lock_facts_of(unit.session, unit.viewer)
    preview = await preview_forget(unit, request)
    result = preview.counts
    if fingerprint is not None and fingerprint != preview.fingerprint and not result.is_empty:
        raise PreviewChanged(preview)
    await drop_cached_copies(unit)
    await purge(unit, sorted(row.id for row in preview.facts))
    await add_tombstones(unit, await unit.vault.open_rows([card for card in preview.cards if _is_rejected(card)]))
    await remove_proposals(unit.session, unit.viewer, [card.id for card in preview.cards])
    await remove_ledger_rows(unit, preview.ledgers)
    await add_message_tombstones(unit, [event.id for event in preview.events if IMPORTED in event.tags])
    for event in preview.events:
        await erasure.erase_event(unit.session, event.id)
    await erasure.forget_topics(unit.session, unit.viewer, preview.topics)
    if request.clear_summary or preview.events:
        await drop_summaries(unit.session, unit.viewer)
    if request.clear_summary:
        await exclude_from_summaries(unit.session, unit.viewer)  # or the summaries would be made again
    await note(unit.session, unit.viewer, "forgot", "selection", unit.now, facts=result.facts, messages=result.messages)
    return result


async def erase(memory: Memory, tenant: str, user: str) -> None:
    """Remove every trace of a person. Run it again to complete an interrupted erasure."""
    viewer = Viewer.in_private(tenant, user)
    async with memory.unit(viewer, read_only=True) as unit:
        shared = [space for space in await spaces.spaces_of(unit.session, viewer) if space.kind != SpaceKind.PERSONAL]
    for space in shared:
        viewer_in_space = replace(viewer, space=space.id)
        await memory.write(viewer_in_space, lambda unit: spaces.remove_member(unit.session, unit.viewer, user))
    await memory.write(viewer, lambda unit: erasure.erase_person(unit.session, viewer))


def _within(moment: datetime, request: ForgetRequest) -> bool:
    if request.since is None and request.until is None:
        return False
    return (request.since is None or moment >= request.since) and (request.until is None or moment < request.until)


def _is_rejected(card: ProposalRow) -> bool:
    """Whether the owner rejected remembering its words. They must not be proposed again, even after they are gone."""
    return card.status == ProposalStatus.REJECTED and card.kind != ProposalKind.FORGET


def _wordings(versions: Sequence[FactRow]) -> list[FactRow]:
    """Keep one version of each distinct wording and source."""
    return list({(row.content, row.source_event_id, row.span): row for row in versions}.values())
