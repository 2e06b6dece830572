"""The line to one client, which is cut when a request does not come to the end of its headers in time."""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0


class HeaderTimeout(H11Protocol):
    """The server waits for ever for the rest of a request; so few lines would keep everybody else out."""

    seconds = SECONDS

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look_at_the_clock()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look_at_the_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_the_clock()
        super().connection_lost(exc)

    def _look_at_the_clock(self) -> None:
        if self.conn.their_state is not h11.IDLE:
            self._stop_the_clock()
        elif self._patience is None:
            self._patience = self.loop.call_later(self.seconds, self._cut)

    def _stop_the_clock(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _cut(self) -> None:
        """Unless somebody is being answered, or waits between two requests, which the server has a clock for."""
        self._patience = None
        waits = self.cycle is not None and not self.cycle.response_complete
        if not waits and self.timeout_keep_alive_task is None:
            self.transport.abort()
