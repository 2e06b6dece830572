"""/why: the facts and messages that a reply was based on, with dates and links."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot import formatting
from bot.commands.memory import timezone_of
from bot.language import texts
from memory import Channel
from memory.context.provenance import ReplySources, sources_of_reply
from memory.errors import NotFound
from memory.events.posts import places_of
from memory.model.brain import AGENT
from memory.turn.chat import Chat
from memory.unit import Unit

Link = Callable[[str, int], str]
"""Returns the link to a message from its place and id, or "" if it has none."""


def no_link(_: str, __: int) -> str:
    return ""


async def why_command(chat: Chat, _: str) -> str:
    return await explain(chat)


async def explain(chat: Chat, reply_id: str | None = None, link_to: Link = no_link) -> str:
    """Explain a reply, by default the last one, from what its prompt contained.

    It reads as the person in private, because a prompt may contain private facts, even for a reply in a group.
    """
    if not chat.kept and reply_id is None:
        return texts.WHY_NOT_SAVED
    zone = await timezone_of(chat)
    viewer = replace(chat.viewer, channel=Channel.PRIVATE)

    async def read(unit: Unit) -> tuple[ReplySources, Mapping[str, tuple[str, int]]]:
        found = await sources_of_reply(unit, chat.conversation_id, reply_id)
        return found, await places_of(unit, [old.event_id for old in found.messages])

    try:
        found, places = await chat.do(read, viewer=viewer)
    except NotFound:
        return texts.WHY_NO_REPLY
    links = {event: link_to(*place) for event, place in places.items()}
    return why_text(found, links, zone, chat.viewer.person)


def why_text(found: ReplySources, links: Mapping[str, str], zone: ZoneInfo, viewer: str) -> str:
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
            line = texts.WHY_MESSAGE.format(day=_day(old.ts, zone), who=who, words=formatting.one_line(old.text))
            lines.append(f"{line} {links.get(old.event_id, '')}".rstrip())
    if not lines:
        lines.append(texts.WHY_ONLY_CONVERSATION)
    if found.more_facts:
        lines.append(texts.WHY_MORE_FACTS.format(count=found.more_facts))
    return "\n".join(lines)


def _day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"
