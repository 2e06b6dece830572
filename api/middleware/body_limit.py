"""Refuses a body that is too long before it is read to its end, and one that comes too slowly."""

import asyncio
from contextlib import suppress
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import Problem, answer_to

SECONDS = 60.0  # for all of a body
# Of a body that is too long so much is still read: who sends it would hear of a broken line instead of an answer.
PATIENCE, PATIENT_SECONDS = 4, 10.0


class BodyLimit:
    def __init__(self, app: ASGIApp, most: int, seconds: float = SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = _Body(receive, self._most, self._seconds)
        headers = dict(scope["headers"])
        announced = headers.get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._most:
            if b"expect" not in headers:
                await body.pass_over()
            await answer_to(body.too_long)(scope, receive, send)
            return
        answered = False

        async def instead(message: Message) -> None:
            """Whatever the application makes of a body that broke off, the answer is why it did."""
            nonlocal answered
            if body.trouble is None:
                await send(message)
            elif not answered:
                answered = True
                if body.trouble is body.too_long:
                    await body.pass_over()
                await answer_to(body.trouble)(scope, receive, send)

        await self._app(scope, body.counted, instead)


class _Body:
    """A body as it comes."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._until = asyncio.get_running_loop().time() + seconds
        self._taken = 0
        self._is_whole = False
        self.trouble: Problem | None = None
        self.too_long = Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A body has at most {most:,} bytes.")

    async def counted(self) -> Message:
        """The next part. After the last one somebody may wait here for the end of the line, as long as they like."""
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            self.trouble = Problem(HTTPStatus.REQUEST_TIMEOUT, "The body came too slowly.")
            raise self.trouble from None
        self._note(message)
        if self._taken > self._most:
            self.trouble = self.too_long
            raise self.trouble
        return message

    async def pass_over(self) -> None:
        """Read on without keeping anything, as long as that is no burden."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENT_SECONDS):
                while not self._is_whole and self._taken <= PATIENCE * self._most:
                    self._note(await self._receive())

    def _note(self, message: Message) -> None:
        self._taken += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
