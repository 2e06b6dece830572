"""A route class that checks the API key before it reads the request body."""

from collections import Counter
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.routing import APIRoute

from api.dependencies import authenticate, runtime_of
from api.problems import Problem, printable_name


class AuthenticatedRoute(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()
        known = frozenset(each.alias for each in get_flat_params(self.dependant) if isinstance(each.field_info, Query))

        async def guarded(request: Request) -> Response:
            request.state.bearer = await authenticate(runtime_of(request), request.headers.get("Authorization"))
            _ensure_clear(request, known)
            if self.body_field is not None:
                _ensure_json(request)
            return await answer(request)

        return guarded


def _ensure_clear(request: Request, known: frozenset[str]) -> None:
    """Reject unknown and repeated query parameters. A misspelt `user_id`, for example, would erase the wrong memory."""
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        if name not in known:
            raise Problem.about(printable_name(name), "Unknown query parameter.")
        if times > 1:
            raise Problem.about(name, "This parameter is given more than once.")


def _ensure_json(request: Request) -> None:
    headers = request.headers
    if headers.get("Content-Length", "0") == "0" and "Transfer-Encoding" not in headers:
        return  # validation names the missing body
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON, with `Content-Type: application/json`.")
