"""Gathers what the brain needs for one turn, read only, in one transaction."""

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from db.queries.events import last_messages
from db.queries.facts import active_facts
from db.queries.people import timezone_of
from db.viewer import Viewer
from memory.brain import Request, ToolSpec
from memory.context.render import conversation, memory_text
from memory.prompts import prompt

MOST_FACTS = 200


@dataclass(frozen=True, slots=True)
class Context:
    request: Request
    timezone: ZoneInfo


async def build_context(
    session: AsyncSession, viewer: Viewer, conversation_id: str, *, window: int, tools: tuple[ToolSpec, ...]
) -> Context:
    facts = await active_facts(session, viewer, limit=MOST_FACTS)
    messages = await last_messages(session, viewer, conversation_id, limit=window)
    timezone = await timezone_of(session, viewer)
    request = Request(prompt("instructions"), memory_text(facts), conversation(messages), tools)
    return Context(request, ZoneInfo(timezone))
