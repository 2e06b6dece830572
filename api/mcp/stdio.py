"""MCP over stdio: one JSON-RPC message per line."""

import asyncio
import logging
from collections.abc import AsyncIterable, Awaitable, Callable

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
)
from mcp.types import jsonrpc_message_adapter as any_message
from pydantic import ValidationError

from api.caller import ApiCaller
from api.mcp.server import McpClient, make_server
from memory.people.keys import KeyHolder
from memory.wiring import Runtime

log = logging.getLogger(__name__)

SECONDS_TO_ANSWER = 5.0
Write = Callable[[bytes], Awaitable[None]]


async def serve_stdio(
    runtime: Runtime, bearer: KeyHolder, lines: AsyncIterable[bytes], write: Write, *, plain_names: bool = False
) -> None:
    """Serve until the input ends and its requests are answered, or until the reader of the output is gone."""
    client = McpClient(ApiCaller(runtime, bearer), plain_names)
    server = make_server(lambda _: client)
    requests_in, requests = anyio.create_memory_object_stream[SessionMessage | Exception]()
    responses, responses_out = anyio.create_memory_object_stream[SessionMessage]()
    transport = _LineTransport(lines, write, runtime.settings.request_bytes)
    try:
        async with requests_in, requests, responses, responses_out, anyio.create_task_group() as group:
            group.start_soon(transport.read_requests, requests_in)
            group.start_soon(transport.write_responses, responses_out)
            await server.run(requests, responses, server.create_initialization_options())
    except* OSError:
        log.info("the reader of the output is gone")
    except* anyio.BrokenResourceError:
        log.info("a message arrived while the server was stopping")
    if (task := asyncio.current_task()) is not None and task.cancelling():
        raise asyncio.CancelledError  # the errors above replaced it


class _LineTransport:
    def __init__(self, lines: AsyncIterable[bytes], write: Write, longest: int) -> None:
        self._lines = lines
        self._write = write
        self._longest = longest
        self._unanswered: set[str] = set()
        self._answered = anyio.Event()

    async def read_requests(self, requests: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with requests:
            async for line in self._lines:
                if not line.strip():
                    continue
                message = self._read(line)
                match message:
                    case ErrorData():
                        await self._send(JSONRPCError(jsonrpc="2.0", id=None, error=message))
                        continue
                    case JSONRPCRequest():
                        self._unanswered.add(str(message.id))
                    case JSONRPCNotification(method="notifications/cancelled"):
                        self._unanswered.discard(str((message.params or {}).get("requestId")))
                await requests.send(SessionMessage(message))
            with anyio.move_on_after(SECONDS_TO_ANSWER):
                while self._unanswered:
                    self._answered = anyio.Event()
                    await self._answered.wait()

    async def write_responses(self, responses: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with responses:
            async for each in responses:
                await self._send(each.message)
                self._unanswered.discard(str(getattr(each.message, "id", None)))
                self._answered.set()

    async def _send(self, message: JSONRPCMessage) -> None:
        await self._write(message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")

    def _read(self, line: bytes) -> JSONRPCMessage | ErrorData:
        if len(line) > self._longest:
            return ErrorData(code=INVALID_REQUEST, message=f"A message has at most {self._longest:,} bytes.")
        try:
            return any_message.validate_json(line, by_name=False)
        except ValidationError:
            return ErrorData(code=PARSE_ERROR, message="This line is not a JSON-RPC message.")
