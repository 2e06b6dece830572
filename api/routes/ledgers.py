"""GET artifacts/{id}, POST decisions, GET decisions/query, POST tasks, POST handoffs, GET and PUT views/{name}."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from api.dependencies import Reading, Scoped, Writing
from api.guarded_route import Guarded
from api.operations import ledgers
from api.paging import Paged
from api.responses import UNCHANGED, IfMatch, IfNoneMatch, also, answered, tagged, troubles
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

router = APIRouter(route_class=Guarded)


@router.get(
    "/artifacts/{id}",
    tags=["artifacts"],
    summary="All of a long output or file",
    response_model=ArtifactOut,
    responses=troubles(404),
)
async def get_artifact(
    id: Annotated[str, Path(pattern=r"^[a-z]{3}_[0-9A-Z]{26}$")], call: Reading, scoping: Scoped
) -> Response:
    return answered(await ledgers.get_artifact(call, scoping, id))


@router.post(
    "/decisions",
    tags=["decisions"],
    summary="Write a decision down",
    status_code=201,
    response_model=DecisionOut,
    responses=troubles(404, 409, 410),
)
async def record_decision(wish: DecisionIn, call: Writing) -> Response:
    return answered(await ledgers.record_decision(call, wish))


@router.get(
    "/decisions/query",
    tags=["decisions"],
    summary="Find decisions",
    response_model=DecisionsOut,
    responses=troubles(404),
)
async def query_decisions(
    call: Reading,
    scoping: Scoped,
    page: Paged,
    q: Annotated[str, Query(max_length=2000, description="Words; without any, the newest first.")] = "",
    status: DecisionStatus | None = None,
    scope: DecisionScope | None = None,
) -> Response:
    found = await ledgers.query_decisions(call, scoping, words=q, status=status, scope=scope, page=page)
    return answered(found)


@router.post(
    "/tasks",
    tags=["tasks"],
    summary="Open a task, or move one on",
    status_code=201,
    response_model=TaskOut,
    responses={**also(200, TaskOut, "It was moved on."), **troubles(404, 409, 410)},
)
async def put_task(wish: TaskIn, call: Writing) -> Response:
    return answered(await ledgers.put_task(call, wish))


@router.post(
    "/handoffs",
    tags=["handoffs"],
    summary="Hand work over to another agent",
    status_code=201,
    response_model=HandoffOut,
    responses=troubles(404, 409, 410),
)
async def hand_over(wish: HandoffIn, call: Writing) -> Response:
    return answered(await ledgers.hand_over(call, wish))


Whose = Annotated[ViewScope, Query(description="The user's own, or the space's.")]


@router.get(
    "/views/{name}",
    tags=["views"],
    summary="Who the agent is, or its rules, in Markdown",
    response_model=ViewOut,
    responses={**tagged(200), **UNCHANGED, **troubles(404)},
)
async def get_view(
    name: ViewName, call: Reading, scoping: Scoped, scope: Whose = ViewScope.USER, tag: IfNoneMatch = None
) -> Response:
    return answered(await ledgers.get_view(call, scoping, name, scope, tag))


@router.put(
    "/views/{name}",
    tags=["views"],
    summary="Write it anew, as the owner",
    response_model=ViewOut,
    responses={**tagged(200), **troubles(404, 409, 410, 412)},
)
async def put_view(
    name: ViewName, wish: ViewIn, call: Writing, scoping: Scoped, scope: Whose = ViewScope.USER, tag: IfMatch = None
) -> Response:
    return answered(await ledgers.put_view(call, scoping, name, scope, wish, tag))
