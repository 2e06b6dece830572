"""How an answer leaves, and how the document tells of it."""

from typing import Annotated, Any

from fastapi import Header, Path, Response
from fastapi.responses import JSONResponse

from api.call import ApiAnswer
from api.problems import ProblemOut

TROUBLES = {
    401: "The key is missing, mistyped or revoked.",
    403: "The key may not do that.",
    404: "There is no such thing, or it is somebody else's.",
    409: "It does not fit with what is there.",
    410: "It was done before, and what was answered then is not kept.",
    412: "It has changed since it was read.",
    408: "The body came too slowly.",
    413: "The body is too long.",
    415: "The body is no JSON.",
    422: "A field is wrong; it is named.",
    429: "The key calls too often; Retry-After tells when.",
    503: "The database is away. Try again: Retry-After tells when.",
}
HEADERS = {
    "ETag": "Which version this is, for If-Match and If-None-Match.",
    "Retry-After": "In how many seconds to try again.",
    "WWW-Authenticate": "How to show who calls.",
}
SENT_WITH = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
UNCHANGED: dict[int | str, dict[str, Any]] = {304: {"description": "It is as it was."}}
FactId = Annotated[str, Path(pattern=r"^[A-Za-z0-9]{8}$", examples=["aMS15nB0"])]
IfMatch = Annotated[str | None, Header(alias="If-Match", max_length=1000, description="Only if it is still this.")]
IfNoneMatch = Annotated[str | None, Header(alias="If-None-Match", max_length=1000, description="Only if it changed.")]


def answered(answer: ApiAnswer) -> Response:
    if answer.status == 304:
        return Response(status_code=304, headers=answer.headers)
    return JSONResponse(answer.body, answer.status, answer.headers)


def troubles(*statuses: int) -> dict[int | str, dict[str, Any]]:
    told = {status: {"description": TROUBLES[status], "model": ProblemOut} for status in statuses}
    return {status: {**each, **_with(*SENT_WITH.get(status, ()))} for status, each in told.items()}


def tagged(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Answers that tell which version they are of."""
    return {status: _with("ETag") for status in statuses}


def _with(*names: str) -> dict[str, Any]:
    headers = {name: {"required": True, "schema": {"type": "string"}, "description": HEADERS[name]} for name in names}
    return {"headers": headers} if headers else {}


def also(status: int, model: type, told: str, *headers: str) -> dict[int | str, dict[str, Any]]:
    """Another way in which it may go well."""
    return {status: {"description": told, "model": model, **_with(*headers)}}
