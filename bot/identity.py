"""Who speaks, and where: from an update to a chat with its viewer, its space and its conversation."""

from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.incoming import Incoming
from bot.turn import Chat
from db.ids import timed_id
from db.queries.conversations import ConversationRow, open_conversation
from db.queries.people import UNNAMED, choose_language, name_of, rename, welcome
from db.queries.spaces import enter_group
from db.viewer import Viewer
from db.vocabulary import Channel
from memory.spaces import LONGEST_NAME
from memory.unit import Unit
from memory.wiring import House

MOST_PLACES = 5_000


@dataclass(frozen=True, slots=True)
class Place:
    """What is known in RAM of a chat: enough to go on when the database is away."""

    viewer: Viewer
    conversation_id: str
    kept: bool
    people: frozenset[str] = frozenset()
    """Who has spoken there: in a group each speaks for themselves, in the one conversation of all."""


class Places:
    def __init__(self, private: set[str]) -> None:
        self._known: OrderedDict[str, Place] = OrderedDict()
        self._private = private

    def note(self, chat: Chat) -> None:
        assert chat.place
        before = self._known.get(chat.place)
        people = {chat.viewer.person, *(before.people if before and before.viewer.space == chat.viewer.space else ())}
        self._known[chat.place] = Place(chat.viewer, chat.conversation_id, chat.kept, frozenset(people))
        self._known.move_to_end(chat.place)
        (self._private.discard if chat.kept else self._private.add)(chat.place)
        if len(self._known) > MOST_PLACES:
            self._known.popitem(last=False)

    def of(self, place: str, person: str) -> Place | None:
        """As this person finds it; nothing, where they have not spoken yet."""
        known = self._known.get(place)
        if known is None or person not in known.people:
            return None
        return replace(known, viewer=replace(known.viewer, user=person))

    def is_private(self, place: str) -> bool:
        """Whether nothing of this chat may be written anywhere."""
        return place in self._private

    def forget(self, place: str) -> None:
        self._known.pop(place, None)
        self._private.discard(place)

    def leave(self, chat: str, person: str) -> None:
        """Somebody is gone from a group and its topics."""
        for place, known in self._known.items():
            if place == chat or place.startswith(f"{chat}:"):
                self._known[place] = replace(known, people=known.people - {person})


async def enter(house: House, incoming: Incoming, timezone: str, *, is_admin: bool | None = None) -> Chat:
    """The chat that an update belongs to, with the conversation that goes on in it; one that was silent for long is
    over. What is not kept never ends by itself: nobody would notice that they are heard again."""
    home = Viewer.in_private(house.settings.tenant, incoming.person)
    async with house.memory.unit(home) as unit:
        row = await open_conversation(unit.session, home, incoming.place)
        viewer, is_over = home, row is not None and _is_over(house, incoming, row)
        if row is None or is_over or incoming.in_group:
            await _meet(unit, incoming, timezone)
            if incoming.in_group:
                viewer = await _in_group(unit, incoming, is_admin)
    if incoming.in_group:
        async with house.memory.unit(viewer, read_only=True) as unit:
            row = await open_conversation(unit.session, viewer, incoming.place)
        if row is not None and row.channel != viewer.channel:
            return await _begun(house, viewer, incoming.place, row)
    if row is None:
        return await _begun(house, viewer, incoming.place, None)
    chat = Chat(house, Viewer(home.tenant, home.user, row.space, row.channel), row.id, row.kept, incoming.place)
    if _is_over(house, incoming, row):
        await chat.begin_anew()
    return chat


def _is_over(house: House, incoming: Incoming, row: ConversationRow) -> bool:
    idle = timedelta(hours=house.settings.idle_hours)
    return bool(idle) and row.kept and incoming.received_at - row.last_at > idle


async def _meet(unit: Unit, incoming: Incoming, timezone: str) -> None:
    """People are called what they call themselves in Telegram just now, if that can be read. Of whom only a history was
    brought in before they came themselves, neither name nor language is known."""
    name, language = incoming.name or incoming.person, incoming.language
    known_as = await name_of(unit.session, unit.viewer)
    if known_as is None:
        await welcome(unit.session, unit.viewer, name=name, timezone=timezone, now=unit.now, language=language)
        return
    if known_as == UNNAMED:
        await choose_language(unit.session, unit.viewer, language)
    if name != known_as:
        await rename(unit.session, unit.viewer, name)


async def _begun(house: House, viewer: Viewer, place: str, before: ConversationRow | None) -> Chat:
    chat = Chat(house, viewer, place=place)
    if before is not None:
        former = Chat(house, Viewer(viewer.tenant, viewer.user, before.space, before.channel), before.id, place=place)
        await former.end()
    await chat.begin_anew()
    return chat


async def _in_group(unit: Unit, incoming: Incoming, is_admin: bool | None) -> Viewer:
    space, channel = await enter_group(
        unit.session,
        chat=f"telegram:{incoming.chat}",
        new_id=timed_id("spc", unit.now),
        called=incoming.title[:LONGEST_NAME] or "group",
        is_admin=is_admin,
        now=unit.now,
    )
    return Viewer(unit.viewer.tenant, unit.viewer.user, space, Channel(channel))
