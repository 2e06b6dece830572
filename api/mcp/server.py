"""The MCP server for both transports: lists the tools and runs them for the caller."""

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

from api.api_call import ApiCall
from api.caller import ApiCaller
from api.mcp.tool_schemas import hidden_fields, tool_definitions
from api.mcp.tools import TOOLS_BY_NAME, McpTool
from api.problems import Problem, log_unexpected, problem_from, too_deep, validation_problem
from memory.errors import KeepsakeError
from memory.prompts import prompt

LONGEST_NAME = 80
RETRY_HINT = "Try again: a write with a request_id is executed once."
Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class McpClient:
    """The caller, and whether their client rejects dots in tool names."""

    caller: ApiCaller
    plain_names: bool = False


def make_server(client_of: Callable[[Context], McpClient]) -> Server[Any]:
    """Build the server. `client_of` identifies the sender of each message, because several may share a connection."""

    async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
        client = client_of(context)
        return ListToolsResult(tools=[*tool_definitions(hidden_fields(client.caller), plain_names=client.plain_names)])

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        return await run_tool(client_of(context).caller, params.name, params.arguments or {})

    return Server(
        "keepsake",
        version=version("keepsake"),
        title="Keepsake",
        instructions=prompt("mcp"),
        get_tool_input_schema=lambda _: None,  # no tool reads arguments from headers
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def run_tool(caller: ApiCaller, name: str, arguments: dict[str, Any]) -> CallToolResult:
    """Run a tool. Every failure becomes an error result for the model, in the words of the REST API."""
    tool = TOOLS_BY_NAME.get(name)
    if tool is None:
        return _error_result(Problem(HTTPStatus.NOT_FOUND, f"Unknown tool {name[:LONGEST_NAME]!r}."))
    began, status = time.perf_counter(), int(HTTPStatus.OK)
    try:
        body = await _run(tool, caller, arguments)
        return CallToolResult(content=[TextContent(text=tool.render(body))], structured_content=body)
    except Exception as error:
        problem = _problem(error)
        status = problem.status
        return _error_result(problem)
    finally:
        caller.runtime.metrics.observe_request(tool.plain_name, status, time.perf_counter() - began)


async def _run(tool: McpTool, caller: ApiCaller, arguments: dict[str, Any]) -> dict[str, Any]:
    caller.require_scope(tool.scope)
    try:
        request = tool.input_model.model_validate(arguments)
    except ValidationError as error:
        raise validation_problem(error.errors()) from None
    return await tool.run(_with_idempotency(ApiCall(caller), tool, request), request)


def _with_idempotency(call: ApiCall, tool: McpTool, request: BaseModel) -> ApiCall:
    """Treat `request_id` as the idempotency key."""
    if (request_id := getattr(request, "request_id", None)) is None:
        return call
    key, arguments = request_id.encode(), request.model_dump_json(exclude={"request_id"})
    fingerprint = hmac.digest(key, f"{tool.name}\0{arguments}".encode(), "sha256")
    return replace(call, idempotency_key=sha256(key).hexdigest(), fingerprint=fingerprint, key_field="request_id")


def _problem(error: Exception) -> Problem:
    match error:
        case Problem():
            return error
        case KeepsakeError():
            return problem_from(error, RETRY_HINT)
        case RecursionError():
            return too_deep()
        case _:
            return log_unexpected(error, "a tool", RETRY_HINT)


def _error_result(problem: Problem) -> CallToolResult:
    fields = [f"{name}: {what}" for name, what in problem.fields]
    lines = [problem.detail, *(line for line in fields if line != problem.detail)]
    return CallToolResult(content=[TextContent(text="\n".join(lines))], is_error=True)
