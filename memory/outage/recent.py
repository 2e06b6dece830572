"""The last messages of each conversation, in RAM: the context when the database is away or nothing is stored."""

import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace

MAX_CONVERSATIONS, MAX_MESSAGES, MAX_LENGTH = 2_000, 30, 4_000


@dataclass(frozen=True, slots=True)
class RecentMessage:
    """One message, by or to `person`. `frame` is what the program adds about it."""

    by_human: bool
    text: str
    frame: str = ""
    person: str = ""
    is_sensitive: bool = False
    at: float = field(default=0.0, compare=False)
    """When it was added, on this process's monotonic clock."""


class RecentMessages:
    def __init__(self) -> None:
        self._messages: OrderedDict[str, deque[RecentMessage]] = OrderedDict()

    def add(self, conversation_id: str, message: RecentMessage) -> None:
        """Drops the least recently used conversation beyond the limit, and the end of a long message."""
        messages = self._messages.setdefault(conversation_id, deque(maxlen=MAX_MESSAGES))
        self._messages.move_to_end(conversation_id)
        messages.append(replace(message, text=message.text[:MAX_LENGTH], at=time.monotonic()))
        if len(self._messages) > MAX_CONVERSATIONS:
            self._messages.popitem(last=False)

    def messages(self, conversation_id: str) -> list[RecentMessage]:
        """Oldest first, starting with a person's message."""
        messages = list(self._messages.get(conversation_id, ()))
        while messages and not messages[0].by_human:
            messages.pop(0)
        return messages

    @property
    def people(self) -> set[str]:
        return {message.person for messages in self._messages.values() for message in messages}

    def forget(self, conversation_id: str) -> None:
        self._messages.pop(conversation_id, None)

    def forget_person(self, person: str, *, until: float | None = None) -> None:
        """Drops messages by or to them in every conversation: all of them, or those added up to `until`."""
        for conversation_id, messages in list(self._messages.items()):
            kept = [each for each in messages if each.person != person or (until is not None and each.at > until)]
            if len(kept) < len(messages):
                self._messages[conversation_id] = deque(kept, maxlen=MAX_MESSAGES)
