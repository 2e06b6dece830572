"""Answers requests that are cancelled at shutdown with 503; uvicorn would drop the connection and log a traceback."""

import asyncio
from http import HTTPStatus

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import on_response_start
from api.problems import BUSY_SECONDS, Problem, problem_response


class ShutdownNotice:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started: list[Message] = []
        try:
            await self._app(scope, receive, on_response_start(send, started.append))
        except asyncio.CancelledError:  # only the server cancels requests, when its grace period is over
            if scope["type"] != "http":
                raise
            if not started:
                headers = {"Retry-After": str(BUSY_SECONDS), "Connection": "close"}
                problem = Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The daemon is stopping. Try again.", headers=headers)
                await problem_response(problem)(scope, receive, send)
