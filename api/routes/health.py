"""The health check, and the metrics for Prometheus."""

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel, Field

from api.dependencies import runtime_of
from api.problems import unavailable
from api.responses import error_responses
from memory.errors import DatabaseAway

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: str = Field(examples=["ok"])
    database: str = Field(examples=["ok"])


@router.get("/healthz", summary="Health check", responses=error_responses(503))
async def healthz(request: Request) -> Health:
    try:
        await runtime_of(request).memory.database.ping()
    except DatabaseAway as error:
        raise unavailable("The database is unavailable.") from error
    return Health(status="ok", database="ok")


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request) -> Response:
    return Response(generate_latest(runtime_of(request).metrics.registry), media_type=CONTENT_TYPE_LATEST)
