"""The HTTP endpoint for MCP, at `/mcp`.

It is stateless: each request carries its key and gets a JSON response. So any process behind a load balancer can serve
the next request, and there is no session for another key to hijack.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from api.caller import ApiCaller
from api.dependencies import authenticate
from api.mcp.addresses import ensure_own_address
from api.mcp.server import Context, McpClient, make_server
from api.problems import Problem
from memory.wiring import Runtime

AGENT = "mcp"  # the agent's name, for a personal key that names no agent


class McpEndpoint:
    operation = "mcp"  # the metrics label of its requests

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Run the session manager for the lifetime of the application."""
        manager = StreamableHTTPSessionManager(
            make_server(_client),
            stateless=True,
            json_response=True,
            max_request_body_size=self._runtime.settings.request_bytes,
        )
        async with manager.run():
            self._manager = manager
            yield
        self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Authenticate, and count the call against the rate limit, before reading the body."""
        request = Request(scope)
        ensure_own_address(self._runtime, request.headers)
        bearer = await authenticate(self._runtime, request.headers.get("Authorization"))
        if request.method != "POST":
            problem = "Only POST is supported: this server has no event stream and no sessions."
            raise Problem(HTTPStatus.METHOD_NOT_ALLOWED, problem, headers={"Allow": "POST"})
        if self._manager is None:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The daemon is starting or stopping.")
        caller = ApiCaller(self._runtime, bearer.as_agent(AGENT))
        request.state.client = McpClient(caller, plain_names=request.query_params.get("names") == "underscores")
        try:  # read it here, because the SDK would log a disconnect as an error of its own
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        await self._manager.handle_request(scope, _replay(body, receive), send)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that yields the body that was already read."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _client(context: Context) -> McpClient:
    """Return the client whose key came with this message."""
    assert isinstance(context.request, Request)
    client: McpClient = context.request.state.client
    return client
