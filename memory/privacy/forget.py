"""Forgets for good: purges what was deleted, forgets by topic, attribute, subject or time, and erases a person."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from db.queries import erasure, spaces
from db.queries import facts as queries
from db.queries.audit import note
from db.queries.chunks import drop_chunks_of
from db.queries.consolidation import unread_all
from db.queries.erasure import EventRow
from db.queries.facts import FactRow
from db.queries.notices import remove_told
from db.queries.proposals import all_proposals, remove_done, remove_proposals
from db.queries.summaries import own_summaries
from db.queries.topics import topics_of
from db.viewer import Viewer
from db.vocabulary import ActorType, Attribute, Channel, EventKind, SpaceKind
from memory import proposals, summaries
from memory.chunks import cut_missing
from memory.errors import WriteRefused
from memory.facts import opened, own_facts
from memory.privacy.repeats import blanked, needles, places
from memory.privacy.tombstones import lay
from memory.privacy.traces import drop_made, drop_traces, holds
from memory.record import open_content
from memory.retrieval.languages import plain, telling
from memory.unit import Memory, Unit

log = logging.getLogger(__name__)

MOST_SPANS = 100  # a message that says it more often is blanked whole, or it would take minutes


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
    facts: int
    messages: int
    topics: Sequence[str]
    attributes: Sequence[Attribute]
    summaries: int


async def purge_due(memory: Memory, tenant: str, now: datetime) -> int:
    """Purge, for everybody, what was deleted longer ago than it can be undone. Gives how many facts that were."""
    before, count = now - memory.limits.undo, 0
    async with memory.database.transaction(Viewer(tenant, None, None, Channel.PRIVATE), read_only=True) as session:
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
    versions = await opened(unit, await queries.versions_of(unit.session, unit.viewer, fact_ids))
    await lay(unit, versions)
    for row in _wordings(versions):
        touched = await _blank_events(unit, row)
        await _blank_summaries(unit, row)
        await _drop_cards(unit, row)
        await drop_traces(unit, row, touched)
    await _drop_topics(unit, versions)
    await erasure.remove_facts(unit.session, unit.viewer, fact_ids)
    for fact_id in fact_ids:
        await note(unit.session, unit.viewer, "purged", fact_id, unit.now)


async def forget(unit: Unit, wish: Wish) -> Forgotten:
    """Forget what the wish names: facts are purged at once, messages of a time span are removed."""
    topics = await erasure.forget_topics(unit.session, unit.viewer, wish.topics)
    named = {plain(name) for name in (*wish.topics, *([wish.subject] if wish.subject else []))}
    events = []
    if wish.since or wish.until:
        since = wish.since or datetime.min.replace(tzinfo=unit.now.tzinfo)
        until = wish.until or datetime.max.replace(tzinfo=unit.now.tzinfo)
        events = list(await erasure.events_between(unit.session, unit.viewer, since, until))
    from_then = {event.id for event in events}
    hidden = await queries.hidden_facts(unit.session, unit.viewer)
    ids = [row.id for row in [*await own_facts(unit), *hidden]]
    versions = await opened(unit, await queries.versions_of(unit.session, unit.viewer, ids))
    due = [
        row
        for row in versions
        if (row.attribute and row.attribute in wish.attributes)
        or (row.subject and plain(row.subject) in named)
        or row.source_event_id in from_then
        or _within(row.updated_at, wish)
    ]
    facts = {row.id for row in due}
    await purge(unit, sorted(facts))
    cards = await all_proposals(unit.session, unit.viewer)
    told = [card.id for card in cards if card.source_event_id in from_then or _within(card.created_at, wish)]
    await remove_proposals(unit.session, unit.viewer, told)
    await drop_made(unit, lambda moment: _within(moment, wish), [*from_then])
    for event in events:
        await erasure.erase_event(unit.session, event.id)
    cleared = await erasure.clear_summaries(unit.session, unit.viewer) if wish.clear_summary or events else 0
    if wish.clear_summary:
        await unread_all(unit.session, unit.viewer)  # or they would be made again
    if events:
        names = [row.name for row in await topics_of(unit.session, unit.viewer) if _within(row.last_seen, wish)]
        topics = [*topics, *await erasure.forget_topics(unit.session, unit.viewer, names)]
    await note(unit.session, unit.viewer, "forgot", "selection", unit.now, facts=len(facts), messages=len(events))
    attributes = sorted({row.attribute for row in due if row.attribute and row.attribute in wish.attributes})
    return Forgotten(len(facts), len(events), topics, attributes, cleared)


async def erase(memory: Memory, tenant: str, user: str) -> None:
    """Remove every trace of a person. Repeating it does no harm, and mends a crash in the middle."""
    alone = Viewer.in_private(tenant, user)
    async with memory.unit(alone, read_only=True) as unit:
        shared = [space for space in await spaces.spaces_of(unit.session, alone) if space.kind != SpaceKind.PERSONAL]
    for space in shared:
        async with memory.unit(replace(alone, space=space.id)) as unit:
            await spaces.remove_member(unit.session, unit.viewer, user)
    async with memory.unit(alone) as unit:
        await erasure.erase_person(unit.session, alone)


def _within(moment: datetime, wish: Wish) -> bool:
    if wish.since is None and wish.until is None:
        return False
    return (wish.since is None or moment >= wish.since) and (wish.until is None or moment < wish.until)


def _wordings(versions: Sequence[FactRow]) -> list[FactRow]:
    """Each different wording, and each source, once."""
    return list({(row.content, row.source_event_id, row.span): row for row in versions}.values())


async def _blank_events(unit: Unit, row: FactRow) -> list[str]:
    """The source, every word for word repetition, and what assistant and tools said of it. Of what cannot be read, or
    is no message, nothing stays. Gives the ids of those that were touched."""
    looked_for = [row.id.lower(), *(needles(row.content) if row.content else [])]
    found = await erasure.events_that_may_hold(unit.session, unit.viewer, looked_for, source=row.source_event_id)
    touched = []
    for event in found:
        content = await open_content(unit, unit.viewer.person, event.id, event.content)
        is_source = event.id == row.source_event_id
        spans = places(str(content.get("text", "")), row, said_by_human=_by_human(event), is_source=is_source)
        whole = (is_source and not content) or (event.kind != EventKind.MESSAGE and holds(content, row))
        if not spans and not whole:
            continue
        touched.append(event.id)
        if whole or "sealed" in event.content or len(spans) > MOST_SPANS:
            await erasure.blank_event(unit.session, event.id)
        else:
            for span in spans:
                await erasure.blank_span(unit.session, event.id, span)
    await drop_chunks_of(unit.session, unit.viewer, touched)
    await cut_missing(unit, touched)
    return touched


def _by_human(event: EventRow) -> bool:
    return event.actor_type == ActorType.HUMAN


async def _blank_summaries(unit: Unit, row: FactRow) -> None:
    """Sentences of a summary that came from it go at once. One that was made from the messages in which it stood is
    gone already, with them, and is made anew."""
    for summary in await summaries.opened(unit, await own_summaries(unit.session, unit.viewer)):
        words = {"text": summary.text, "digest": summary.digest, "overall": summary.overall}
        held = {name: told for name, told in words.items() if told and places(told, row, said_by_human=False)}
        if held and summary.sealed is not None:
            await erasure.remove_summary(unit.session, unit.viewer, summary.id)
        elif held:
            left = {name: blanked(told, places(told, row, said_by_human=False)) for name, told in held.items()}
            kept = {name: left[name] if name == "text" else None for name in left}
            await erasure.rewrite_summary(unit.session, unit.viewer, summary.id, **kept)


async def _drop_topics(unit: Unit, versions: Sequence[FactRow]) -> None:
    """Topics that consist of the words of what is being forgotten."""
    told = set[str]().union(*(telling(row.content) for row in versions if row.content))
    names = [row.name for row in await topics_of(unit.session, unit.viewer) if telling(row.name) <= told]
    await erasure.forget_topics(unit.session, unit.viewer, names)


async def _drop_cards(unit: Unit, row: FactRow) -> None:
    cards = await proposals.opened(unit, await all_proposals(unit.session, unit.viewer))
    holding = [
        card.id
        for card in cards
        if (card.content and places(card.content, row, said_by_human=False))
        or (card.source_event_id is not None and card.source_event_id == row.source_event_id)
    ]
    await remove_proposals(unit.session, unit.viewer, holding)
