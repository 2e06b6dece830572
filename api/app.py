"""Builds the daemon's ASGI application: REST, MCP and the review page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version

from fastapi import APIRouter, FastAPI
from starlette.routing import Route

from api.mcp.endpoint import McpEndpoint
from api.middleware.body_limit import BodyLimit
from api.middleware.page_headers import PageHeaders
from api.middleware.request_metrics import RequestMetrics
from api.middleware.security_headers import SecurityHeaders
from api.middleware.unhandled_errors import UnhandledErrors
from api.openapi import openapi_of
from api.problems import register_error_handlers
from api.responses import error_responses
from api.review import router as review
from api.review.rendering import problem_page
from api.routes import events, health, ledgers, memory
from memory.wiring import Runtime

PREFIX = "/api/v1"
ROUTES = (events.router, ledgers.router, memory.router)
ABOUT = """\
Memory that its owner can see, correct and trust. Every call except `healthz` and `metrics` needs an API key
(`Authorization: Bearer ks.…`). The key determines the tenant and may also be bound to a user or an agent. An agent can
only propose changes; the owner accepts them. Writes accept an `Idempotency-Key`. Errors are problem+json and name the
offending field."""


def make_app(runtime: Runtime) -> FastAPI:
    mcp = McpEndpoint(runtime)

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
        # Behind a TLS proxy the redirect would be an http:// URL, and the client would send its key in the clear.
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.runtime = runtime
    render = register_error_handlers(app, pages={review.PREFIX: problem_page})
    api = APIRouter(responses=error_responses(401, 403, 408, 413, 415, 422, 429, 503))
    for router in ROUTES:
        api.include_router(router)
    app.include_router(api, prefix=PREFIX)
    app.include_router(health.router, prefix=PREFIX)
    app.include_router(health.router, include_in_schema=False)
    app.include_router(review.router, include_in_schema=False)
    app.router.routes.append(Route("/mcp", endpoint=mcp, name="mcp"))
    app.add_middleware(BodyLimit, max_bytes=runtime.settings.request_bytes)
    app.add_middleware(UnhandledErrors, render=render)
    app.add_middleware(PageHeaders, prefix=review.PREFIX)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(RequestMetrics, metrics=runtime.metrics)
    app.openapi = partial(openapi_of, app)  # type: ignore[method-assign]
    return app
