"""Where events stand as messages in chats outside, and which event an update became."""

from collections.abc import Sequence

from db.queries.events import posts as queries
from db.queries.events.events import event_of_update as find_event_of_update
from memory.unit import Unit


async def add_post(unit: Unit, chat: str, message_id: int, event_id: str) -> None:
    """This message is that event. An event that its own author may not read here, because it is too sensitive for the
    channel, stands nowhere."""
    await queries.add_post(unit.session, unit.viewer, chat, message_id, event_id)


async def event_at(unit: Unit, chat: str, message_id: int) -> str | None:
    """The event that this message is."""
    return await queries.event_at(unit.session, unit.viewer, chat, message_id)


async def places_of(unit: Unit, events: Sequence[str]) -> dict[str, tuple[str, int]]:
    """Chat and message of each of these events that stands somewhere; of several messages the first."""
    return await queries.places_of(unit.session, unit.viewer, events)


async def event_of_update(unit: Unit, update_id: int) -> str | None:
    """The event that an update became, if it did before."""
    return await find_event_of_update(unit.session, unit.viewer, update_id)
