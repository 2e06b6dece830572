"""Caches chats in RAM, so that this process can answer while the database is away."""

from collections import OrderedDict
from dataclasses import dataclass, replace

from memory import Viewer
from memory.turn.chat import Chat

MAX_CHATS = 5_000


@dataclass(frozen=True, slots=True)
class CachedChat:
    viewer: Viewer
    conversation_id: str
    kept: bool
    people: frozenset[str] = frozenset()
    """Who has written there. The members of a group share one conversation, but each has their own viewer."""


class ChatCache:
    """Chats by place, least recently added first; `unsaved` are the places with a /private conversation."""

    def __init__(self, unsaved: set[str]) -> None:
        self._chats: OrderedDict[str, CachedChat] = OrderedDict()
        self._unsaved = unsaved

    def add(self, chat: Chat) -> None:
        assert chat.place
        cached = self._chats.get(chat.place)
        people = {chat.viewer.person, *(cached.people if cached and cached.viewer.space == chat.viewer.space else ())}
        self._chats[chat.place] = CachedChat(chat.viewer, chat.conversation_id, chat.kept, frozenset(people))
        self._chats.move_to_end(chat.place)
        (self._unsaved.discard if chat.kept else self._unsaved.add)(chat.place)
        if len(self._chats) > MAX_CHATS:
            self._chats.popitem(last=False)

    def get(self, place: str, person: str) -> CachedChat | None:
        """Return the chat with this person as its viewer, or None if they have not written there yet."""
        cached = self._chats.get(place)
        if cached is None or person not in cached.people:
            return None
        return replace(cached, viewer=replace(cached.viewer, user=person))

    def is_unsaved(self, place: str) -> bool:
        """Whether the chat has a /private conversation, of which nothing may be stored."""
        return place in self._unsaved

    def remove(self, place: str) -> None:
        self._chats.pop(place, None)
        self._unsaved.discard(place)

    def remove_person(self, group: str, person: str) -> None:
        """Remove a person from a group and all of its topics."""
        for place, cached in self._chats.items():
            if place == group or place.startswith(f"{group}:"):
                self._chats[place] = replace(cached, people=cached.people - {person})
