"""Rejects bodies that are too long, without reading them to the end, or that arrive too slowly."""

import asyncio
from contextlib import suppress
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Problem, problem_response

SECONDS = 60.0  # for the whole body
# How much of a too long body is still read: a client that is cut off while sending would not see our response.
DRAIN_FACTOR, DRAIN_SECONDS = 4, 10.0


class BodyLimit:
    def __init__(self, app: ASGIApp, max_bytes: int, seconds: float = SECONDS) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, self._max_bytes, self._seconds)
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._max_bytes:
            if b"expect" not in headers:
                await body.drain()
            await problem_response(body.too_long)(scope, receive, send)
            return
        responded = False

        async def send_or_report(message: Message) -> None:
            """Replace whatever the application makes of an incomplete body by the reason why it is incomplete."""
            nonlocal responded
            if body.error is None:
                await send(message)
            elif not responded:
                responded = True
                if body.error is body.too_long:
                    await body.drain()
                await problem_response(body.error)(scope, receive, send)

        await self._app(scope, body.receive, send_or_report)


class _Body:
    """Counts and times a body while the application receives it."""

    def __init__(self, receive: Receive, max_bytes: int, seconds: float) -> None:
        self._receive = receive
        self._max_bytes = max_bytes
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._bytes = 0
        self._is_complete = False
        self.error: Problem | None = None
        self.too_long = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A body has at most {max_bytes:,} bytes.")

    async def receive(self) -> Message:
        """Return the next message. After a complete body the application may wait here for the disconnect."""
        if self._is_complete:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._deadline):
                message = await self._receive()
        except TimeoutError:
            self.error = Problem(HTTPStatus.REQUEST_TIMEOUT, "The body arrived too slowly.")
            raise self.error from None
        self._count(message)
        if self._bytes > self._max_bytes:
            self.error = self.too_long
            raise self.error
        return message

    async def drain(self) -> None:
        """Read and discard the rest, within limits."""
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS):
                while not self._is_complete and self._bytes <= DRAIN_FACTOR * self._max_bytes:
                    self._count(await self._receive())

    def _count(self, message: Message) -> None:
        self._bytes += len(message.get("body", b""))
        self._is_complete = not message.get("more_body", False)
