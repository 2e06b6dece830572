"""From somebody who writes in a messenger to their chat: who they are, the space of their group, the conversation."""

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
    """A group chat; `is_admin` where the front end has asked whether the person runs it."""

    chat: str
    title: str
    is_admin: bool | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who writes, and where, as the front end knows them."""

    person: str
    place: str
    received_at: datetime
    name: str = ""
    language: str = "en"
    group: GroupChat | None = None


async def enter(runtime: Runtime, arrival: Arrival, timezone: str) -> Chat:
    """The chat that a message belongs to, with the conversation that goes on in it; one that was silent for long is
    over. What is not kept never ends by itself: nobody would notice that they are heard again."""
    home = Viewer.in_private(runtime.settings.tenant, arrival.person)
    async with runtime.memory.unit(home) as unit:
        row = await open_conversation(unit.session, home, arrival.place)
        viewer, is_over = home, row is not None and _is_over(runtime, arrival, row)
        if row is None or is_over or arrival.group:
            await _meet(unit, arrival, timezone)
            if arrival.group:
                viewer = await enter_group(
                    unit, arrival.group.chat, arrival.group.title, is_admin=arrival.group.is_admin
                )
    if arrival.group:
        async with runtime.memory.unit(viewer, read_only=True) as unit:
            row = await open_conversation(unit.session, viewer, arrival.place)
        if row is not None and row.channel != viewer.channel:
            return await _begun(runtime, viewer, arrival.place, row)
    if row is None:
        return await _begun(runtime, viewer, arrival.place, None)
    chat = Chat(runtime, Viewer(home.tenant, home.user, row.space, row.channel), row.id, row.kept, arrival.place)
    if _is_over(runtime, arrival, row):
        await chat.begin_anew()
    return chat


async def unkept_places(memory: Memory, tenant: str) -> set[str]:
    """Chats in which nothing is kept just now."""
    async with memory.database.transaction(Viewer.nobody(tenant), read_only=True) as session:
        return set(await private_chats(session))


def _is_over(runtime: Runtime, arrival: Arrival, row: ConversationRow) -> bool:
    idle = timedelta(hours=runtime.settings.idle_hours)
    return bool(idle) and row.kept and arrival.received_at - row.last_at > idle


async def _meet(unit: Unit, arrival: Arrival, timezone: str) -> None:
    """People are called what they call themselves in their messenger just now, if that can be read. Of whom only a
    history was brought in before they came themselves, neither name nor language is known."""
    name, language = arrival.name or arrival.person, arrival.language
    known_as = await people.name_of(unit.session, unit.viewer)
    if known_as is None:
        await people.welcome(unit.session, unit.viewer, name=name, timezone=timezone, now=unit.now, language=language)
        return
    if known_as == UNNAMED:
        await people.choose_language(unit.session, unit.viewer, language)
    if name != known_as:
        await people.rename(unit.session, unit.viewer, name)


async def _begun(runtime: Runtime, viewer: Viewer, place: str, before: ConversationRow | None) -> Chat:
    chat = Chat(runtime, viewer, place=place)
    if before is not None:
        former = Chat(runtime, Viewer(viewer.tenant, viewer.user, before.space, before.channel), before.id, place=place)
        await former.end()
    await chat.begin_anew()
    return chat
