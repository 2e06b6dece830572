"""Agents that speak MCP, with the SDK's own client: over HTTP with a key, or with a process that they start."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.waiting import STUCK

NAMES = [
    "memory.record_event",
    "memory.build_acb",
    "memory.get_artifact",
    "memory.query_decisions",
    "memory.search",
    "memory.list",
    "memory.propose",
]
BOAT = "The boat is called Rex"
LOG = "\n".join(f"line {number} of the build" for number in range(1, 4001))


@asynccontextmanager
async def connected(
    url: str, key: str | None, *, mode: str = "auto", transport: httpx2.AsyncBaseTransport | None = None, **headers: str
) -> AsyncIterator[Client]:
    given = {**headers, **({"Authorization": f"Bearer {key}"} if key else {})}
    async with (
        httpx2.AsyncClient(headers=given, timeout=STUCK, transport=transport) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def message(text: str, **more: Any) -> dict[str, Any]:
    usual = {"session_id": "s1", "actor": {"type": "human", "id": "user"}, "kind": "message", "content": {"text": text}}
    return {**usual, **more}


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What it answered, which went well."""
    result = await client.call_tool(f"memory.{tool}", arguments)
    assert not result.is_error, words(result)
    body: dict[str, Any] = result.structured_content
    return body


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why it did not go well, in the words that a model reads."""
    result = await client.call_tool(f"memory.{tool}", arguments)
    assert result.is_error
    assert result.structured_content is None
    return words(result)


def words(result: CallToolResult) -> str:
    [only] = result.content
    assert isinstance(only, TextContent)
    return only.text


async def use_every_tool(client: Client) -> str:
    """All seven, on a memory in which nothing is yet; gives the id of a card that was asked. The client itself holds
    each answer against the schema that was offered for it."""
    assert [tool.name for tool in (await client.list_tools()).tools] == NAMES
    said = await call(client, "record_event", **message(f"{BOAT}. My key is password=hunter2xyz"))
    decided = await call(
        client,
        "record_event",
        session_id="s1",
        actor={"type": "agent", "id": "helper"},
        kind="decision",
        content={"decision": "The boat gets a new sail", "rationale": ["the old one is torn"]},
    )
    await call(
        client,
        "record_event",
        session_id="s1",
        actor={"type": "tool", "id": "make"},
        kind="tool_result",
        content={"tool": "make", "excerpt_text": LOG},
    )
    found = await call(client, "search", query="what is the boat called?")
    [artifact] = {each["artifact_id"] for each in (await call(client, "search", query="build"))["said"]} - {None}
    part = await call(client, "get_artifact", artifact_id=artifact, first_line=3000)
    decisions = await call(client, "query_decisions", query="sail")
    bundle = await call(client, "build_acb", session_id="s1", query_text="what is the boat called?")
    asked = await call(client, "propose", content="My boat is called Rex", category="other", subject="Rex")
    listed = await call(client, "list")

    assert said["redacted"] == ["password"]
    assert BOAT in found["said"][0]["text"]
    assert "hunter2xyz" not in str([found, bundle])
    assert (part["first_line"], part["lines"]) == (3000, 4000)
    assert part["text"].startswith("line 3000 of the build\n")
    assert [row["decision_id"] for row in decisions["decisions"]] == [decided["entered"]]
    assert BOAT in str(bundle["sections"])
    assert (asked["stored"], asked["proposal"]["content"]) == (False, "My boat is called Rex")
    assert re.search("not say that it is saved", asked["note"])
    assert (listed["total"], listed["memories"]) == (0, [])
    return str(asked["proposal"]["id"])
