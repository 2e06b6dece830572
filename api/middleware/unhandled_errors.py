"""Turns unhandled exceptions into error responses, logged without their text, which may hold a user's words."""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import on_response_start
from api.problems import ProblemRenderer, log_unexpected


class UnhandledErrors:
    """Outermost handler: the server itself would log the whole exception."""

    def __init__(self, app: ASGIApp, render: ProblemRenderer) -> None:
        self._app = app
        self._render = render

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started: list[Message] = []
        try:
            await self._app(scope, receive, on_response_start(send, started.append))
        except Exception as error:
            problem = log_unexpected(error, "a request")
            if scope["type"] == "http" and not started:
                await self._render(Request(scope), problem)(scope, receive, send)
