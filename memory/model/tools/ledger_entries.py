"""Writes the agent's decisions and tasks. They need no consent, so they must not bypass it."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from typing import Any

from db.queries.facts.facts import hidden_versions
from db.queries.facts.proposals import unaccepted
from db.vocabulary import ActorType, EventKind, Mode
from memory.errors import Refused
from memory.events.contents import texts_in
from memory.events.record import EventDraft, prepare, record
from memory.facts.consent import is_stated_in
from memory.language.spans import paraphrase_spans, verbatim_spans
from memory.ledgers.decisions import GROUNDS
from memory.model.brain import AGENT
from memory.model.tools.base import Caller
from memory.privacy.forgetting.tombstones import was_forgotten
from memory.refusals import Refusal
from memory.unit import Unit

NO_TEXT = frozenset({"task_id", "supersedes", "status", "scope", "due"})
TEXT_FIELDS = frozenset({"decision", *GROUNDS, "title", "details"})
SENTENCE_END = re.compile(r"[.!?…;\n。！？؟।]+")


async def write_ledger_entry(caller: Caller, kind: EventKind, content: dict[str, Any], refs: Iterable[str]) -> str:
    """Store an entry as an event of this conversation with its ledger row, and return the row's id. Sensitive content
    of this turn stays sensitive in the entry."""
    cited = tuple(dict.fromkeys(refs))
    if unknown := [ref for ref in cited if ref not in caller.citable]:
        raise Refused(Refusal.REFS_UNSEEN, refs=", ".join(unknown))
    kept = {name: value for name, value in content.items() if value not in (None, "", [])}
    words = entry_text(kept)
    draft = EventDraft(ActorType.AGENT, AGENT, kind, kept, refs=cited)
    prepared = await asyncio.to_thread(prepare, draft, caller.now, sensitive=caller.is_sensitive(words))
    async with caller.unit() as unit:
        await ensure_allowed(unit, caller, words)
        [entry_id] = await record(unit, caller.conversation_id, [prepared])
    caller.touched_sensitive |= prepared.is_sensitive
    caller.citable |= {entry_id}
    return entry_id


def entry_text(content: Mapping[str, Any]) -> str:
    """The whole text of an entry, without ids and dates but including unexpected field names."""
    fields = {name: value for name, value in content.items() if name not in NO_TEXT}
    return "\n".join([*texts_in([*fields.values()]), *(name for name in fields if name not in TEXT_FIELDS)])


async def ensure_allowed(unit: Unit, caller: Caller, words: str) -> None:
    """Refuse an entry that repeats forgotten facts, or cards without a yes. In mode `manual`, the user's message must
    state the entry."""
    if not words:
        return
    forgotten = [row.content for row in await unit.vault.open_rows(await hidden_versions(unit.session, unit.viewer))]
    sentences = [words, *(part.strip() for part in SENTENCE_END.split(words) if part.strip())]
    if _repeats(words, forgotten) or any([await was_forgotten(unit, sentence) for sentence in sentences]):
        raise Refused(Refusal.NOTE_FORGOTTEN)
    cards = await unit.vault.open_rows(await unaccepted(unit.session, unit.viewer))
    if _repeats(words, [card.content for card in cards]):
        raise Refused(Refusal.NOTE_UNAGREED)
    if caller.choices.mode == Mode.MANUAL and not all(
        is_stated_in(line, caller.message) for line in words.splitlines()
    ):
        raise Refused(Refusal.NOTE_MANUAL_MODE)


def _repeats(words: str, kept: Iterable[str | None]) -> bool:
    return any(text and (verbatim_spans(words, text) or paraphrase_spans(words, text)) for text in kept)
