"""Adds the review page's security headers to every response below its path, whatever produced it."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import on_response_start
from api.review.rendering import HEADERS


class PageHeaders:
    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not f"{scope['path']}/".startswith(f"{self._prefix}/"):
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, on_response_start(send, _add_headers))


def _add_headers(start: Message) -> None:
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
