"""Tells a call that is not over when the daemon ends to come again; else it would break off, and log where it was."""

import asyncio
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import as_it_starts
from api.problems import BUSY_SECONDS, Problem, answer_to


class ShutdownNotice:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started: list[Message] = []
        try:
            await self._app(scope, receive, as_it_starts(send, started.append))
        except asyncio.CancelledError:  # by nobody but the server, when its patience is over
            if scope["type"] != "http":
                raise
            if not started:
                again = {"Retry-After": str(BUSY_SECONDS), "Connection": "close"}
                problem = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The daemon ends just now. Ask again.", headers=again)
                await answer_to(problem)(scope, receive, send)
