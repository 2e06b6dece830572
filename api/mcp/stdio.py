"""MCP over lines that somebody else reads and writes: one message a line, until there are no more."""

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
from api.mcp.server import Guest, make_server
from memory.people.keys import Bearer
from memory.wiring import Runtime

log = logging.getLogger(__name__)

SECONDS_TO_ANSWER = 5.0
Write = Callable[[bytes], Awaitable[None]]


async def speak(
    runtime: Runtime, bearer: Bearer, lines: AsyncIterable[bytes], write: Write, *, plain_names: bool = False
) -> None:
    """Until the lines end, or nobody reads the answers. What was asked before is answered before."""
    guest = Guest(ApiCaller(runtime, bearer), plain_names)
    server = make_server(lambda _: guest)
    come, read = anyio.create_memory_object_stream[SessionMessage | Exception]()
    written, go = anyio.create_memory_object_stream[SessionMessage]()
    wire = _Wire(lines, write, runtime.settings.request_bytes)
    try:
        async with come, read, written, go, anyio.create_task_group() as group:
            group.start_soon(wire.bring, come)
            group.start_soon(wire.take, go)
            await server.run(read, written, server.create_initialization_options())
    except* OSError:
        log.info("whoever read the answers is gone")
    except* anyio.BrokenResourceError:
        log.info("a message was on its way inside as this ended")
    if (task := asyncio.current_task()) is not None and task.cancelling():
        raise asyncio.CancelledError  # which the troubles above stood in the way of


class _Wire:
    def __init__(self, lines: AsyncIterable[bytes], write: Write, longest: int) -> None:
        self._lines = lines
        self._write = write
        self._longest = longest
        self._unanswered: set[str] = set()
        self._answered = anyio.Event()

    async def bring(self, come: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with come:
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
                await come.send(SessionMessage(message))
            with anyio.move_on_after(SECONDS_TO_ANSWER):
                while self._unanswered:
                    self._answered = anyio.Event()
                    await self._answered.wait()

    async def take(self, go: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with go:
            async for each in go:
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
            return ErrorData(code=PARSE_ERROR, message="That line is no message of JSON-RPC.")
