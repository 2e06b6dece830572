"""POST events, POST acb/build."""

from fastapi import APIRouter, Response

from api.dependencies import Reading, Writing
from api.guarded_route import Guarded
from api.operations import events
from api.responses import answered, troubles
from api.schemas.events import BundleIn, BundleOut, EventIn, EventOut

router = APIRouter(tags=["events"], route_class=Guarded)


@router.post(
    "/events",
    summary="Record what happened",
    status_code=201,
    response_model=EventOut,
    responses=troubles(404, 409, 410),
)
async def record_event(wish: EventIn, call: Writing) -> Response:
    return answered(await events.record_event(call, wish))


@router.post(
    "/acb/build", summary="Build the context for the next call", response_model=BundleOut, responses=troubles(404)
)
async def build_acb(wish: BundleIn, call: Reading) -> Response:
    return answered(await events.build_acb(call, wish))
