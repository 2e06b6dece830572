"""`/mcp`: the door for agents that speak MCP over HTTP.

Each request stands for itself: it carries its key, is answered with JSON, and leaves no session behind. So any process
behind a balancer may answer the next one, and there is no session that somebody else's key could take over.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from api.caller import ApiCaller
from api.dependencies import admitted
from api.mcp.addresses import ensure_own_address
from api.mcp.server import Context, Guest, make_server
from api.problems import Problem
from memory.wiring import Runtime

AGENT = "mcp"  # who speaks with the key of a person, where the key names no agent


class McpDoor:
    operation = "mcp"  # as which its requests are counted

    def __init__(self, runtime: Runtime) -> None:
        self._house = runtime
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """For as long as the application runs."""
        manager = StreamableHTTPSessionManager(
            make_server(_guest),
            stateless=True,
            json_response=True,
            max_request_body_size=self._house.settings.request_bytes,
        )
        async with manager.run():
            self._manager = manager
            yield
        self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The key of the request decides, and is counted, before anything of the request is read."""
        request = Request(scope)
        ensure_own_address(self._house, request.headers)
        bearer = await admitted(self._house, request.headers.get("Authorization"))
        if request.method != "POST":
            problem = "Messages are posted here. There is no stream to listen to and no session to end."
            raise Problem(HTTPStatus.METHOD_NOT_ALLOWED, problem, headers={"Allow": "POST"})
        if self._manager is None:
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The daemon is starting or stopping.")
        caller = ApiCaller(self._house, bearer.as_agent(AGENT))
        request.state.guest = Guest(caller, plain_names=request.query_params.get("names") == "underscores")
        try:  # here, because the SDK takes a line that is cut for a fault of its own, and logs it
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return  # in the middle of what they said
        await self._manager.handle_request(scope, _again(body, receive), send)


def _again(body: bytes, receive: Receive) -> Receive:
    """What was read, to be read once more."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Message:
        return left.pop() if left else await receive()

    return read


def _guest(context: Context) -> Guest:
    """Whose key came with this very message."""
    assert isinstance(context.request, Request)
    guest: Guest = context.request.state.guest
    return guest
