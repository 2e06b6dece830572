"""Whether the daemon is well, and its numbers for Prometheus."""

from http import HTTPStatus

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from api.dependencies import runtime_of
from api.problems import BUSY_SECONDS, Problem
from api.responses import troubles
from memory.errors import DatabaseAway

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str = Field(examples=["ok"])
    database: str = Field(examples=["ok"])


@router.get("/healthz", summary="Whether it is well", responses=troubles(503))
async def healthz(request: Request) -> Health:
    try:
        await runtime_of(request).memory.database.look()
    except DatabaseAway as away:
        again = {"Retry-After": str(BUSY_SECONDS)}
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "The database is away.", headers=again) from away
    return Health(status="ok", database="ok")


@router.get(
    "/metrics",
    summary="Numbers for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    return Response(generate_latest(runtime_of(request).metrics.registry), media_type=CONTENT_TYPE_LATEST)
