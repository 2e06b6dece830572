"""Half a request does not hold a line for ever."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from api.middleware.header_timeout import SECONDS, HeaderTimeout
from tests.raw_http import Told, exchanged, spelled
from tests.virtual_time import in_virtual_time

HALF = b"GET / HTTP/1.1\r\nHost: a\r\n"


async def slow(scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.sleep(2 * SECONDS)
    await PlainTextResponse("done")(scope, receive, send)


def config(http: type[HeaderTimeout]) -> uvicorn.Config:
    return uvicorn.Config(slow, http=http, log_config=None, access_log=False, lifespan="off")


class Line(asyncio.Transport):
    """One client of a server in virtual time: what it hears, and when its line was cut."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = b""
        self.cut_at: float | None = None
        self.closed = False
        self.server = HeaderTimeout(config(HeaderTimeout), ServerState(), {})
        self.server.connection_made(self)

    def say(self, data: bytes) -> None:
        if self.cut_at is None:
            self.server.data_received(data)

    def write(self, data: Any) -> None:
        self.heard += bytes(data)

    def abort(self) -> None:
        self.cut_at = asyncio.get_running_loop().time()
        self.server.connection_lost(ConnectionAbortedError())

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        """All that is said is taken at once."""

    resume_reading = pause_reading


@in_virtual_time
async def test_a_line_on_which_nothing_or_only_half_a_request_comes_is_cut() -> None:
    silent, halfway = Line(), Line()
    halfway.say(HALF)
    await asyncio.sleep(SECONDS - 0.1)
    assert (silent.cut_at, halfway.cut_at) == (None, None)
    await asyncio.sleep(0.2)

    assert (silent.cut_at, halfway.cut_at) == (SECONDS, SECONDS)
    assert silent.heard == halfway.heard == b""


@in_virtual_time
async def test_one_letter_at_a_time_does_not_keep_it_open() -> None:
    line = Line()
    for letter in HALF + b"X: " + b"x" * 100:
        line.say(bytes([letter]))
        await asyncio.sleep(1)

    assert line.cut_at == SECONDS
    assert line.heard == b""


@in_virtual_time
async def test_whoever_is_being_answered_may_wait_longer_than_a_request_may_take() -> None:
    line = Line()
    line.say(spelled("GET", "/", Connection="keep-alive") + spelled("GET", "/"))
    await asyncio.sleep(5 * SECONDS)

    assert Told(line.heard).statuses == [200, 200]
    assert (line.cut_at, line.closed) == (None, True)


class Hasty(HeaderTimeout):
    seconds = 0.1


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(config(Hasty))
    running = asyncio.create_task(server._serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listening.close()


async def test_the_client_of_a_real_line_is_told_by_its_end() -> None:
    async with serving() as url:
        told = await asyncio.gather(exchanged(url), exchanged(url, HALF))

    assert [each.data for each in told] == [b"", b""]
