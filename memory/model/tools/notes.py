"""Writes the agent's own notes, decisions and tasks. They need no consent, so they are no way around it either."""

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
from memory.facts.consent import stands_in
from memory.language.spans import in_other_words, word_for_word
from memory.ledgers.decisions import GROUNDS
from memory.model.brain import AGENT
from memory.model.tools.base import Caller
from memory.privacy.forgetting.tombstones import forbidden
from memory.unit import Unit

NAMES = frozenset({"task_id", "supersedes", "status", "scope", "due"})
PARTS = frozenset({"decision", *GROUNDS, "title", "details"})
SENTENCE_END = re.compile(r"[.!?…;\n。！？؟।]+")


async def write_note(caller: Caller, kind: EventKind, content: dict[str, Any], refs: Iterable[str]) -> str:
    """Keep a note as an event of this conversation, with its row in the ledger, whose id is given. What was seen as
    sensitive in this turn stays sensitive in it."""
    cited = tuple(dict.fromkeys(refs))
    if unknown := [ref for ref in cited if ref not in caller.shown]:
        raise Refused(f"Not kept: {', '.join(unknown)} did not stand in this turn. Cite only ids you were shown.")
    kept = {name: value for name, value in content.items() if value not in (None, "", [])}
    words = noted_words(kept)
    draft = EventDraft(ActorType.AGENT, AGENT, kind, kept, refs=cited)
    prepared = await asyncio.to_thread(prepare, draft, caller.now, sensitive=caller.is_sensitive(words))
    async with caller.unit() as unit:
        await ensure_own(unit, caller, words)
        [entered] = await record(unit, caller.conversation_id, [prepared])
    caller.touched_sensitive |= prepared.is_sensitive
    caller.shown |= {entered}
    return entered


def noted_words(content: Mapping[str, Any]) -> str:
    """All the words of a note, also those that somebody put where a name belongs; not its ids and days."""
    told = {name: value for name, value in content.items() if name not in NAMES}
    return "\n".join([*texts_in([*told.values()]), *(name for name in told if name not in PARTS)])


async def ensure_own(unit: Unit, caller: Caller, words: str) -> None:
    """A note is about work. What the user had forgotten, was not asked about yet or said no to is theirs to keep; and
    who keeps things by their own word only has only their own words noted."""
    if not words:
        return
    gone = [row.content for row in await unit.vault.opened(await hidden_versions(unit.session, unit.viewer))]
    sentences = [words, *(part.strip() for part in SENTENCE_END.split(words) if part.strip())]
    if _repeats(words, gone) or any([await forbidden(unit, sentence) for sentence in sentences]):
        raise Refused("Not kept: the user had this forgotten.")
    cards = await unit.vault.opened(await unaccepted(unit.session, unit.viewer))
    if _repeats(words, [card.content for card in cards]):
        raise Refused("Not kept: that is about the user, who has not agreed to keep it. A note is no way around.")
    if caller.choices.mode == Mode.MANUAL and not all(stands_in(line, caller.message) for line in words.splitlines()):
        raise Refused("Not kept: this user has things kept by their own words only.")


def _repeats(words: str, kept: Iterable[str | None]) -> bool:
    return any(each and (word_for_word(words, each) or in_other_words(words, each)) for each in kept)
