"""The server that speaks MCP, over whichever transport: lists the tools and runs them for whoever calls."""

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from mcp.server import Server, ServerRequestContext
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent
from pydantic import BaseModel, ValidationError

from api.call import ApiCall
from api.caller import ApiCaller
from api.mcp.tool_schemas import hidden_from, offered
from api.mcp.tools import KNOWN, McpTool
from api.problems import Problem, problem_of, problem_of_fault, problem_of_shape, too_deep
from memory.errors import KeepsakeError
from memory.prompts import prompt

LONGEST_NAME = 80
AGAIN = "Try again: a write with a request_id is done once."
Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class Guest:
    """Who calls, and whether their client takes no dots in the names of tools."""

    caller: ApiCaller
    plain_names: bool = False


def make_server(guest_of: Callable[[Context], Guest]) -> Server[Any]:
    """`guest_of` tells who a message comes from: each one by itself, because several may use one connection."""

    async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        guest = guest_of(context)
        return ListToolsResult(tools=[*offered(hidden_from(guest.caller), plain_names=guest.plain_names)])

    async def call_tool(context: Context, asked: CallToolRequestParams) -> CallToolResult:
        return await run_tool(guest_of(context).caller, asked.name, asked.arguments or {})

    return Server(
        "keepsake",
        version=version("keepsake"),
        title="Keepsake",
        instructions=prompt("mcp"),
        get_tool_input_schema=lambda _: None,  # no tool of ours reads its arguments from headers
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def run_tool(caller: ApiCaller, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """Whatever goes wrong becomes an error that a model can read, in the words of the REST API."""
    tool = KNOWN.get(name)
    if tool is None:
        return _failed(Problem(HTTPStatus.NOT_FOUND, f"There is no tool called {name[:LONGEST_NAME]!r}."))
    began, status = time.perf_counter(), int(HTTPStatus.OK)
    try:
        body = await _run(tool, caller, arguments)
        return CallToolResult(content=[TextContent(text=tool.tell(body))], structured_content=body)
    except Exception as error:
        problem = _problem_in(error)
        status = problem.status
        return _failed(problem)
    finally:
        caller.runtime.metrics.asked(tool.plain_name, status, time.perf_counter() - began)


async def _run(tool: McpTool, caller: ApiCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    caller.ensure(tool.scope)
    try:
        wish = tool.wish.model_validate(arguments)
    except ValidationError as error:
        raise problem_of_shape(error.errors()) from None
    return await tool.act(_named(ApiCall(caller), tool, wish), wish)


def _named(call: ApiCall, tool: McpTool, wish: BaseModel) -> ApiCall:
    """A write that names itself is done once, by the same means as one with an Idempotency-Key."""
    if (request_id := getattr(wish, "request_id", None)) is None:
        return call
    name, asked = request_id.encode(), wish.model_dump_json(exclude={"request_id"})
    fingerprint = hmac.digest(name, f"{tool.name}\0{asked}".encode(), "sha256")
    return replace(call, name=sha256(name).hexdigest(), fingerprint=fingerprint, named_by="request_id")


def _problem_in(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case KeepsakeError():
            return problem_of(error, AGAIN)
        case RecursionError():
            return too_deep()
        case _:
            return problem_of_fault(error, "a tool", AGAIN)


def _failed(problem: Problem) -> CallToolResult:
    fields = [f"{name}: {what}" for name, what in problem.fields]
    lines = [problem.detail, *(line for line in fields if line != problem.detail)]
    return CallToolResult(content=[TextContent(text="\n".join(lines))], is_error=True)
