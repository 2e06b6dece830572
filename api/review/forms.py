"""Forms: read as browsers send them, and taken only from a page of the same visit."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.web_session import Visiting
from memory.people.links import is_form_token

MOST_BYTES, MOST_FIELDS = 200_000, 500
URLENCODED = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Form:
    """The fields, in the order in which they were sent."""

    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The last one of this name; nothing where there is none."""
        return next((value for given, value in reversed(self.fields) if given == name), "")

    def every(self, name: str) -> list[str]:
        return [value for given, value in self.fields if given == name]


async def read_form(request: Request) -> Form:
    """The fields of a form from a page of ours, whoever sends it."""
    ensure_from_here(request)
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != URLENCODED:
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "A form is sent as a browser sends it.")
    body = await request.body()
    if len(body) > MOST_BYTES:
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That form is too long.")
    try:
        sent = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, "That form cannot be read.") from error
    return Form(tuple(sent))


async def sent_form(request: Request, visit: Visiting) -> Form:
    """A form of this very visit: it carries the visit's token."""
    form = await read_form(request)
    if not is_form_token(visit.runtime.memory.keyring, visit.web, form.get("token")):
        raise _forged()
    return form


Sent = Annotated[Form, Depends(sent_form)]


def ensure_from_here(request: Request) -> None:
    """What browsers say of where a form comes from, when they do. The token is what holds; this stops what has none."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        if site not in {"same-origin", "none"}:
            raise _forged()
    elif origin is not None and origin not in own_origins(request):
        raise _forged()


def own_origins(request: Request) -> set[str]:
    """As people reach us, and as we are asked: a proxy may stand between."""
    outside = urlsplit(runtime_of(request).web_url)
    return {f"{outside.scheme}://{outside.netloc}", f"{request.url.scheme}://{request.headers.get('Host', '')}"}


def _forged() -> Problem:
    return Problem(HTTPStatus.FORBIDDEN, "This form did not come from your page.")
