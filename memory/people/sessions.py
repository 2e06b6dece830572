"""Sessions of other agents: a name that they choose, and the conversation that goes on under it.

One name is one conversation of one person, or of one space where it is held aloud; in another channel it is another.
"""

from db.ids import named_id
from db.queries.events.conversations import is_begun, start_once
from db.viewer import Viewer
from memory.context.snapshot import pin_snapshot
from memory.unit import Unit


def conversation_of(viewer: Viewer, session_id: str) -> str:
    """The id of the conversation, whether it has begun or not."""
    whose = "" if viewer.is_aloud else viewer.person
    return named_id("cnv", whose, viewer.place, viewer.channel, session_id)


async def has_begun(unit: Unit, session_id: str) -> bool:
    """Whether somebody has entered the session before."""
    return await is_begun(unit.session, unit.viewer, conversation_of(unit.viewer, session_id))


async def enter_session(unit: Unit, session_id: str, agent_id: str) -> str:
    """The conversation; the first who comes begins it, with what is remembered then."""
    conversation_id = conversation_of(unit.viewer, session_id)
    if await has_begun(unit, session_id):
        return conversation_id
    if await start_once(unit.session, unit.viewer, conversation_id=conversation_id, agent_id=agent_id, now=unit.now):
        await pin_snapshot(unit, conversation_id)
    return conversation_id
