"""Takes the words of what is being forgotten out of messages, summaries, cards and topics."""

from collections.abc import Sequence
from typing import Any

from db.queries.consolidation.summaries import own_summaries
from db.queries.facts.facts import FactRow, hidden_versions
from db.queries.facts.proposals import all_proposals, remove_proposals
from db.queries.facts.topics import topics_of
from db.queries.privacy import erasure
from db.queries.privacy.erasure import ErasableEvent
from db.queries.retrieval.chunks import drop_chunks_of
from db.vocabulary import ActorType, EventKind
from memory.events.contents import Place, texts_at
from memory.events.record import open_content
from memory.language.spans import Span, blanked
from memory.language.terms import telling
from memory.privacy.forgetting.repeats import holds, needles, places
from memory.privacy.forgetting.tombstones import without_forgotten
from memory.retrieval.chunks import cut_missing
from memory.unit import Unit

MOST_SPANS = 100  # a message that says it more often is blanked whole, or it would take minutes
TEXT = ("text",)
OWN_WORDS = (TEXT, ("caption",))


async def blank_events(unit: Unit, row: FactRow) -> list[str]:
    """The source, every word for word repetition, and what assistant and tools said of it, in every part of a message:
    its text, a caption, what it quotes. Of what cannot be read, or is no message, nothing stays. Gives the ids of those
    that were touched."""
    looked_for = [row.id.lower(), *(needles(row.content) if row.content else [])]
    found = await erasure.events_that_may_hold(unit.session, unit.viewer, looked_for, source=row.source_event_id)
    touched = []
    for event in found:
        content = await open_content(unit, unit.viewer.person, event.id, event.content)
        spans = _spans_in(content, event, row)
        whole = event.kind != EventKind.MESSAGE and holds(content, row)
        if not spans and not whole and event.id != row.source_event_id:
            continue
        touched.append(event.id)
        by_parts = [(place, span) for place, span in spans if place is not None]
        if whole or "sealed" in event.content or not 0 < len(spans) == len(by_parts) <= MOST_SPANS:
            await erasure.blank_event(unit.session, event.id)
        else:
            for place, span in by_parts:
                await erasure.blank_span(unit.session, event.id, place, span)
    await drop_chunks_of(unit.session, unit.viewer, touched)
    await cut_missing(unit, touched)
    return touched


def _spans_in(content: dict[str, Any], event: ErasableEvent, row: FactRow) -> list[tuple[Place | None, Span]]:
    """Where it stands, part by part. What a person's message says beside their own words, others have said."""
    by_human, is_source = event.actor_type == ActorType.HUMAN, event.id == row.source_event_id
    return [
        (place, span)
        for place, text in texts_at(content)
        for span in places(
            text, row, said_by_human=by_human and place in OWN_WORDS, is_source=is_source and place == TEXT
        )
    ]


async def quotable(unit: Unit, words: str) -> str:
    """Words of before that are said again in a quote, without what was deleted or forgotten since: a messenger keeps
    them, and would bring them back."""
    hidden = await unit.vault.opened(await hidden_versions(unit.session, unit.viewer))
    left = blanked(words, [span for row in hidden for span in places(words, row, said_by_human=False)])
    return without_forgotten(left, await erasure.tombstones_of(unit.session, unit.viewer))


async def blank_summaries(unit: Unit, row: FactRow) -> None:
    """Sentences of a summary that came from it go at once. One that was made from the messages in which it stood is
    gone already, with them, and is made anew."""
    for summary in await unit.vault.opened(await own_summaries(unit.session, unit.viewer)):
        words = {"text": summary.text, "digest": summary.digest, "overall": summary.overall}
        held = {name: told for name, told in words.items() if told and places(told, row, said_by_human=False)}
        if held and summary.sealed is not None:
            await erasure.remove_summary(unit.session, unit.viewer, summary.id)
        elif held:
            left = {name: blanked(told, places(told, row, said_by_human=False)) for name, told in held.items()}
            kept = {name: left[name] if name == "text" else None for name in left}
            await erasure.rewrite_summary(unit.session, unit.viewer, summary.id, **kept)


async def drop_topics(unit: Unit, versions: Sequence[FactRow]) -> None:
    """Topics that consist of the words of what is being forgotten."""
    told = set[str]().union(*(telling(row.content) for row in versions if row.content))
    names = [row.name for row in await topics_of(unit.session, unit.viewer) if telling(row.name) <= told]
    await erasure.forget_topics(unit.session, unit.viewer, names)


async def drop_cards(unit: Unit, row: FactRow) -> None:
    cards = await unit.vault.opened(await all_proposals(unit.session, unit.viewer))
    holding = [
        card.id
        for card in cards
        if (card.content and places(card.content, row, said_by_human=False))
        or (card.source_event_id is not None and card.source_event_id == row.source_event_id)
    ]
    await remove_proposals(unit.session, unit.viewer, holding)
