"""Reads posted forms, protected against forgery by an origin check and a session token."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request

from api.dependencies import runtime_of
from api.problems import Problem
from api.review.web_session import CurrentSession
from memory.people.links import is_form_token

MAX_BYTES, MAX_FIELDS = 200_000, 500
URLENCODED = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Form:
    """The fields, in the order in which they were sent."""

    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """Return the last value of this name, or ""."""
        return next((value for given, value in reversed(self.fields) if given == name), "")

    def every(self, name: str) -> list[str]:
        return [value for given, value in self.fields if given == name]


async def read_form(request: Request) -> Form:
    """Read a form sent from our own pages. No session is needed."""
    ensure_same_origin(request)
    if request.headers.get("Content-Type", "").partition(";")[0].strip().lower() != URLENCODED:
        raise Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Send the form as {URLENCODED}.")
    body = await request.body()
    if len(body) > MAX_BYTES:
        raise Problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That form is too long.")
    try:
        sent = parse_qsl(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError as error:
        raise Problem(HTTPStatus.BAD_REQUEST, "That form cannot be read.") from error
    return Form(tuple(sent))


async def verified_form(request: Request, session: CurrentSession) -> Form:
    """Read a form that carries the token of this session."""
    form = await read_form(request)
    if not is_form_token(session.runtime.memory.keyring, session.web, form.get("token")):
        raise _forbidden()
    return form


VerifiedForm = Annotated[Form, Depends(verified_form)]


def ensure_same_origin(request: Request) -> None:
    """Reject cross-site forms by the headers that browsers send. The sign-in forms have no token and rely on this."""
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        if site not in {"same-origin", "none"}:
            raise _forbidden()
    elif origin is not None and origin not in allowed_origins(request):
        raise _forbidden()


def allowed_origins(request: Request) -> set[str]:
    """Our public origin and the origin of this request, which differ behind a proxy."""
    public = urlsplit(runtime_of(request).web_url)
    return {f"{public.scheme}://{public.netloc}", f"{request.url.scheme}://{request.headers.get('Host', '')}"}


def _forbidden() -> Problem:
    return Problem(HTTPStatus.FORBIDDEN, "This form did not come from your page.")
