"""Closes a connection whose request headers do not arrive in time."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0


class HeaderTimeout(H11Protocol):
    """Uvicorn waits forever for the rest of a request, so a few slow connections could exhaust the server."""

    seconds = SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        super().connection_lost(exc)

    def _update_timer(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._cancel_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.seconds, self._abort_if_idle)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _abort_if_idle(self) -> None:
        """Abort the connection, unless a response is under way or uvicorn's keep-alive timer runs between requests."""
        self._timer = None
        is_responding = self.cycle is not None and not self.cycle.response_complete
        if not is_responding and self.timeout_keep_alive_task is None:
            self.transport.abort()
