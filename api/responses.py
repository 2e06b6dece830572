"""Turns operation results into HTTP responses, and describes responses in the OpenAPI document."""

from typing import Annotated, Any

from fastapi import Header, Path, Response
from fastapi.responses import JSONResponse

from api.api_call import ApiResponse
from api.problems import ProblemOut

ERROR_DESCRIPTIONS = {
    401: "The key is missing, mistyped or revoked.",
    403: "The key lacks permission.",
    404: "It does not exist, or belongs to somebody else.",
    408: "The body arrived too slowly.",
    409: "It conflicts with existing data.",
    410: "The write was already done; its response is no longer stored.",
    412: "It has changed since it was read.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    422: "A field is invalid; the response names it.",
    429: "Too many calls with this key; see Retry-After.",
    503: "The database is unavailable; see Retry-After.",
}
HEADERS = {
    "ETag": "The version, for If-Match and If-None-Match.",
    "Retry-After": "Seconds to wait before the next try.",
    "WWW-Authenticate": "How to authenticate.",
}
ERROR_HEADERS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "Not modified."}}
FactId = Annotated[str, Path(pattern=r"^[A-Za-z0-9]{8}$", examples=["aMS15nB0"])]
IfMatch = Annotated[
    str | None, Header(alias="If-Match", max_length=1000, description="Only if this is still the version.")
]
IfNoneMatch = Annotated[
    str | None, Header(alias="If-None-Match", max_length=1000, description="Only if it has changed.")
]


def to_response(result: ApiResponse) -> Response:
    if result.status == 304:
        return Response(status_code=304, headers=result.headers)
    return JSONResponse(result.body, result.status, result.headers)


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {
        status: {
            "description": ERROR_DESCRIPTIONS[status],
            "model": ProblemOut,
            **_headers(*ERROR_HEADERS.get(status, ())),
        }
        for status in statuses
    }


def with_etag(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: _headers("ETag") for status in statuses}


def _headers(*names: str) -> dict[str, Any]:
    headers = {name: {"required": True, "schema": {"type": "string"}, "description": HEADERS[name]} for name in names}
    return {"headers": headers} if headers else {}


def extra_response(status: int, model: type, description: str, *headers: str) -> dict[int | str, dict[str, Any]]:
    """Describe a second kind of success."""
    return {status: {"description": description, "model": model, **_headers(*headers)}}
