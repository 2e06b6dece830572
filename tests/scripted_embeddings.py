"""A real HTTP server that speaks the embeddings API from a script; its last step is played for every further call."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Reply:
    body: str = ""
    status: int = 200
    headers: str = ""
    seconds: float = 0
    until: asyncio.Event | None = None
    """Told when the answer may go out."""


Step = Callable[[dict[str, Any]], Reply]


def vectors(request: dict[str, Any]) -> Reply:
    """For each text its length and a 1, in reverse order, because only the index counts."""
    data = [{"index": i, "embedding": [len(text), 1]} for i, text in enumerate(request["input"])]
    return Reply(json.dumps({"object": "list", "data": data[::-1]}))


def says(body: str = "", **how: Any) -> Step:
    return lambda request: Reply(body, **how)


@dataclass
class ScriptedEmbeddings:
    script: list[Step]
    url: str = ""
    connections: int = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                await self.answer(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            """The client had heard enough."""
        finally:
            writer.close()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(next(line for line in head.lower().split("\r\n") if "content-length" in line).split(":")[1])
        self.heads.append(head)
        self.requests.append(json.loads(await reader.readexactly(length)))
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        reply = step(self.requests[-1])
        await asyncio.sleep(reply.seconds)
        if reply.until:
            await reply.until.wait()
        body = reply.body.encode()
        writer.write(f"HTTP/1.1 {reply.status} X\r\n{reply.headers}content-length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()


@asynccontextmanager
async def scripted_embeddings(*script: Step) -> AsyncIterator[ScriptedEmbeddings]:
    embeddings = ScriptedEmbeddings(list(script))
    server = await asyncio.start_server(embeddings.handle, "127.0.0.1", 0)
    embeddings.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield embeddings
    finally:
        server.close()
