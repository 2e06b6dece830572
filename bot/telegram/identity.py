"""Who speaks, and where: what an update tells of it, and what is known of chats in RAM."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from bot.delivery.incoming import Incoming
from memory import Viewer
from memory.turn.chat import Chat
from memory.turn.enter import Arrival, GroupChat

MOST_PLACES = 5_000


@dataclass(frozen=True, slots=True)
class KnownChat:
    """What is known in RAM of a chat: enough to go on when the database is away."""

    viewer: Viewer
    conversation_id: str
    kept: bool
    people: frozenset[str] = frozenset()
    """Who has spoken there: in a group each speaks for themselves, in the one conversation of all."""


class KnownChats:
    def __init__(self, private: set[str]) -> None:
        self._known: OrderedDict[str, KnownChat] = OrderedDict()
        self._private = private

    def note(self, chat: Chat) -> None:
        assert chat.place
        before = self._known.get(chat.place)
        people = {chat.viewer.person, *(before.people if before and before.viewer.space == chat.viewer.space else ())}
        self._known[chat.place] = KnownChat(chat.viewer, chat.conversation_id, chat.kept, frozenset(people))
        self._known.move_to_end(chat.place)
        (self._private.discard if chat.kept else self._private.add)(chat.place)
        if len(self._known) > MOST_PLACES:
            self._known.popitem(last=False)

    def of(self, place: str, person: str) -> KnownChat | None:
        """As this person finds it; nothing, where they have not spoken yet."""
        known = self._known.get(place)
        if known is None or person not in known.people:
            return None
        return replace(known, viewer=replace(known.viewer, user=person))

    def is_unkept(self, place: str) -> bool:
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


def arrival(incoming: Incoming, *, is_admin: bool | None = None) -> Arrival:
    group = GroupChat(incoming.place_of(incoming.chat), incoming.title, is_admin) if incoming.in_group else None
    return Arrival(incoming.person, incoming.place, incoming.received_at, incoming.name, incoming.language, group)
