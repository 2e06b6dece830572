"""People who are in a space together, and events that they write there, for tests of what members do."""

from dataclasses import replace
from typing import Any

from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.viewer import Viewer
from db.vocabulary import ActorType, Channel, EventKind
from memory.events.record import EventDraft, prepare, record
from memory.people import spaces
from memory.unit import Memory, Unit
from tests.conftest import NOON


async def found_together(memory: Memory, owner: Viewer, member: Viewer) -> str:
    """A space of two; gives its id."""
    async with memory.unit(owner, now=NOON) as unit:
        space = await spaces.create_space(unit, "Garden")
    async with memory.unit(replace(owner, space=space), now=NOON) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(member, now=NOON) as unit:
        await spaces.join_space(unit, code)
    return space


def aloud(viewer: Viewer, space: str, channel: Channel = Channel.TEAM) -> Viewer:
    return replace(viewer, space=space, channel=channel)


async def written(unit: Unit, kind: EventKind, content: dict[str, Any]) -> str:
    """An event in a conversation of its own; gives its id."""
    conversation = timed_id("cnv", unit.now)
    await start_conversation(unit.session, unit.viewer, conversation_id=conversation, agent_id="x", now=unit.now)
    prepared = prepare(EventDraft(ActorType.AGENT, "keepsake", kind, content), unit.now)
    await record(unit, conversation, [prepared])
    return prepared.event.id
