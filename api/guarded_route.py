"""Routes that ask for the key before they read a byte of the body: whoever has none costs next to nothing."""

from collections import Counter
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.routing import APIRoute

from api.dependencies import admitted, runtime_of
from api.problems import Problem, shown_name


class Guarded(APIRoute):
    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()
        known = frozenset(each.alias for each in get_flat_params(self.dependant) if isinstance(each.field_info, Query))

        async def guarded(request: Request) -> Response:
            request.state.bearer = await admitted(runtime_of(request), request.headers.get("Authorization"))
            _ensure_clear(request, known)
            if self.body_field is not None:
                _ensure_json(request)
            return await answer(request)

        return guarded


def _ensure_clear(request: Request, known: frozenset[str]) -> None:
    """A name that is not known may be one that was meant, such as whose memory shall be erased; and of one that stands
    twice nobody can tell which of them holds."""
    for name, times in Counter(name for name, _ in request.query_params.multi_items()).items():
        if name not in known:
            raise Problem.about(shown_name(name), "There is no such parameter here.")
        if times > 1:
            raise Problem.about(name, "It stands here more than once.")


def _ensure_json(request: Request) -> None:
    headers = request.headers
    if headers.get("Content-Length", "0") == "0" and "Transfer-Encoding" not in headers:
        return  # what is missing will be named
    kind = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Send JSON, with `Content-Type: application/json`.")
