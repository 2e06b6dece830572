"""A body is read within its length and its time, and what comes of it otherwise is told."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from api.middleware.body_limit import BodyLimit
from tests.virtual_time import in_virtual_time


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Takes a body that breaks off as FastAPI does."""
    try:
        told = f"{len(await Request(scope, receive).body())} bytes"
    except Exception:
        told = "There was an error parsing the body"
    await PlainTextResponse(told)(scope, receive, send)


async def asked(parts: Sequence[tuple[float, int]], *, announced: int | None = None) -> tuple[int, str]:
    """The answer to a body whose parts come after so many seconds, with so many bytes."""
    sent: list[Message] = []
    left = list(parts)

    async def receive() -> Message:
        wait, size = left.pop(0)
        await asyncio.sleep(wait)
        return {"type": "http.request", "body": b"x" * size, "more_body": bool(left)}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [(b"content-length", str(announced).encode())] if announced is not None else []
    scope: dict[str, Any] = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    await BodyLimit(echo, max_bytes=100, seconds=60)(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], body.decode()


@in_virtual_time
async def test_a_body_within_its_limits_comes_through() -> None:
    assert await asked([(0, 60), (59, 40)], announced=100) == (200, "100 bytes")


@in_virtual_time
async def test_a_body_that_announces_too_much_is_never_handed_on() -> None:
    status, told = await asked([(0, 60), (0, 60)], announced=120)

    assert (status, json.loads(told)["detail"]) == (413, "A body has at most 100 bytes.")


@in_virtual_time
async def test_a_body_that_does_not_announce_its_length_is_counted() -> None:
    status, told = await asked([(0, 60), (0, 60), (0, 60)])

    assert (status, json.loads(told)["detail"]) == (413, "A body has at most 100 bytes.")


@in_virtual_time
async def test_a_body_that_comes_drop_by_drop_is_not_waited_for() -> None:
    status, told = await asked([(10, 1)] * 20)

    assert (status, json.loads(told)["detail"]) == (408, "The body arrived too slowly.")


@in_virtual_time
async def test_after_its_body_somebody_may_wait_for_the_end_as_long_as_they_like() -> None:
    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        assert not (await receive())["more_body"]
        assert (await receive())["type"] == "http.disconnect"
        await PlainTextResponse("gone")(scope, receive, send)

    messages: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}, {"type": "http.disconnect"}]
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.sleep(3600 * (len(messages) == 1))
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await BodyLimit(patient, max_bytes=100, seconds=60)({"type": "http", "headers": []}, receive, send)

    assert sent[0]["status"] == 200
