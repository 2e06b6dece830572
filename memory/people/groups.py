"""Group chats of a messenger. Each is a space, and its members are the people who spoke in it."""

from db.ids import timed_id
from db.queries.people import spaces as queries
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.people.spaces import LONGEST_NAME
from memory.unit import Memory, Unit


async def enter_group(unit: Unit, chat: str, title: str, *, is_admin: bool | None) -> Viewer:
    """Make the viewer a member of the group's space, creating the space if needed, and return the viewer in it.

    `is_admin` is None if the front end did not check.
    """
    space, channel = await queries.enter_group(
        unit.session,
        chat=chat,
        new_id=timed_id("spc", unit.now),
        called=title[:LONGEST_NAME] or "group",
        is_admin=is_admin,
        now=unit.now,
    )
    return Viewer(unit.viewer.tenant, unit.viewer.user, space, Channel(channel))


async def set_admin(unit: Unit, chat: str, *, is_admin: bool) -> None:
    """Record whether the viewer administers a group that they are in."""
    await queries.enter_group(unit.session, chat=chat, new_id="", called="", is_admin=is_admin, now=unit.now)


async def space_of_chat(unit: Unit, chat: str) -> str | None:
    """Return the space of a group chat, if the viewer is a member."""
    return await queries.space_of_chat(unit.session, unit.viewer, chat)


async def chat_of_space(unit: Unit) -> str | None:
    """Return the group chat of the viewer's space, if it is a group."""
    return await queries.chat_of_space(unit.session, unit.viewer)


async def choose_channel(unit: Unit, channel: Channel) -> bool:
    """Set the channel of the viewer's group. Returns False if the viewer is not an admin."""
    return await queries.choose_channel(unit.session, channel)


async def move_group(memory: Memory, tenant: str, old_chat: str, new_chat: str) -> None:
    """Move a group's space to the chat's new id."""
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        await queries.move_group(session, old_chat, new_chat)
