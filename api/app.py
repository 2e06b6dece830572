"""The daemon as one application: REST, MCP and the review page over one house."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from starlette.routing import Route

from api.mcp.endpoint import McpDoor
from api.middleware.body_limit import BodyLimit
from api.middleware.faults import Faults
from api.middleware.page_headers import PageHeaders
from api.middleware.request_metrics import RequestMetrics
from api.middleware.security_headers import SecurityHeaders
from api.openapi import openapi_of
from api.problems import tell_problems
from api.responses import troubles
from api.review import router as review
from api.review.rendering import problem_page
from api.routes import events, health, ledgers, memory
from memory.wiring import Runtime

PREFIX = "/api/v1"
ROUTES = (events.router, ledgers.router, memory.router)
ABOUT = """\
Memory that its owner can see, correct and trust. Every call but `healthz` and `metrics` carries a key
(`Authorization: Bearer ks.…`), which tells the tenant and, where it is theirs, the user and the agent. An agent can
only propose; the owner accepts. Writes take an `Idempotency-Key`. Errors are problem+json and name the field."""


def make_app(runtime: Runtime) -> FastAPI:
    mcp = McpDoor(runtime)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with mcp.open():
            yield

    app = FastAPI(
        title="Keepsake",
        version=version("keepsake"),
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        # One would name the host by which we were reached, without the TLS of the proxy before us: keys in the clear.
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.runtime = runtime
    tell = tell_problems(app, pages={review.PREFIX: problem_page})
    api = APIRouter(responses=troubles(401, 403, 408, 413, 415, 422, 429, 503))
    for router in ROUTES:
        api.include_router(router)
    app.include_router(api, prefix=PREFIX)
    app.include_router(health.router, prefix=PREFIX)
    app.include_router(health.router, include_in_schema=False)
    app.include_router(review.router, include_in_schema=False)
    app.router.routes.append(Route("/mcp", endpoint=mcp, name="mcp"))
    app.add_middleware(BodyLimit, most=runtime.settings.request_bytes)
    app.add_middleware(Faults, tell=tell)
    app.add_middleware(PageHeaders, prefix=review.PREFIX)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMetrics, metrics=runtime.metrics)
    app.openapi = partial(openapi_of, app)  # type: ignore[method-assign]
    return app
