"""Gathers what the brain needs for one turn, read only, in one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass

from db.queries import facts as queries
from db.queries import snapshots
from db.queries.events import last_messages
from db.queries.facts import FactRow
from db.queries.people import Choices, choices_of
from db.vocabulary import ActorType, Sensitivity
from memory.brain import Request, ToolSpec
from memory.context.render import Line, conversation, memory_text, tail_text
from memory.facts import opened
from memory.privacy.repeats import blanked, places
from memory.prompts import prompt
from memory.record import Prepared, open_content
from memory.unit import Unit

MOST_CHANGES = 100


@dataclass(frozen=True, slots=True)
class Context:
    request: Request
    choices: Choices
    sensitive: tuple[FactRow, ...]
    """The sensitive facts that stand in the request: an answer that repeats one is sensitive too."""


async def build_context(
    unit: Unit,
    conversation_id: str,
    message: Prepared,
    *,
    window: int,
    tools: tuple[ToolSpec, ...],
    notes: Sequence[str] = (),
) -> Context:
    session, viewer = unit.session, unit.viewer
    pinned = await opened(unit, await snapshots.pinned_facts(session, viewer, conversation_id))
    changed = await opened(
        unit, await snapshots.facts_changed_since_pinned(session, viewer, conversation_id, limit=MOST_CHANGES)
    )
    lines = await _window(unit, conversation_id, message, window)
    request = Request(
        prompt("instructions"), memory_text(pinned), conversation(lines, tail_text(changed, notes)), tools
    )
    sensitive = tuple(row for row in (*pinned, *changed) if row.sensitivity == Sensitivity.HIGH)
    return Context(request, await choices_of(session, viewer), sensitive)


async def _window(unit: Unit, conversation_id: str, message: Prepared, window: int) -> list[Line]:
    """The last messages, as this viewer may see them, and the new one whatever its channel lets be loaded. What was
    deleted is blank in them at once, though its purge is still to come."""
    hidden: list[FactRow] = []
    if unit.viewer.user is not None:
        ids = [row.id for row in await queries.hidden_facts(unit.session, unit.viewer)]
        hidden = await opened(unit, await queries.versions_of(unit.session, unit.viewer, ids)) if ids else []
    lines = []
    for row in await last_messages(unit.session, unit.viewer, conversation_id, limit=window):
        content = await open_content(unit, row.user, row.event_id, row.content)
        by_human, text = row.actor_type == ActorType.HUMAN, str(content.get("text", ""))
        for fact in hidden if row.event_id != message.event.id else []:
            is_source = fact.source_event_id == row.event_id
            text = blanked(text, places(text, fact, said_by_human=by_human, is_source=is_source))
        lines.append(Line(row.event_id, by_human, text))
    if not any(line.event_id == message.event.id for line in lines):
        lines.append(Line(message.event.id, True, message.text))
    return lines
