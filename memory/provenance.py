"""Why a reply says what it says: the facts and the old messages that stood in its prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from db.queries import bundles
from db.queries import facts as fact_queries
from db.queries.events import event_row, last_reply
from db.queries.facts import FactRow
from memory.context.sections import SectionName
from memory.errors import NotFound
from memory.facts import opened
from memory.record import open_content
from memory.retrieval.languages import telling
from memory.unit import Unit

MOST_FACTS, MOST_MESSAGES, LONGEST = 8, 8, 200


@dataclass(frozen=True, slots=True)
class OldMessage:
    event_id: str
    speaker: str
    ts: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Reasons:
    """Facts that share a word with the question or the reply, how many more the model had before it, and what was
    recalled of earlier messages."""

    facts: Sequence[FactRow]
    more_facts: int
    messages: Sequence[OldMessage]


async def reasons(unit: Unit, conversation_id: str, reply_id: str | None = None) -> Reasons:
    """Of a reply to the viewer, or of the last one."""
    session, viewer = unit.session, unit.viewer
    reply_id = reply_id or await last_reply(session, viewer, conversation_id)
    reply = await event_row(session, viewer, reply_id) if reply_id else None
    call_id = next((ref for ref in reply.refs if ref.startswith("acb_")), None) if reply else None
    calls = await bundles.calls(session, viewer, call_id=call_id, limit=1) if call_id else []
    if reply is None or reply_id is None or not calls:
        raise NotFound("There is no such reply.")
    manifest = calls[0].manifest
    asked = await _words(unit, str(manifest["message"].get("event", "")))
    said = await open_content(unit, reply.user, reply_id, reply.content)
    about = telling(f"{asked} {said.get('text', '')}")
    sections = manifest["sections"]
    shown = [*sections.get(SectionName.MEMORY, ()), *sections.get(SectionName.MEMORY_CHANGES, ())]
    facts = await _facts(unit, [row["fact"] for row in shown])
    used = [fact for fact in facts if fact.content and telling(fact.content) & about]
    recalled = [row["source"] for row in sections.get(SectionName.RETRIEVED_EVIDENCE, ())]
    return Reasons(used[:MOST_FACTS], len(facts) - len(used[:MOST_FACTS]), await _messages(unit, recalled))


async def _facts(unit: Unit, ids: Sequence[str]) -> list[FactRow]:
    """As they stand today; what was deleted since is gone from here too."""
    wanted = dict.fromkeys(ids)
    found = await opened(unit, await fact_queries.present_facts(unit.session, unit.viewer))
    return [fact for fact in found if fact.id in wanted]


async def _messages(unit: Unit, sources: Sequence[str]) -> list[OldMessage]:
    found = []
    for source in list(dict.fromkeys(sources))[:MOST_MESSAGES]:
        event = await event_row(unit.session, unit.viewer, source)
        if event is None:
            continue
        content = await open_content(unit, event.user, source, event.content)
        words = str(content.get("text") or content.get("excerpt_text") or content.get("decision") or "")
        is_own = event.actor_id == unit.viewer.user
        speaker = event.actor_id if is_own else str(content.get("by") or event.actor_id)
        found.append(OldMessage(source, speaker, event.ts, words[:LONGEST]))
    return found


async def _words(unit: Unit, event_id: str) -> str:
    event = await event_row(unit.session, unit.viewer, event_id)
    content = await open_content(unit, event.user, event_id, event.content) if event else {}
    return str(content.get("text", ""))
