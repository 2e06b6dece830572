"""Whether the database is away just now, so that not every message has to find out for itself."""

import time

LOOK_AGAIN = 2.0  # seconds


class Outage:
    def __init__(self) -> None:
        self._noticed: float | None = None
        self._told: set[str] = set()

    @property
    def is_on(self) -> bool:
        """It was away a moment ago; after that somebody may try again."""
        return self._noticed is not None and time.monotonic() - self._noticed < LOOK_AGAIN

    @property
    def has_begun(self) -> bool:
        """Nobody has seen the database since."""
        return self._noticed is not None

    def notice(self) -> None:
        self._noticed = time.monotonic()

    def over(self) -> None:
        self._noticed = None
        self._told.clear()

    def tell(self, conversation_id: str) -> bool:
        """Whether this conversation has still to be told."""
        is_new = conversation_id not in self._told
        self._told.add(conversation_id)
        return is_new
