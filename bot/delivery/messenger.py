"""What delivery needs of a messenger, and the two ways in which sending can fail; Telegram's sender is one."""

from collections.abc import Callable
from typing import Protocol

from bot.delivery.outgoing import OutgoingMessage


class Unreachable(Exception):
    """Who should read this has blocked the bot, or never spoke to it."""


class MessengerAway(Exception):
    """The messenger does not answer, or asks us to wait: what is to be sent is kept, and sent later."""


class Sender(Protocol):
    async def carry(self, part: OutgoingMessage, *, instead_of: int | None, ensure: Callable[[], None]) -> int:
        """Send one message, or put it in the place of another; gives its number. `ensure` raises when it is no longer
        ours to send, which may happen while we wait."""
        ...

    async def alert(self, query_id: str, text: str) -> None:
        """Show something over the chat to whoever pressed a button."""
        ...
