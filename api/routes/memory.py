"""memory, memory/{id}, memory/{id}/visibility, memory/forget, spaces/{id}/facts, proposals."""

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Path, Response
from fastapi.routing import APIRoute

from api.authenticated_route import AuthenticatedRoute
from api.dependencies import AdminCall, ReadCall, Scoped, WriteCall
from api.operations import forgetting, memory, proposals
from api.paging import PageParams
from api.responses import (
    NOT_MODIFIED,
    FactId,
    IfMatch,
    IfNoneMatch,
    error_responses,
    extra_response,
    to_response,
    with_etag,
)
from api.schemas.memory import (
    AcceptIn,
    ChangedOut,
    CreateMemoryIn,
    DeletedOut,
    ErasedOut,
    FactsOut,
    ForgetIn,
    ForgottenOut,
    HistoryOut,
    MemoriesOut,
    MemoryOut,
    PreferencesOut,
    ProposalsOut,
    ProposedOut,
    RejectedOut,
    UpdateMemoryIn,
    VisibilityIn,
)
from memory.facts.profile import Preferences

router = APIRouter(tags=["memory"], route_class=AuthenticatedRoute)
PROFILE = {"name": "John", "occupation": "Software Engineer", "communication_style": "technical", "interests": ["AI"]}
ASKED = extra_response(202, ProposedOut, "Proposed by an agent: the owner will be asked.")


@router.get(
    "/memory",
    summary="List the profile and the facts",
    response_model=MemoriesOut,
    responses={**with_etag(200), **NOT_MODIFIED, **error_responses(404)},
)
async def list_memory(call: ReadCall, scoping: Scoped, page: PageParams, tag: IfNoneMatch = None) -> Response:
    return to_response(await memory.list_memory(call, scoping, page, tag))


@router.post(
    "/memory",
    summary="Remember something",
    status_code=201,
    response_model=MemoryOut,
    responses={
        **with_etag(201),
        **extra_response(200, MemoryOut, "The fact already exists.", "ETag"),
        **ASKED,
        **error_responses(404, 409, 410),
    },
)
async def create_memory(body: CreateMemoryIn, call: WriteCall, scoping: Scoped) -> Response:
    return to_response(await memory.create_memory(call, scoping, body))


@router.put(
    "/memory",
    summary="Set profile fields, as the owner",
    response_model=PreferencesOut,
    responses={**with_etag(200), **error_responses(404, 409, 410, 412)},
)
async def put_preferences(
    body: Annotated[Preferences, Body(examples=[PROFILE])], call: WriteCall, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return to_response(await memory.put_preferences(call, scoping, body, tag))


@router.delete(
    "/memory",
    summary="Erase everything about the user, for good",
    response_model=ErasedOut,
    responses=error_responses(404),
)
async def erase_everything(call: AdminCall, scoping: Scoped) -> Response:
    return to_response(await forgetting.erase_everything(call, scoping))


@router.post(
    "/memory/forget",
    summary="Forget some things, for good",
    response_model=ForgottenOut,
    responses=error_responses(404, 409, 410),
)
async def forget_some(body: ForgetIn, call: WriteCall, scoping: Scoped) -> Response:
    return to_response(await forgetting.forget_some(call, scoping, body))


async def method_not_allowed() -> Response:
    """Answer 405. Without this route `forget` would be validated as a fact id."""
    raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)


router.add_api_route(
    "/memory/forget",
    method_not_allowed,
    methods=["GET", "PUT", "DELETE"],
    include_in_schema=False,
    route_class_override=APIRoute,
)


@router.get(
    "/memory/{id}",
    summary="Read a fact with its history",
    response_model=HistoryOut,
    responses={**with_etag(200), **NOT_MODIFIED, **error_responses(404)},
)
async def get_memory(id: FactId, call: ReadCall, scoping: Scoped, tag: IfNoneMatch = None) -> Response:
    return to_response(await memory.get_memory(call, scoping, id, tag))


@router.put(
    "/memory/{id}",
    summary="Change a fact",
    response_model=ChangedOut,
    responses={**with_etag(200), **ASKED, **error_responses(404, 409, 410, 412)},
)
async def update_memory(
    id: FactId, body: UpdateMemoryIn, call: WriteCall, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return to_response(await memory.update_memory(call, scoping, id, body, tag))


@router.delete(
    "/memory/{id}",
    summary="Delete a fact",
    response_model=DeletedOut,
    responses={**ASKED, **error_responses(404, 409, 410, 412)},
)
async def delete_memory(id: FactId, call: WriteCall, scoping: Scoped, tag: IfMatch = None) -> Response:
    return to_response(await memory.delete_memory(call, scoping, id, tag))


@router.patch(
    "/memory/{id}/visibility",
    summary="Share or unshare a fact",
    response_model=MemoryOut,
    responses={**with_etag(200), **error_responses(404, 409, 410, 412)},
)
async def set_visibility(
    id: FactId, body: VisibilityIn, call: WriteCall, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return to_response(await memory.set_visibility(call, scoping, id, body, tag))


@router.get(
    "/spaces/{id}/facts",
    tags=["spaces"],
    summary="List own and shared facts of a space",
    response_model=FactsOut,
    responses=error_responses(404),
)
async def facts_of_space(
    id: Annotated[str, Path(pattern=r"^[!-~]{1,200}$")], call: ReadCall, scoping: Scoped, page: PageParams
) -> Response:
    return to_response(await memory.facts_of_space(call, replace(scoping, space_id=id), page))


@router.get(
    "/proposals",
    tags=["proposals"],
    summary="List open proposals",
    response_model=ProposalsOut,
    responses=error_responses(404),
)
async def list_proposals(call: ReadCall, scoping: Scoped, page: PageParams) -> Response:
    return to_response(await proposals.list_proposals(call, scoping, page))


@router.post(
    "/proposals/{id}/accept",
    tags=["proposals"],
    summary="Accept a proposal, as the owner",
    response_model=ChangedOut,
    responses={**with_etag(200), **error_responses(404, 409, 410)},
)
async def accept(id: FactId, body: AcceptIn, call: WriteCall, scoping: Scoped) -> Response:
    return to_response(await proposals.accept(call, scoping, id, body))


@router.post(
    "/proposals/{id}/reject",
    tags=["proposals"],
    summary="Reject a proposal, as the owner",
    response_model=RejectedOut,
    responses=error_responses(404, 409, 410),
)
async def reject(id: FactId, call: WriteCall, scoping: Scoped) -> Response:
    return to_response(await proposals.reject(call, scoping, id))
