"""Links events to messages in outside chats, and updates to the events they became."""

from collections.abc import Sequence

from db.queries.events import posts as queries
from db.queries.events.events import event_of_update as find_event_of_update
from memory.unit import Unit


async def add_post(unit: Unit, chat: str, message_id: int, event_id: str) -> None:
    """Link an event to its message. Does nothing for an event too sensitive for its author to read in this channel."""
    await queries.add_post(unit.session, unit.viewer, chat, message_id, event_id)


async def event_at(unit: Unit, chat: str, message_id: int) -> str | None:
    """Return the event of this message."""
    return await queries.event_at(unit.session, unit.viewer, chat, message_id)


async def places_of(unit: Unit, events: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Return chat and message id of each of these events that has one; with several messages, the first."""
    return await queries.places_of(unit.session, unit.viewer, events)


async def event_id_of_update(unit: Unit, update_id: int) -> str | None:
    """Return the event that an update became, if any."""
    return await find_event_of_update(unit.session, unit.viewer, update_id)
