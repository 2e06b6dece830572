"""Headers of every answer: what is personal is kept by nobody on the way, and is nothing but what it says it is."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import as_it_starts

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}


class SecurityHeaders:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, as_it_starts(send, _add_headers))


def _add_headers(start: Message) -> None:
    headers = MutableHeaders(scope=start)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
