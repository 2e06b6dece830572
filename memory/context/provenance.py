"""Explains a reply: the facts and old messages that its prompt contained."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from db.queries.events.events import EventRow, event_row, event_rows, explained_replies, last_reply
from db.queries.facts import facts as fact_queries
from db.queries.facts.facts import FactRow
from db.queries.model import bundles
from memory.context.sections import FACT_SECTIONS, SectionName
from memory.errors import NotFound
from memory.events.record import open_content
from memory.language.terms import key_terms
from memory.refusals import Refusal
from memory.unit import Unit

MAX_FACTS, MAX_MESSAGES, LONGEST = 8, 8, 200


@dataclass(frozen=True, slots=True)
class OldMessage:
    event_id: str
    speaker: str
    ts: datetime
    text: str


@dataclass(frozen=True, slots=True)
class ReplySources:
    """The sources of a reply: the facts that share a word with the exchange, the number of other facts in the prompt,
    and the recalled messages."""

    facts: Sequence[FactRow]
    more_facts: int
    messages: Sequence[OldMessage]


@dataclass(frozen=True, slots=True)
class ExplainedReply:
    """A reply to the viewer, the question, and its sources if they are still known."""

    id: str
    agent: str
    ts: datetime
    asked: str
    said: str
    sources: ReplySources | None


@dataclass(frozen=True, slots=True)
class ReplyPage:
    replies: Sequence[ExplainedReply]
    older: str | None
    """The id to pass as `before` for the next page; None on the last page."""
    is_newest: bool


async def sources_of_reply(unit: Unit, conversation_id: str, reply_id: str | None = None) -> ReplySources:
    """Return the sources of a reply to the viewer, by default the last one."""
    session, viewer = unit.session, unit.viewer
    reply_id = reply_id or await last_reply(session, viewer, conversation_id)
    event = await event_row(session, viewer, reply_id) if reply_id else None
    if event is None or reply_id is None:
        raise NotFound(Refusal.REPLY_NOT_FOUND)
    [reply] = await _explained(unit, [(reply_id, event)])
    if reply.sources is None:
        raise NotFound(Refusal.REPLY_NOT_FOUND)
    return reply.sources


async def replies(unit: Unit, *, before: tuple[datetime, str] | None = None, limit: int) -> list[ExplainedReply]:
    """Return the viewer's newest replies with known sources, in any conversation. `before` starts a later page."""
    found = await explained_replies(unit.session, unit.viewer, before=before, limit=limit)
    return await _explained(unit, found)


async def reply_page(unit: Unit, *, before: str, limit: int) -> ReplyPage:
    """Return a page of replies before this id. If the id is empty or deleted, return the newest page."""
    last = await event_row(unit.session, unit.viewer, before) if before else None
    found = await replies(unit, before=(last.ts, before) if last else None, limit=limit + 1)
    older = found[limit - 1].id if len(found) > limit else None
    return ReplyPage(found[:limit], older, is_newest=last is None)


async def _explained(unit: Unit, replies: Sequence[tuple[str, EventRow]]) -> list[ExplainedReply]:
    calls = await bundles.calls_by_id(unit.session, unit.viewer, [ref for _, reply in replies for ref in _calls(reply)])
    manifests = {
        id: next((calls[ref].manifest for ref in _calls(reply) if ref in calls), None) for id, reply in replies
    }
    known_manifests = [manifest for manifest in manifests.values() if manifest]
    events = await event_rows(
        unit.session, unit.viewer, [id for manifest in known_manifests for id in _event_ids(manifest)]
    )
    facts = (
        await unit.vault.open_rows(await fact_queries.present_facts(unit.session, unit.viewer))
        if known_manifests
        else []
    )
    found = []
    for id, reply in replies:
        manifest = manifests[id]
        question = await _words(unit, _question(manifest), events) if manifest else ""
        answer = await _words(unit, id, {id: reply})
        why = await _sources(unit, manifest, f"{question} {answer}", facts, events) if manifest else None
        found.append(ExplainedReply(id, reply.actor_id, reply.ts, question, answer, why))
    return found


async def _sources(
    unit: Unit,
    manifest: Mapping[str, Any],
    exchange: str,
    facts: Sequence[FactRow],
    events: Mapping[str, EventRow],
) -> ReplySources:
    """Return the sources with the present wording of the facts. Deleted facts are left out."""
    about = key_terms(exchange)
    shown = {row.get("fact") for name in FACT_SECTIONS for row in _section(manifest, name)}
    shown_facts = [fact for fact in facts if fact.id in shown]
    used = [fact for fact in shown_facts if fact.content and key_terms(fact.content) & about][:MAX_FACTS]
    messages = [await _message(unit, id, events[id]) for id in _recalled(manifest) if id in events]
    return ReplySources(used, len(shown_facts) - len(used), messages)


def _calls(reply: EventRow) -> list[str]:
    return [ref for ref in reply.refs if ref.startswith("acb_")]


def _question(manifest: Mapping[str, Any]) -> str:
    return str(manifest.get("message", {}).get("event", ""))


def _section(manifest: Mapping[str, Any], name: SectionName) -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = manifest.get("sections", {}).get(name, ())
    return found


def _recalled(manifest: Mapping[str, Any]) -> list[str]:
    sources = [str(row.get("source", "")) for row in _section(manifest, SectionName.RETRIEVED_EVIDENCE)]
    return list(dict.fromkeys(sources))[:MAX_MESSAGES]


def _event_ids(manifest: Mapping[str, Any]) -> list[str]:
    return [_question(manifest), *_recalled(manifest)]


async def _message(unit: Unit, id: str, event: EventRow) -> OldMessage:
    content = await open_content(unit, event.user, id, event.content)
    is_own = event.actor_id == unit.viewer.user
    speaker = event.actor_id if is_own else str(content.get("by") or event.actor_id)
    return OldMessage(id, speaker, event.ts, _text_of(content)[:LONGEST])


async def _words(unit: Unit, event_id: str, events: Mapping[str, EventRow]) -> str:
    event = events.get(event_id)
    return _text_of(await open_content(unit, event.user, event_id, event.content)) if event else ""


def _text_of(content: Mapping[str, Any]) -> str:
    return str(content.get("text") or content.get("excerpt_text") or content.get("decision") or "")
