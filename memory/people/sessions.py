"""Sessions of other agents: a name that the agent chooses for a conversation.

A name stands for one conversation of a person or, in shared channels, of a space. Each channel has its own.
"""

from db.ids import named_id
from db.queries.events.conversations import conversation_exists, start_once
from db.viewer import Viewer
from memory.context.snapshot import pin_snapshot
from memory.unit import Unit


def conversation_of(viewer: Viewer, session_id: str) -> str:
    """Return the id of the conversation, whether it has started or not."""
    whose = "" if viewer.is_aloud else viewer.person
    return named_id("cnv", whose, viewer.place, viewer.channel, session_id)


async def has_started(unit: Unit, session_id: str) -> bool:
    return await conversation_exists(unit.session, unit.viewer, conversation_of(unit.viewer, session_id))


async def enter_session(unit: Unit, session_id: str, agent_id: str) -> str:
    """Return the conversation, starting it with a snapshot of the current memory if it is new."""
    conversation_id = conversation_of(unit.viewer, session_id)
    if await has_started(unit, session_id):
        return conversation_id
    if await start_once(unit.session, unit.viewer, conversation_id=conversation_id, agent_id=agent_id, now=unit.now):
        await pin_snapshot(unit, conversation_id)
    return conversation_id
