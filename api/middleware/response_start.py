"""Looks at an answer as it starts: its status and headers."""

from collections.abc import Callable

from starlette.types import Message, Send


def as_it_starts(send: Send, look: Callable[[Message], None]) -> Send:
    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start":
            look(message)
        await send(message)

    return watched
