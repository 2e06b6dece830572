"""What nobody thought of: told in one sentence, and logged without its text, which may hold a user's words."""

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.middleware.response_start import as_it_starts
from api.problems import Tell, problem_of_fault


class Faults:
    """Stands around everything; the server itself would log all of an exception."""

    def __init__(self, app: ASGIApp, tell: Tell) -> None:
        self._app = app
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started: list[Message] = []
        try:
            await self._app(scope, receive, as_it_starts(send, started.append))
        except Exception as fault:
            problem = problem_of_fault(fault, "a request")
            if scope["type"] == "http" and not started:
                await self._tell(Request(scope), problem)(scope, receive, send)
