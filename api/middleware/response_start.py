"""Lets middleware see, and change, the status and headers of a response before they are sent."""

from collections.abc import Callable

from starlette.types import Message, Send


def on_response_start(send: Send, callback: Callable[[Message], None]) -> Send:
    async def send_with_callback(message: Message) -> None:
        if message["type"] == "http.response.start":
            callback(message)
        await send(message)

    return send_with_callback
