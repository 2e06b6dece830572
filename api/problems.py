"""What goes wrong, told as problem+json (RFC 9457): what happened, which field, what to do; no exception's own text."""

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
from memory.errors import Collided, DatabaseAway, KeepsakeError, KeyMissing, NotFound, Refused, TooBusy, WriteRefused
from memory.facts.facts import SubjectKnown

log = logging.getLogger(__name__)

BUSY_SECONDS, LATER_SECONDS = 5, 3600
MOST_FIELDS, LONGEST_NAME = 20, 100
# A commit whose answer was lost may have been one: only whoever names a write can repeat it safely.
AGAIN = "Try again: a write with an Idempotency-Key is done once."


class FieldProblem(BaseModel):
    field: str = Field(description="Where, with dots: `actor.type`.", examples=["actor.type"])
    problem: str = Field(examples=["Input should be 'human', 'agent' or 'tool'"])


class ProblemOut(BaseModel):
    """How every error looks."""

    type: str = Field(default="about:blank")
    title: str = Field(examples=["Unprocessable Entity"])
    status: int = Field(examples=[422])
    detail: str = Field(description="What happened and what to do.", examples=["A field of the request is wrong."])
    errors: list[FieldProblem] = Field(default_factory=list)


@dataclass(slots=True)
class Problem(Exception):
    """Ends a call with this answer."""

    status: int
    detail: str
    fields: Sequence[tuple[str, str]] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def about(cls, name: str, problem: str, *, status: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> "Problem":
        return cls(status, f"{name}: {problem}", [(name, problem)])


def answer_to(problem: Problem) -> JSONResponse:
    told = ProblemOut(
        title=HTTPStatus(problem.status).phrase,
        status=problem.status,
        detail=problem.detail,
        errors=[FieldProblem(field=name, problem=what) for name, what in problem.fields],
    )
    return JSONResponse(told.model_dump(), problem.status, dict(problem.headers), MEDIA_TYPE)


def problem_of(error: KeepsakeError, again: str = AGAIN) -> Problem:
    """What an error of ours means to whoever calls, and how to call again."""
    match error:
        case SubjectKnown():
            known = [(f"memory/{row.id}", "change this one instead") for row in error.rows]
            return Problem(HTTPStatus.CONFLICT, str(error), known)
        case NotFound():
            return Problem(HTTPStatus.NOT_FOUND, str(error) or "There is no such thing here.", _wrong(error))
        case Refused():
            return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, str(error), _wrong(error))
        case TooBusy():
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": str(BUSY_SECONDS)})
        case KeyMissing():
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), headers={"Retry-After": str(LATER_SECONDS)})
        case WriteRefused():
            return Problem(HTTPStatus.CONFLICT, "The database refused that. Nothing was stored.")
        case Collided():
            later = {"Retry-After": "1"}
            told = f"Two changes came in each other's way, and nothing of this one was stored. {again}"
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, told, headers=later)
        case DatabaseAway():
            later = {"Retry-After": str(BUSY_SECONDS)}
            return Problem(HTTPStatus.SERVICE_UNAVAILABLE, f"The database is away. {again}", headers=later)
        case _:
            return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, f"Something broke here. {again}")


def _wrong(error: Refused) -> list[tuple[str, str]]:
    return [(error.field, str(error))] if error.field else []


def problem_of_shape(errors: Iterable[Any]) -> Problem:
    """What pydantic found wrong with a request, field by field."""
    fields = [(_field(each), str(each["msg"]).removeprefix("Value error, ")) for each in islice(errors, MOST_FIELDS)]
    names = ", ".join(dict.fromkeys(name for name, _ in fields))
    return Problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"The request is not right: {names}.", fields)


def too_deep() -> Problem:
    return Problem.about("body", "It is nested too deeply.")


def problem_of_fault(fault: Exception, what: str, again: str = AGAIN) -> Problem:
    """What nobody had thought of: its kind and place go into the log, and nothing of it to whoever calls."""
    frames = extract_tb(fault.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
    log.error("%s broke: %s at %s", what, type(fault).__name__, place)
    return Problem(HTTPStatus.INTERNAL_SERVER_ERROR, f"Something broke here. {again}")


Tell = Callable[[Request, Problem], Response]


def tell_problems(app: FastAPI, pages: Mapping[str, Tell]) -> Tell:
    """One place for every kind of error that a route can raise. Below some addresses people are told, on a page. Gives
    how a problem is told."""

    def answer(request: Request, problem: Problem) -> Response:
        path = f"{request.url.path}/"
        tell = next((tell for prefix, tell in pages.items() if path.startswith(f"{prefix}/")), None)
        return tell(request, problem) if tell else answer_to(problem)

    @app.exception_handler(Problem)
    async def _ours(request: Request, problem: Problem) -> Response:
        return answer(request, problem)

    @app.exception_handler(KeepsakeError)
    async def _memory(request: Request, error: KeepsakeError) -> Response:
        problem = problem_of(error)
        problem.__cause__ = error  # what a page says of it in its reader's language
        return answer(request, problem)

    @app.exception_handler(RequestValidationError)
    async def _shape(request: Request, error: RequestValidationError) -> Response:
        return answer(request, problem_of_shape(error.errors()))

    @app.exception_handler(HTTPException)
    async def _route(request: Request, error: HTTPException) -> Response:
        if error.status_code == HTTPStatus.BAD_REQUEST:  # FastAPI's word for a body that it could not even read
            return answer(request, Problem.about("body", "It cannot be read: JSON in UTF-8 is expected, not too deep."))
        headers = dict(error.headers or {})
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED and (may := methods_at(app, request.scope["path"])):
            headers["Allow"] = ", ".join(may)
        return answer(request, Problem(error.status_code, str(error.detail), headers=headers))

    @app.exception_handler(RecursionError)
    async def _depth(request: Request, error: RecursionError) -> Response:
        return answer(request, too_deep())

    return answer


def shown_name(name: str) -> str:
    """The name of a field, which a stranger may have chosen."""
    return visible(name)[:LONGEST_NAME]


def _field(error: Mapping[str, Any]) -> str:
    """Without where in the request it stood, unless that is all there is."""
    place = error["loc"] if error["type"] != "json_invalid" else ["body"]
    inner = [str(part) for part in place if part not in {"body", "query", "path", "header"}]
    return shown_name(".".join(inner)) or str(place[0])
