"""Group chats of a messenger: each is a space, with the people who spoke in it as its members."""

from db.ids import timed_id
from db.queries.people import spaces as queries
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.people.spaces import LONGEST_NAME
from memory.unit import Memory, Unit


async def enter_group(unit: Unit, chat: str, title: str, *, is_admin: bool | None) -> Viewer:
    """The viewer as a member of the group's space, which is made when nobody was there yet. Whether they run the group
    is said where the front end has asked."""
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
    """Whether the viewer runs a group that they are in."""
    await queries.enter_group(unit.session, chat=chat, new_id="", called="", is_admin=is_admin, now=unit.now)


async def space_of_chat(unit: Unit, chat: str) -> str | None:
    """The space of a group chat, where the viewer belongs to it."""
    return await queries.space_of_chat(unit.session, unit.viewer, chat)


async def chat_here(unit: Unit) -> str | None:
    """The group chat that the viewer's space stands in, if it is one."""
    return await queries.chat_here(unit.session, unit.viewer)


async def choose_channel(unit: Unit, channel: Channel) -> bool:
    """How private the viewer's group is, which only those who run it may say."""
    return await queries.choose_channel(unit.session, channel)


async def move_group(memory: Memory, tenant: str, former: str, present: str) -> None:
    """A group goes on under another number."""
    async with memory.database.transaction(Viewer.nobody(tenant)) as session:
        await queries.move_group(session, former, present)
