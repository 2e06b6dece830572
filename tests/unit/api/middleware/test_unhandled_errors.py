"""What nobody thought of is told in one sentence, and its words stand nowhere."""

import json
import logging

import pytest
from starlette.types import Message, Receive, Scope, Send

from api.middleware.unhandled_errors import UnhandledErrors
from api.problems import problem_response

SCOPE = {"type": "http", "method": "GET", "path": "/", "headers": []}


async def run(begins: bool) -> list[Message]:
    async def broken(scope: Scope, receive: Receive, send: Send) -> None:
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ValueError("my diary says so")

    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await UnhandledErrors(broken, lambda _, problem: problem_response(problem))(SCOPE, receive, send)
    return sent


async def test_a_fault_is_a_problem_and_its_words_are_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    start, body = await run(begins=False)

    assert start["status"] == 500
    assert json.loads(body["body"])["title"] == "Internal Server Error"
    assert "ValueError at test_unhandled_errors.py:" in caplog.text
    assert "diary" not in caplog.text + str(body)


async def test_an_answer_that_has_begun_is_not_begun_again() -> None:
    assert [message["type"] for message in await run(begins=True)] == ["http.response.start"]
