"""Adds headers to every response that forbid caching and content sniffing."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import on_response_start

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, on_response_start(send, _add_headers))


def _add_headers(start: Message) -> None:
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
