"""A real HTTP server that speaks the Messages API from a script: replies, tool calls, and every way to fail."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Says:
    """Words, streamed in these pieces."""

    pieces: tuple[str, ...]
    stop_reason: str = "end_turn"
    pause: float = 0
    """Seconds between two pieces."""
    after: Callable[[int], Awaitable[object]] | None = None
    """Waited for after each piece, which it is told the number of, from 1 on: until that was seen, say."""


@dataclass(frozen=True)
class Calls:
    """A tool call, its arguments streamed in two pieces."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Fails:
    """One of: disconnect, stall, bad_chunk, truncated (after the first words), the type of an error that comes in the
    stream, such as overloaded_error, or a status such as 429."""

    how: str
    retry_after: str = "0"
    words: str = "Half a sen"
    """What came out before it failed."""
    message: str = "busy"


@dataclass(frozen=True)
class Streams:
    """Events just as they are; a text is sent as the data of a nameless event."""

    events: tuple[dict[str, Any] | str, ...]


@dataclass(frozen=True)
class Writes:
    """An answer in the form that was asked for, not streamed; a text is sent as it is, be it JSON or not."""

    answer: dict[str, Any] | str
    stop_reason: str = "end_turn"


# For a house whose model is scripted for its replies: nothing else is asked of it.
QUIETLY = {"KEEPSAKE_SUMMARIES": "off", "KEEPSAKE_EXTRACTION": "off"}

Step = Says | Calls | Fails | Streams | Writes
Thought = Callable[[dict[str, Any]], Step]
Usage = dict[str, int]
USAGE: Usage = {
    "input_tokens": 10,
    "output_tokens": 5,
    "cache_read_input_tokens": 7,
    "cache_creation_input_tokens": 0,
}


@dataclass
class ScriptedModel:
    """Plays one step a call; a step may be a thought, which reads the request first."""

    script: list[Step | Thought]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    always: Thought | None = None
    """Instead of a script: the same request gets the same answer, however often it is made."""
    ponders: Callable[[dict[str, Any]], Awaitable[Step]] | None = None
    """The same, for one that takes its time in its own way."""
    seconds: float = 0.0
    """How long it thinks."""
    thinking: set["asyncio.Task[None] | None"] = field(default_factory=set)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.thinking.add(asyncio.current_task())
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = int(next(line for line in head.lower().split("\r\n") if "content-length" in line).split(":")[1])
            request = json.loads(await reader.readexactly(length))
            seconds = self.seconds  # before anybody sees the request, and changes it for the next one
            self.requests.append(request)
            step = self.answer(request) if self.ponders is None else await self.ponders(request)
            await asyncio.sleep(seconds)
            await self.play(step, self.usage(request, step), writer)
        except asyncio.CancelledError:
            pass  # the test is over
        finally:
            self.thinking.discard(asyncio.current_task())
            writer.close()

    def answer(self, request: dict[str, Any]) -> Step:
        step = self.always or self.script.pop(0)
        return step(request) if callable(step) else step

    def usage(self, request: dict[str, Any], step: Step) -> Usage:
        return USAGE

    async def play(self, step: Step, usage: Usage, writer: asyncio.StreamWriter) -> None:
        if isinstance(step, Fails) and step.how.isdigit():
            body = json.dumps({"type": "error", "error": {"type": "overloaded_error", "message": step.message}})
            writer.write(
                f"HTTP/1.1 {step.how} Busy\r\ncontent-type: application/json\r\nretry-after: {step.retry_after}\r\n"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode()
            )
            return
        if isinstance(step, Writes):
            body = json.dumps(message_of(step, usage))
            writer.write(
                f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
                f"connection: close\r\n\r\n{body}".encode()
            )
            return
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n")
        pieces = 0
        for event in events_of(step, usage):
            if isinstance(event, str):
                data = f"data: {event}\n\n".encode()
            else:
                data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            await writer.drain()
            if isinstance(step, Says) and step.pause:
                await asyncio.sleep(step.pause)
            if isinstance(step, Says) and step.after and data.startswith(b"event: content_block_delta"):
                pieces += 1
                await step.after(pieces)
        match step:
            case Fails("disconnect"):
                return
            case Fails("stall"):
                await asyncio.Event().wait()  # until the test is over, or whoever listens has gone
            case Fails("bad_chunk"):
                data = b"event: content_block_delta\ndata: {not json\n\n"
                writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def message_of(step: Writes, usage: Usage) -> dict[str, Any]:
    words = step.answer if isinstance(step.answer, str) else json.dumps(step.answer, ensure_ascii=False)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [{"type": "text", "text": words}] if words else [],
        "stop_reason": step.stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }


def events_of(step: Step, usage: Usage) -> Iterable[dict[str, Any] | str]:
    if isinstance(step, Streams):
        yield from step.events
        return
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "usage": {**usage, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}
    match step:
        case Says(pieces, stop_reason):
            yield from text_block(pieces)
            yield from ending(stop_reason, usage)
        case Calls(tool, arguments):
            block = {"type": "tool_use", "id": f"toolu_{tool}", "name": tool, "input": {}}
            yield {"type": "content_block_start", "index": 0, "content_block": block}
            spelled = json.dumps(arguments)
            for piece in (spelled[:5], spelled[5:]):
                delta = {"type": "input_json_delta", "partial_json": piece}
                yield {"type": "content_block_delta", "index": 0, "delta": delta}
            yield {"type": "content_block_stop", "index": 0}
            yield from ending("tool_use", usage)
        case Fails(how, words=words):
            yield from list(text_block((words,)))[:2] if words else []
            if how.endswith("_error"):
                yield {"type": "error", "error": {"type": how, "message": "sorry"}}


def text_block(pieces: tuple[str, ...]) -> Iterable[dict[str, Any]]:
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    for piece in pieces:
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
    yield {"type": "content_block_stop", "index": 0}


def ending(stop_reason: str, usage: Usage) -> Iterable[dict[str, Any]]:
    delta = {"stop_reason": stop_reason, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}


@asynccontextmanager
async def scripted_model(*script: Step | Thought, port: int = 0) -> AsyncIterator[ScriptedModel]:
    model = ScriptedModel(list(script))
    async with serving(model, port=port):
        yield model


@asynccontextmanager
async def serving(model: ScriptedModel, *, port: int = 0) -> AsyncIterator[None]:
    server = await asyncio.start_server(model.handle, "127.0.0.1", port)
    model.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield
    finally:
        server.close()
        for task in model.thinking:
            assert task
            task.cancel()
        await asyncio.sleep(0)


def words_of(request: dict[str, Any]) -> str:
    """What the last message of a request says."""
    content = request["messages"][-1]["content"]
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)


def has_results(request: dict[str, Any]) -> bool:
    """Whether tools were called in this turn already."""
    content = request["messages"][-1]["content"]
    return not isinstance(content, str) and any(block["type"] == "tool_result" for block in content)


@contextmanager
def model_for_a_process(*script: Step | Thought, port: int = 0) -> Iterator[ScriptedModel]:
    """The same server in a thread of its own, for a program that runs beside the test."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    served = scripted_model(*script, port=port)
    try:
        yield asyncio.run_coroutine_threadsafe(served.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(served.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
