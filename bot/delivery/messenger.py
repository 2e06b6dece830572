"""The interface that delivery needs from a messenger, with its two kinds of failure."""

from collections.abc import Callable
from typing import Protocol

from bot.delivery.outgoing import OutgoingMessage


class Unreachable(Exception):
    """The recipient has blocked the bot or never started a chat with it."""


class MessengerAway(Exception):
    """The messenger does not respond, or asks us to wait. The answer is kept and sent later."""


class Sender(Protocol):
    async def send(self, part: OutgoingMessage, *, replaces: int | None, check_lease: Callable[[], None]) -> int:
        """Send a message, or edit the one it `replaces`, and return its id. `check_lease` is called before every
        attempt and raises if the lease ran out meanwhile."""
        ...

    async def alert(self, query_id: str, text: str) -> None:
        """Show a notice to the user who pressed a button."""
        ...
