"""GET artifacts/{id}, POST decisions, GET decisions/query, POST tasks, POST handoffs, GET and PUT views/{name}."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.authenticated_route import AuthenticatedRoute
from api.dependencies import ReadCall, Scoped, WriteCall
from api.operations import ledgers
from api.paging import PageParams
from api.responses import NOT_MODIFIED, IfMatch, IfNoneMatch, error_responses, extra_response, to_response, with_etag
from api.schemas.ledgers import (
    ArtifactOut,
    DecisionIn,
    DecisionOut,
    DecisionsOut,
    HandoffIn,
    HandoffOut,
    TaskIn,
    TaskOut,
    ViewIn,
    ViewOut,
)
from memory import DecisionScope, DecisionStatus, ViewName, ViewScope

router = APIRouter(route_class=AuthenticatedRoute)


@router.get(
    "/artifacts/{id}",
    tags=["artifacts"],
    summary="Read a long output or file",
    response_model=ArtifactOut,
    responses=error_responses(404),
)
async def get_artifact(
    id: Annotated[str, Path(pattern=r"^[a-z]{3}_[0-9A-Z]{26}$")], call: ReadCall, scoping: Scoped
) -> Response:
    return to_response(await ledgers.get_artifact(call, scoping, id))


@router.post(
    "/decisions",
    tags=["decisions"],
    summary="Record a decision",
    status_code=201,
    response_model=DecisionOut,
    responses=error_responses(404, 409, 410),
)
async def record_decision(body: DecisionIn, call: WriteCall) -> Response:
    return to_response(await ledgers.record_decision(call, body))


@router.get(
    "/decisions/query",
    tags=["decisions"],
    summary="Find decisions",
    response_model=DecisionsOut,
    responses=error_responses(404),
)
async def query_decisions(
    call: ReadCall,
    scoping: Scoped,
    page: PageParams,
    q: Annotated[str, Query(max_length=2000, description="Search words; without them, the newest come first.")] = "",
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
) -> Response:
    found = await ledgers.query_decisions(call, scoping, words=q, status=status, scope=scope, page=page)
    return to_response(found)


@router.post(
    "/tasks",
    tags=["tasks"],
    summary="Create or update a task",
    status_code=201,
    response_model=TaskOut,
    responses={**extra_response(200, TaskOut, "The task was updated."), **error_responses(404, 409, 410)},
)
async def put_task(body: TaskIn, call: WriteCall) -> Response:
    return to_response(await ledgers.put_task(call, body))


@router.post(
    "/handoffs",
    tags=["handoffs"],
    summary="Hand over work to another agent",
    status_code=201,
    response_model=HandoffOut,
    responses=error_responses(404, 409, 410),
)
async def hand_over(body: HandoffIn, call: WriteCall) -> Response:
    return to_response(await ledgers.hand_over(call, body))


Whose = Annotated[ViewScope, Query(description="The user's own view, or the space's.")]


@router.get(
    "/views/{name}",
    tags=["views"],
    summary="Read the agent's identity or rules, as Markdown",
    response_model=ViewOut,
    responses={**with_etag(200), **NOT_MODIFIED, **error_responses(404)},
)
async def get_view(
    name: ViewName, call: ReadCall, scoping: Scoped, scope: Whose = ViewScope.USER, tag: IfNoneMatch = None
) -> Response:
    return to_response(await ledgers.get_view(call, scoping, name, scope, tag))


@router.put(
    "/views/{name}",
    tags=["views"],
    summary="Replace a view, as the owner",
    response_model=ViewOut,
    responses={**with_etag(200), **error_responses(404, 409, 410, 412)},
)
async def put_view(
    name: ViewName, body: ViewIn, call: WriteCall, scoping: Scoped, scope: Whose = ViewScope.USER, tag: IfMatch = None
) -> Response:
    return to_response(await ledgers.put_view(call, scoping, name, scope, body, tag))
