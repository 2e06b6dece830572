"""Half a request does not hold a line for ever."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from api.hurry import Hurrying
from tests.raw_http import exchanged, spelled


class Hasty(Hurrying):
    seconds = 0.3


async def slow(scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.sleep(0.8)
    await PlainTextResponse("done")(scope, receive, send)


@asynccontextmanager
async def serving() -> AsyncIterator[str]:
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(slow, http=Hasty, log_config=None, access_log=False, lifespan="off")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve(sockets=[listening]))
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await running
        listening.close()


async def test_a_line_on_which_nothing_or_only_half_a_request_comes_is_cut() -> None:
    async with serving() as url:
        for said in (b"", b"GET / HTTP/1.1\r\nHost: a\r\n"):
            assert (await exchanged(url, said, seconds=5)).data == b""


async def test_one_letter_at_a_time_does_not_keep_it_open() -> None:
    drops = [bytes([letter]) for letter in b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 100]
    async with serving() as url:
        began = asyncio.get_running_loop().time()
        assert (await exchanged(url, *drops, pause=0.05, seconds=20)).data == b""
        assert asyncio.get_running_loop().time() - began < 4


async def test_whoever_is_being_answered_may_wait_longer_than_a_request_may_take() -> None:
    twice = spelled("GET", "/", Connection="keep-alive")
    async with serving() as url:
        assert (await exchanged(url, twice + spelled("GET", "/"), seconds=10)).statuses == [200, 200]
