"""Errors as problem+json (RFC 9457). Responses never carry the text of an unexpected exception."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from traceback import extract_tb
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from api.openapi import MEDIA_TYPE, methods_at
from memory.cleaning import visible
from memory.errors import DatabaseAway, Deadlock, KeepsakeError, KeyMissing, NotFound, Refused, TooBusy, WriteRefused
from memory.facts.facts import SubjectConflict
from memory.refusals import Refusal

log = logging.getLogger(__name__)

BUSY_SECONDS, LATER_SECONDS = 5, 3600
MAX_FIELDS, LONGEST_NAME = 20, 100
# A commit may have succeeded although its response was lost, so only an idempotent write can be repeated safely.
RETRY_HINT = "Try again: a write with an Idempotency-Key is executed once."


class FieldProblem(BaseModel):
    field: str = Field(description="Dotted path of the field.", examples=["actor.type"])
    problem: str = Field(examples=["Input should be 'human', 'agent' or 'tool'"])


class ProblemOut(BaseModel):
    """The body of every error response."""

    type: str = Field(default="about:blank")
    title: str = Field(examples=["Unprocessable Entity"])
    status: int = Field(examples=[422])
    detail: str = Field(description="What happened and what to do.", examples=["Invalid fields: actor.type."])
    code: str | None = Field(
        default=None,
        description="A stable name of the reason, where memory refused; its `detail` may be reworded.",
        examples=["fact_not_found"],
    )
    errors: list[FieldProblem] = Field(default_factory=list)


@dataclass(slots=True)
class Problem(Exception):
    """An error response, raised to end the call."""

    status: int
    detail: str
    fields: Sequence[tuple[str, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    code: Refusal | None = None

    @classmethod
    def about(cls, name: str, problem: str, *, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> "Problem":
        return cls(status, f"{name}: {problem}", [(name, problem)])


def problem_response(problem: Problem) -> JSONResponse:
    body = ProblemOut(
        title=HTTPStatus(problem.status).phrase,
        status=problem.status,
        detail=problem.detail,
        code=problem.code,
        errors=[FieldProblem(field=name, problem=what) for name, what in problem.fields],
    )
    return JSONResponse(body.model_dump(), problem.status, dict(problem.headers), MEDIA_TYPE)


def problem_from(error: KeepsakeError, retry_hint: str = RETRY_HINT) -> Problem:
    match error:
        case SubjectConflict():
            known = [(f"memory/{row.id}", "change this one instead") for row in error.rows]
            return Problem(HTTPStatus.CONFLICT, str(error), known, code=error.code)
        case NotFound(code=None):
            return problem_from(NotFound(Refusal.NOT_FOUND, field=error.field))
        case NotFound():
            return Problem(HTTPStatus.NOT_FOUND, str(error), _field_errors(error), code=error.code)
        case Refused():
            return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), _field_errors(error), code=error.code)
        case TooBusy():
            return unavailable(str(error), code=error.code)
        case KeyMissing():
            return unavailable(str(error), LATER_SECONDS, code=error.code)
        case WriteRefused():
            return Problem(HTTPStatus.CONFLICT, "The database refused the write. Nothing was stored.")
        case Deadlock():
            return unavailable(f"A concurrent change got in the way; nothing was stored. {retry_hint}", 1)
        case DatabaseAway():
            return unavailable(f"The database is unavailable. {retry_hint}")
        case _:
            return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, f"Internal error. {retry_hint}")


def unavailable(detail: str, retry_after: int = BUSY_SECONDS, *, code: Refusal | None = None) -> Problem:
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, detail, headers={"Retry-After": str(retry_after)}, code=code)


def _field_errors(error: Refused) -> list[tuple[str, str]]:
    return [(error.field, str(error))] if error.field else []


def validation_problem(errors: Iterable[Any]) -> Problem:
    fields = [(_field(each), str(each["msg"]).removeprefix("Value error, ")) for each in islice(errors, MAX_FIELDS)]
    names = ", ".join(dict.fromkeys(name for name, _ in fields))
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"Invalid fields: {names}.", fields)


def too_deep() -> Problem:
    return Problem.about("body", "It is nested too deeply.")


def log_unexpected(error: Exception, what: str, retry_hint: str = RETRY_HINT) -> Problem:
    """Log an unexpected exception's type and location, and return a problem that reveals nothing of it."""
    frames = extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    log.error("%s failed: %s at %s", what, type(error).__name__, place)
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, f"Internal error. {retry_hint}")


ProblemRenderer = Callable[[Request, Problem], Response]


def register_error_handlers(app: FastAPI, pages: Mapping[str, ProblemRenderer]) -> ProblemRenderer:
    """Register handlers for every kind of error that a route can raise, and return the function that renders problems.

    `pages` maps path prefixes to renderers that show a problem as a page instead of JSON.
    """

    def respond(request: Request, problem: Problem) -> Response:
        path = f"{request.url.path}/"
        render = next((render for prefix, render in pages.items() if path.startswith(f"{prefix}/")), None)
        return render(request, problem) if render else problem_response(problem)

    @app.exception_handler(Problem)
    async def _problem(request: Request, problem: Problem) -> Response:
        return respond(request, problem)

    @app.exception_handler(KeepsakeError)
    async def _keepsake_error(request: Request, error: KeepsakeError) -> Response:
        problem = problem_from(error)
        problem.__cause__ = error  # a page translates it
        return respond(request, problem)

    @app.exception_handler(RequestValidationError)
    async def _validation_error(request: Request, error: RequestValidationError) -> Response:
        return respond(request, validation_problem(error.errors()))

    @app.exception_handler(HTTPException)
    async def _http_exception(request: Request, error: HTTPException) -> Response:
        if error.status_code == HTTPStatus.BAD_REQUEST:  # FastAPI could not parse the body
            return respond(
                request, Problem.about("body", "It cannot be parsed. Send JSON in UTF-8, not nested too deeply.")
            )
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (methods := methods_at(app, request.scope["path"])):
            headers["Allow"] = ", ".join(methods)
        return respond(request, Problem(error.status_code, str(error.detail), headers=headers))

    @app.exception_handler(RecursionError)
    async def _recursion_error(request: Request, error: RecursionError) -> Response:
        return respond(request, too_deep())

    return respond


def printable_name(name: str) -> str:
    """Make a field name from a request safe to show."""
    return visible(name)[:LONGEST_NAME]


def _field(error: Mapping[str, Any]) -> str:
    """The dotted path of a field, without the part of the request it is in unless nothing else is left."""
    location = error["loc"] if error["type"] != "json_invalid" else ["body"]
    inner = [str(part) for part in location if part not in {"body", "query", "path", "header"}]
    return printable_name(".".join(inner)) or str(location[0])
