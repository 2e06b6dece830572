"""/why: what a reply rests on, each with its date, and a link to the message where there is one to give."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot import formatting
from bot.commands.memory import timezone_of
from bot.language import texts
from memory import Channel
from memory.context.provenance import Reasons, reasons
from memory.errors import NotFound
from memory.events.posts import places_of
from memory.model.brain import AGENT
from memory.turn.chat import Chat
from memory.unit import Unit

Link = Callable[[str, int], str]
"""The address of a message, of which the chat and the number are known; empty for one that has none."""


def no_link(_: str, __: int) -> str:
    return ""


async def why_command(chat: Chat, _: str) -> str:
    return await explained(chat)


async def explained(chat: Chat, reply_id: str | None = None, link_to: Link = no_link) -> str:
    """In words; whatever cannot be told has one line. What stood in a prompt is its person's to read alone, and they
    are told alone, also of what was asked in a group."""
    if not chat.kept and reply_id is None:
        return texts.WHY_NOT_KEPT
    zone = await timezone_of(chat)
    viewer = replace(chat.viewer, channel=Channel.PRIVATE)

    async def look(unit: Unit) -> tuple[Reasons, Mapping[str, tuple[str, int]]]:
        found = await reasons(unit, chat.conversation_id, reply_id)
        return found, await places_of(unit, [old.event_id for old in found.messages])

    try:
        found, places = await chat.do(look, viewer=viewer)
    except NotFound:
        return texts.WHY_NOTHING
    links = {event: link_to(*place) for event, place in places.items()}
    return why_text(found, links, zone, chat.viewer.person)


def why_text(found: Reasons, links: Mapping[str, str], zone: ZoneInfo, viewer: str) -> str:
    lines = []
    if found.facts:
        lines.append(texts.WHY_FACTS)
        lines += [
            f"• [{fact.id}] {formatting.one_line(fact.words)} ({_day(fact.updated_at, zone)})" for fact in found.facts
        ]
    if found.messages:
        lines.append(texts.WHY_MESSAGES)
        for old in found.messages:
            who = texts.WHY_YOU if old.speaker == viewer else texts.WHY_ME if old.speaker == AGENT else old.speaker
            told = texts.WHY_MESSAGE.format(day=_day(old.ts, zone), who=who, words=formatting.one_line(old.text))
            lines.append(f"{told} {links.get(old.event_id, '')}".rstrip())
    if not lines:
        lines.append(texts.WHY_FRESH)
    if found.more_facts:
        lines.append(texts.WHY_MORE.format(count=found.more_facts))
    return "\n".join(lines)


def _day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"
