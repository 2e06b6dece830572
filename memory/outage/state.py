"""Whether the database is away just now, and which chats have still to be caught up with when it is back."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

LOOK_AGAIN = 2.0  # seconds


class Outage:
    """A chat is named by its place outside, or by its conversation where it has none."""

    def __init__(self) -> None:
        self.is_watched = False
        """Whether somebody looks for the database all the time, and says when it is back."""
        self._noticed: float | None = None
        self._told: set[str] = set()
        self._talking = Counter[str]()
        self._behind: dict[str, int] = {}

    @property
    def is_on(self) -> bool:
        """It was away a moment ago. Where nobody watches, somebody may try again after that."""
        if self._noticed is None:
            return False
        return self.is_watched or time.monotonic() - self._noticed < LOOK_AGAIN

    @property
    def has_begun(self) -> bool:
        """Nobody has seen the database since."""
        return self._noticed is not None

    def is_on_for(self, chat: str) -> bool:
        """What was said in a chat without the database must be in it before anything else of that chat."""
        return self.is_on or (self.is_watched and chat in self._behind)

    def notice(self) -> None:
        self._noticed = time.monotonic()

    def over(self) -> None:
        self._noticed = None
        self._told &= self._behind.keys()

    def tell(self, chat: str) -> bool:
        """Whether this chat has still to be told."""
        is_new = chat not in self._told
        self._told.add(chat)
        return is_new

    @contextmanager
    def talking(self, chat: str) -> Iterator[None]:
        """Something is being answered without the database, and ends up in the spool."""
        self._behind[chat] = self._behind.get(chat, 0) + 1
        self._talking[chat] += 1
        try:
            yield
        finally:
            self._talking[chat] -= 1
            if not self._talking[chat]:
                del self._talking[chat]

    def quiet(self) -> dict[str, int]:
        """Chats in which all that was answered without the database is in the spool."""
        return {chat: stamp for chat, stamp in self._behind.items() if chat not in self._talking}

    def is_talking(self, chat: str) -> bool:
        return chat in self._talking

    def caught_up(self, quiet: Mapping[str, int]) -> None:
        """All that these chats had in the spool is in the database, but for what has begun since."""
        for chat, stamp in quiet.items():
            if self._behind.get(chat) == stamp and chat not in self._talking:
                del self._behind[chat]
        if self._noticed is None:
            self._told &= self._behind.keys()
