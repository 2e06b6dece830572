"""Removes the words of a forgotten fact from messages, summaries, cards and topics."""

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
from memory.events.contents import FieldPath, texts_with_paths
from memory.events.record import open_content
from memory.language.spans import Span, blank_out
from memory.language.terms import key_terms
from memory.privacy.forgetting.repeats import contains_repeat, find_repeats, needles, repeats_any_fact
from memory.privacy.forgetting.tombstones import without_forgotten
from memory.retrieval.chunks import chunk_missing
from memory.unit import Unit

MAX_SPANS = 100  # a message with more repetitions is blanked as a whole, or it would take minutes
TEXT = ("text",)
OWN_WORDS = (TEXT, ("caption",))


async def blank_events(unit: Unit, row: FactRow) -> list[str]:
    """Blank a fact in its source and in every event that repeats it. Returns the ids of the changed events.

    People's own messages lose word-for-word repetitions; what assistants and tools said, and quotes, also lose
    paraphrases. Events that cannot be read or are not messages are blanked as a whole.
    """
    search_terms = [row.id.lower(), *(needles(row.content) if row.content else [])]
    found = await erasure.events_that_may_hold(unit.session, unit.viewer, search_terms, source=row.source_event_id)
    touched = []
    for event in found:
        content = await open_content(unit, unit.viewer.person, event.id, event.content)
        spans = _find_spans(content, event, row)
        whole = event.kind != EventKind.MESSAGE and contains_repeat(content, row)
        if not spans and not whole and event.id != row.source_event_id:
            continue
        touched.append(event.id)
        in_values = [(path, span) for path, span in spans if path is not None]
        if whole or "sealed" in event.content or not 0 < len(spans) == len(in_values) <= MAX_SPANS:
            await erasure.blank_event(unit.session, event.id)
        else:
            for path, span in in_values:
                await erasure.blank_span(unit.session, event.id, path, span)
    await drop_chunks_of(unit.session, unit.viewer, touched)
    await chunk_missing(unit, touched)
    return touched


def _find_spans(content: dict[str, Any], event: ErasableEvent, row: FactRow) -> list[tuple[FieldPath | None, Span]]:
    """Find the repetitions in each text. In a person's message only the text and the caption are their own words."""
    by_human, is_source = event.actor_type == ActorType.HUMAN, event.id == row.source_event_id
    return [
        (path, span)
        for path, text in texts_with_paths(content)
        for span in find_repeats(
            text, row, said_by_human=by_human and path in OWN_WORDS, is_source=is_source and path == TEXT
        )
    ]


async def quotable_text(unit: Unit, words: str) -> str:
    """Blank deleted and forgotten words in a quote. Messengers keep old messages, so a quote could bring them back."""
    hidden = await unit.vault.open_rows(await hidden_versions(unit.session, unit.viewer))
    quote = blank_out(words, [span for row in hidden for span in find_repeats(words, row, said_by_human=False)])
    return without_forgotten(quote, await erasure.tombstones_of(unit.session, unit.viewer))


async def blank_summaries(unit: Unit, row: FactRow) -> None:
    """Blank sentences that repeat the fact in the owner's summaries; remove sealed summaries that repeat it.

    Summaries made from changed messages were removed with those messages and will be made again.
    """
    for summary in await unit.vault.open_rows(await own_summaries(unit.session, unit.viewer)):
        texts = {"text": summary.text, "digest": summary.digest, "overall": summary.overall}
        repeating = {name: text for name, text in texts.items() if text and repeats_any_fact(text, [row])}
        if repeating and summary.sealed is not None:
            await erasure.remove_summary(unit.session, unit.viewer, summary.id)
        elif repeating:
            changes: dict[str, str | None] = dict.fromkeys(repeating)
            if text := repeating.get("text"):
                changes["text"] = blank_out(text, find_repeats(text, row, said_by_human=False))
            await erasure.rewrite_summary(unit.session, unit.viewer, summary.id, **changes)


async def drop_topics(unit: Unit, versions: Sequence[FactRow]) -> None:
    """Remove topics that consist only of words of the forgotten facts."""
    terms = set[str]().union(*(key_terms(row.content) for row in versions if row.content))
    names = [row.name for row in await topics_of(unit.session, unit.viewer) if key_terms(row.name) <= terms]
    await erasure.forget_topics(unit.session, unit.viewer, names)


async def drop_cards(unit: Unit, row: FactRow) -> None:
    cards = await unit.vault.open_rows(await all_proposals(unit.session, unit.viewer))
    repeating = [
        card.id
        for card in cards
        if (card.content and find_repeats(card.content, row, said_by_human=False))
        or (card.source_event_id is not None and card.source_event_id == row.source_event_id)
    ]
    await remove_proposals(unit.session, unit.viewer, repeating)
