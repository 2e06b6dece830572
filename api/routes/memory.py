"""memory, memory/{id}, memory/{id}/visibility, memory/forget, spaces/{id}/facts, proposals."""

from dataclasses import replace
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Body, HTTPException, Path, Response
from fastapi.routing import APIRoute

from api.dependencies import Reading, Ruling, Scoped, Writing
from api.guarded_route import Guarded
from api.operations import forgetting, memory, proposals
from api.paging import Paged
from api.responses import UNCHANGED, FactId, IfMatch, IfNoneMatch, also, answered, tagged, troubles
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

router = APIRouter(tags=["memory"], route_class=Guarded)
PROFILE = {"name": "John", "occupation": "Software Engineer", "communication_style": "technical", "interests": ["AI"]}
ASKED = also(202, ProposedOut, "An agent's wish: not done, the owner is asked.")


@router.get(
    "/memory",
    summary="The profile, and what is remembered",
    response_model=MemoriesOut,
    responses={**tagged(200), **UNCHANGED, **troubles(404)},
)
async def list_memory(call: Reading, scoping: Scoped, page: Paged, tag: IfNoneMatch = None) -> Response:
    return answered(await memory.list_memory(call, scoping, page, tag))


@router.post(
    "/memory",
    summary="Remember something",
    status_code=201,
    response_model=MemoryOut,
    responses={
        **tagged(201),
        **also(200, MemoryOut, "It was known already.", "ETag"),
        **ASKED,
        **troubles(404, 409, 410),
    },
)
async def create_memory(wish: CreateMemoryIn, call: Writing, scoping: Scoped) -> Response:
    return answered(await memory.create_memory(call, scoping, wish))


@router.put(
    "/memory",
    summary="Set parts of the profile, as the owner",
    response_model=PreferencesOut,
    responses={**tagged(200), **troubles(404, 409, 410, 412)},
)
async def put_preferences(
    wish: Annotated[Preferences, Body(examples=[PROFILE])], call: Writing, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return answered(await memory.put_preferences(call, scoping, wish, tag))


@router.delete(
    "/memory", summary="Erase everything of the user, for good", response_model=ErasedOut, responses=troubles(404)
)
async def erase_everything(call: Ruling, scoping: Scoped) -> Response:
    return answered(await forgetting.erase_everything(call, scoping))


@router.post(
    "/memory/forget",
    summary="Forget some things, for good",
    response_model=ForgottenOut,
    responses=troubles(404, 409, 410),
)
async def forget_some(wish: ForgetIn, call: Writing, scoping: Scoped) -> Response:
    return answered(await forgetting.forget_some(call, scoping, wish))


async def no_fact() -> Response:
    """`forget` would be read as the id of a fact, and refused as none."""
    raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)


router.add_api_route(
    "/memory/forget",
    no_fact,
    methods=["GET", "PUT", "DELETE"],
    include_in_schema=False,
    route_class_override=APIRoute,
)


@router.get(
    "/memory/{id}",
    summary="One fact with its history",
    response_model=HistoryOut,
    responses={**tagged(200), **UNCHANGED, **troubles(404)},
)
async def get_memory(id: FactId, call: Reading, scoping: Scoped, tag: IfNoneMatch = None) -> Response:
    return answered(await memory.get_memory(call, scoping, id, tag))


@router.put(
    "/memory/{id}",
    summary="Give a fact new words",
    response_model=ChangedOut,
    responses={**tagged(200), **ASKED, **troubles(404, 409, 410, 412)},
)
async def update_memory(
    id: FactId, wish: UpdateMemoryIn, call: Writing, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return answered(await memory.update_memory(call, scoping, id, wish, tag))


@router.delete(
    "/memory/{id}",
    summary="Delete a fact",
    response_model=DeletedOut,
    responses={**ASKED, **troubles(404, 409, 410, 412)},
)
async def delete_memory(id: FactId, call: Writing, scoping: Scoped, tag: IfMatch = None) -> Response:
    return answered(await memory.delete_memory(call, scoping, id, tag))


@router.patch(
    "/memory/{id}/visibility",
    summary="Share a fact, or take it back",
    response_model=MemoryOut,
    responses={**tagged(200), **troubles(404, 409, 410, 412)},
)
async def set_visibility(
    id: FactId, wish: VisibilityIn, call: Writing, scoping: Scoped, tag: IfMatch = None
) -> Response:
    return answered(await memory.set_visibility(call, scoping, id, wish, tag))


@router.get(
    "/spaces/{id}/facts",
    tags=["spaces"],
    summary="My facts, and what members share in a space",
    response_model=FactsOut,
    responses=troubles(404),
)
async def facts_of_space(
    id: Annotated[str, Path(pattern=r"^[!-~]{1,200}$")], call: Reading, scoping: Scoped, page: Paged
) -> Response:
    return answered(await memory.facts_of_space(call, replace(scoping, space_id=id), page))


@router.get(
    "/proposals",
    tags=["proposals"],
    summary="What waits for its owner's word",
    response_model=ProposalsOut,
    responses=troubles(404),
)
async def list_proposals(call: Reading, scoping: Scoped, page: Paged) -> Response:
    return answered(await proposals.list_proposals(call, scoping, page))


@router.post(
    "/proposals/{id}/accept",
    tags=["proposals"],
    summary="Say yes, as the owner",
    response_model=ChangedOut,
    responses={**tagged(200), **troubles(404, 409, 410)},
)
async def accept(id: FactId, wish: AcceptIn, call: Writing, scoping: Scoped) -> Response:
    return answered(await proposals.accept(call, scoping, id, wish))


@router.post(
    "/proposals/{id}/reject",
    tags=["proposals"],
    summary="Say no, as the owner",
    response_model=RejectedOut,
    responses=troubles(404, 409, 410),
)
async def reject(id: FactId, call: Writing, scoping: Scoped) -> Response:
    return answered(await proposals.reject(call, scoping, id))
