"""Finds or creates the chat that a message from a messenger belongs to: its person, space and conversation."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from db.queries.events.conversations import ConversationRow, open_conversation, private_chats
from db.queries.people import people
from db.queries.people.people import UNNAMED
from db.viewer import Viewer
from memory.people.groups import enter_group
from memory.turn.chat import Chat
from memory.unit import Memory, Unit
from memory.wiring import Runtime


@dataclass(frozen=True, slots=True)
class GroupChat:
    """A group chat; `is_admin` is None where the front end has not asked."""

    chat: str
    title: str
    is_admin: bool | None = None


@dataclass(frozen=True, slots=True)
class SenderInfo:
    """Who sent a message, and from which chat, as the front end knows them."""

    person: str
    place: str
    received_at: datetime
    name: str = ""
    language: str = "en"
    group: GroupChat | None = None


async def open_chat(runtime: Runtime, sender: SenderInfo, timezone: str) -> Chat:
    """Return the chat of a message with its open conversation. A conversation that was idle for long is replaced by a
    new one, unless it is private: the person would not notice that messages are stored again."""
    home = Viewer.in_private(runtime.settings.tenant, sender.person)
    async with runtime.memory.unit(home) as unit:
        row = await open_conversation(unit.session, home, sender.place)
        viewer, is_over = home, row is not None and _is_over(runtime, sender, row)
        if row is None or is_over or sender.group:
            await _register_person(unit, sender, timezone)
            if sender.group:
                viewer = await enter_group(unit, sender.group.chat, sender.group.title, is_admin=sender.group.is_admin)
    if sender.group:
        async with runtime.memory.unit(viewer, read_only=True) as unit:
            row = await open_conversation(unit.session, viewer, sender.place)
        if row is not None and row.channel != viewer.channel:
            return await _start_chat(runtime, viewer, sender.place, row)
    if row is None:
        return await _start_chat(runtime, viewer, sender.place, None)
    chat = Chat(runtime, Viewer(home.tenant, home.user, row.space, row.channel), row.id, row.kept, sender.place)
    if _is_over(runtime, sender, row):
        await chat.new_conversation()
    return chat


async def unsaved_places(memory: Memory, tenant: str) -> set[str]:
    """The chats whose open conversation is not kept."""
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        return set(await private_chats(session))


def _is_over(runtime: Runtime, sender: SenderInfo, row: ConversationRow) -> bool:
    idle = timedelta(hours=runtime.settings.idle_hours)
    return bool(idle) and row.kept and sender.received_at - row.last_at > idle


async def _register_person(unit: Unit, sender: SenderInfo, timezone: str) -> None:
    """Register the person, or take over their present name from the messenger. A person known only from an import has
    neither name nor language yet."""
    name, language = sender.name or sender.person, sender.language
    known_as = await people.name_of(unit.session, unit.viewer)
    if known_as is None:
        await people.welcome(unit.session, unit.viewer, name=name, timezone=timezone, now=unit.now, language=language)
        return
    if known_as == UNNAMED:
        await people.choose_language(unit.session, unit.viewer, language)
    if name != known_as:
        await people.rename(unit.session, unit.viewer, name)


async def _start_chat(runtime: Runtime, viewer: Viewer, place: str, before: ConversationRow | None) -> Chat:
    chat = Chat(runtime, viewer, place=place)
    if before is not None:
        former = Chat(runtime, Viewer(viewer.tenant, viewer.user, before.space, before.channel), before.id, place=place)
        await former.end()
    await chat.new_conversation()
    return chat
