"""POST events, POST acb/build."""

from fastapi import APIRouter, Response

from api.authenticated_route import AuthenticatedRoute
from api.dependencies import ReadCall, WriteCall
from api.operations import events
from api.responses import error_responses, to_response
from api.schemas.events import BundleIn, BundleOut, EventIn, EventOut

router = APIRouter(tags=["events"], route_class=AuthenticatedRoute)


@router.post(
    "/events",
    summary="Record what happened",
    status_code=201,
    response_model=EventOut,
    responses=error_responses(404, 409, 410),
)
async def record_event(body: EventIn, call: WriteCall) -> Response:
    return to_response(await events.record_event(call, body))


@router.post(
    "/acb/build", summary="Build the context for a model call", response_model=BundleOut, responses=error_responses(404)
)
async def build_acb(body: BundleIn, call: ReadCall) -> Response:
    return to_response(await events.build_acb(call, body))
