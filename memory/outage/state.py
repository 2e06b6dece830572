"""Whether the database is away, and which chats have messages in the spool that it still lacks."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

LOOK_AGAIN = 2.0  # seconds


class Outage:
    """A chat is identified by its address in the messenger, or else by its conversation."""

    def __init__(self) -> None:
        self.is_watched = False
        """Whether a task polls the database and ends the outage when it is back."""
        self._reported_at: float | None = None
        self._notified: set[str] = set()
        self._answering = Counter[str]()
        self._behind: dict[str, int] = {}
        """Chats that answered without the database, and how often: a changed count shows that more came meanwhile."""

    @property
    def is_active(self) -> bool:
        """Whether callers must do without the database. If no task polls it, they may try again after `LOOK_AGAIN`."""
        if self._reported_at is None:
            return False
        return self.is_watched or time.monotonic() - self._reported_at < LOOK_AGAIN

    @property
    def is_reported(self) -> bool:
        """Whether an outage was reported and has not ended."""
        return self._reported_at is not None

    def is_active_for(self, chat: str) -> bool:
        """Also true while this chat's spooled messages are not stored yet: newer ones must not overtake them."""
        return self.is_active or (self.is_watched and chat in self._behind)

    def report(self) -> None:
        self._reported_at = time.monotonic()

    def end(self) -> None:
        self._reported_at = None
        self._notified &= self._behind.keys()

    def needs_notice(self, chat: str) -> bool:
        """Whether this chat was not notified of the outage yet. Marks it as notified."""
        is_new = chat not in self._notified
        self._notified.add(chat)
        return is_new

    @contextmanager
    def answering(self, chat: str) -> Iterator[None]:
        """Wrap an answer without the database. Its messages go to the spool."""
        self._behind[chat] = self._behind.get(chat, 0) + 1
        self._answering[chat] += 1
        try:
            yield
        finally:
            self._answering[chat] -= 1
            if not self._answering[chat]:
                del self._answering[chat]

    def idle_chats(self) -> dict[str, int]:
        """Chats that are behind and answer nothing now: all their messages are in the spool."""
        return {chat: count for chat, count in self._behind.items() if chat not in self._answering}

    def is_answering(self, chat: str) -> bool:
        return chat in self._answering

    def mark_caught_up(self, idle: Mapping[str, int]) -> None:
        """These chats' spooled messages are stored. A chat that answered again since stays behind."""
        for chat, count in idle.items():
            if self._behind.get(chat) == count and chat not in self._answering:
                del self._behind[chat]
        if self._reported_at is None:
            self._notified &= self._behind.keys()
