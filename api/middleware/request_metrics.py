"""Counts and times requests by operation, without paths or ids."""

import time

from fastapi.routing import APIRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import on_response_start
from memory.metrics import Metrics

NOWHERE = "nowhere"  # the label of requests that match no route


class RequestMetrics:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        started: list[Message] = []
        try:
            await self._app(scope, receive, on_response_start(send, started.append))
        finally:
            status = started[0]["status"] if started else 500
            route = scope.get("route")
            name = route.name if isinstance(route, APIRoute) else getattr(scope.get("endpoint"), "operation", NOWHERE)
            self._metrics.observe_request(name, status, time.perf_counter() - began)
