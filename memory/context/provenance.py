"""Why a reply says what it says: the facts and the old messages that stood in its prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.queries.events.events import EventRow, event_row, event_rows, explained_replies, last_reply
from db.queries.facts import facts as fact_queries
from db.queries.facts.facts import FactRow
from db.queries.model import bundles
from memory.context.sections import SHOWING_FACTS, SectionName
from memory.errors import NotFound
from memory.events.record import open_content
from memory.language.terms import telling
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


@dataclass(frozen=True, slots=True)
class ExplainedReply:
    """A reply to the viewer, what it answered, and why it says what it says, where that is still known."""

    id: str
    agent: str
    ts: datetime
    asked: str
    said: str
    reasons: Reasons | None


@dataclass(frozen=True, slots=True)
class ReplyPage:
    replies: Sequence[ExplainedReply]
    older: str | None
    """The reply before which the next page begins; nothing where this is the last page."""
    is_newest: bool


async def reasons(unit: Unit, conversation_id: str, reply_id: str | None = None) -> Reasons:
    """Of a reply to the viewer, or of the last one."""
    session, viewer = unit.session, unit.viewer
    reply_id = reply_id or await last_reply(session, viewer, conversation_id)
    event = await event_row(session, viewer, reply_id) if reply_id else None
    if event is None or reply_id is None:
        raise NotFound("There is no such reply.")
    [reply] = await _explained(unit, [(reply_id, event)])
    if reply.reasons is None:
        raise NotFound("There is no such reply.")
    return reply.reasons


async def replies(unit: Unit, *, before: tuple[datetime, str] | None = None, limit: int) -> list[ExplainedReply]:
    """The newest replies to the viewer that name what they rest on, in any of their conversations; so many before one
    of them."""
    found = await explained_replies(unit.session, unit.viewer, before=before, limit=limit)
    return await _explained(unit, found)


async def reply_page(unit: Unit, *, before: str, limit: int) -> ReplyPage:
    """So many replies before one of them, which is named by its id; if it is gone, or none, the newest."""
    last = await event_row(unit.session, unit.viewer, before) if before else None
    found = await replies(unit, before=(last.ts, before) if last else None, limit=limit + 1)
    older = found[limit - 1].id if len(found) > limit else None
    return ReplyPage(found[:limit], older, is_newest=last is None)


async def _explained(unit: Unit, replies: Sequence[tuple[str, EventRow]]) -> list[ExplainedReply]:
    calls = await bundles.calls_by_id(unit.session, unit.viewer, [ref for _, reply in replies for ref in _calls(reply)])
    manifests = {
        id: next((calls[ref].manifest for ref in _calls(reply) if ref in calls), None) for id, reply in replies
    }
    told = [manifest for manifest in manifests.values() if manifest]
    events = await event_rows(unit.session, unit.viewer, [id for manifest in told for id in _named(manifest)])
    facts = await unit.vault.opened(await fact_queries.present_facts(unit.session, unit.viewer)) if told else []
    found = []
    for id, reply in replies:
        manifest = manifests[id]
        asked = await _words(unit, _question(manifest), events) if manifest else ""
        said = await _words(unit, id, {id: reply})
        why = await _reasons(unit, manifest, f"{asked} {said}", facts, events) if manifest else None
        found.append(ExplainedReply(id, reply.actor_id, reply.ts, asked, said, why))
    return found


async def _reasons(
    unit: Unit,
    manifest: Mapping[str, Any],
    exchange: str,
    facts: Sequence[FactRow],
    events: Mapping[str, EventRow],
) -> Reasons:
    """Facts as they stand today; what was deleted since is gone from here too."""
    about = telling(exchange)
    shown = {row.get("fact") for name in SHOWING_FACTS for row in _section(manifest, name)}
    known = [fact for fact in facts if fact.id in shown]
    used = [fact for fact in known if fact.content and telling(fact.content) & about][:MOST_FACTS]
    messages = [await _message(unit, id, events[id]) for id in _recalled(manifest) if id in events]
    return Reasons(used, len(known) - len(used), messages)


def _calls(reply: EventRow) -> list[str]:
    return [ref for ref in reply.refs if ref.startswith("acb_")]


def _question(manifest: Mapping[str, Any]) -> str:
    return str(manifest.get("message", {}).get("event", ""))


def _section(manifest: Mapping[str, Any], name: SectionName) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = manifest.get("sections", {}).get(name, ())
    return found


def _recalled(manifest: Mapping[str, Any]) -> list[str]:
    sources = [str(row.get("source", "")) for row in _section(manifest, SectionName.RETRIEVED_EVIDENCE)]
    return list(dict.fromkeys(sources))[:MOST_MESSAGES]


def _named(manifest: Mapping[str, Any]) -> list[str]:
    return [_question(manifest), *_recalled(manifest)]


async def _message(unit: Unit, id: str, event: EventRow) -> OldMessage:
    content = await open_content(unit, event.user, id, event.content)
    is_own = event.actor_id == unit.viewer.user
    speaker = event.actor_id if is_own else str(content.get("by") or event.actor_id)
    return OldMessage(id, speaker, event.ts, _told(content)[:LONGEST])


async def _words(unit: Unit, event_id: str, events: Mapping[str, EventRow]) -> str:
    event = events.get(event_id)
    return _told(await open_content(unit, event.user, event_id, event.content)) if event else ""


def _told(content: Mapping[str, Any]) -> str:
    return str(content.get("text") or content.get("excerpt_text") or content.get("decision") or "")
