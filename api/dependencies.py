"""FastAPI dependencies of the REST API: authentication, rate limit, scopes and idempotency keys."""

import hmac
from dataclasses import replace
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from fastapi.security import HTTPBearer

from api.api_call import ApiCall
from api.caller import ApiCaller, Scoping, unauthorized
from api.problems import Problem
from memory import Channel, Scope
from memory.people.keys import KeyHolder, RateLimit, authenticate_key
from memory.settings import Settings
from memory.wiring import Runtime

BURSTS_PER_MINUTE = 6  # a burst may use a sixth of a minute's calls
UNLIMITED = RateLimit(burst=1_000_000, per_second=1_000_000.0)

bearer_key = HTTPBearer(auto_error=False, description="An API key, made by `keepsake keys new`.")


def runtime_of(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


def rate_limit_of(settings: Settings) -> RateLimit:
    most = settings.calls_per_minute
    return RateLimit(burst=max(most // BURSTS_PER_MINUTE, 1), per_second=most / 60) if most else UNLIMITED


async def authenticate(runtime: Runtime, authorization: str | None) -> KeyHolder:
    """Return the holder of this key. Raises 401 for an unknown key, 429 when it exceeds its rate limit."""
    kind, _, secret = (authorization or "").partition(" ")
    if kind.lower() != "bearer":
        raise unauthorized()
    bearer = await authenticate_key(runtime.memory, secret.strip(), rate_limit_of(runtime.settings))
    if bearer is None:
        raise unauthorized()
    if bearer.admission.wait > 0:
        seconds = ceil(bearer.admission.wait)
        raise Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"Too many calls with this key. Try again in {seconds} s.",
            headers={"Retry-After": str(seconds), "RateLimit-Remaining": "0"},
        )
    return bearer


Key = Annotated[object, Depends(bearer_key)]
"""Documents the key in OpenAPI only; `AuthenticatedRoute` has already checked it."""


def authorize(request: Request, scope: Scope) -> ApiCall:
    caller = ApiCaller(runtime_of(request), request.state.bearer)
    caller.require_scope(scope)
    return ApiCall(caller)


async def read_call(request: Request, _: Key) -> ApiCall:
    return authorize(request, Scope.READ)


async def admin_call(request: Request, _: Key) -> ApiCall:
    return authorize(request, Scope.ADMIN)


async def write_call(
    request: Request,
    _: Key,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            description="A repeated write with the same key is executed once and returns the first response.",
            min_length=1,
            max_length=200,
            pattern="^[!-~]+$",
        ),
    ] = None,
) -> ApiCall:
    call = authorize(request, Scope.WRITE)
    if idempotency_key is None:
        return call
    # Only a hash is stored, because callers may put personal data into the key.
    hashed = sha256(idempotency_key.encode()).hexdigest()
    return replace(call, idempotency_key=hashed, fingerprint=await request_fingerprint(request))


async def request_fingerprint(request: Request) -> bytes:
    """HMAC of method, path, query and body, without the host, which may differ in a retry.

    It is keyed with the API key, which the database does not hold: a plain hash of a short text could be guessed.
    """
    scope = request.scope
    target = scope["raw_path"] + b"?" + scope["query_string"]
    secret = request.headers.get("Authorization", "").partition(" ")[2].strip()
    return hmac.digest(secret.encode(), b"\0".join([request.method.encode(), target, await request.body()]), "sha256")


ReadCall = Annotated[ApiCall, Depends(read_call)]
WriteCall = Annotated[ApiCall, Depends(write_call)]
AdminCall = Annotated[ApiCall, Depends(admin_call)]

Name = Annotated[str | None, Query(max_length=200)]


def scoping_of(
    tenant_id: Annotated[Name, Query(description="Must be the key's tenant.")] = None,
    user_id: Annotated[Name, Query(description="The user, unless the key is bound to one.")] = None,
    agent_id: Annotated[Name, Query(description="The calling agent, unless the key is bound to one.")] = None,
    space_id: Annotated[Name, Query(description="A shared space; by default the user's personal space.")] = None,
    channel: Annotated[Channel, Query(description="How private the present audience is.")] = Channel.PRIVATE,
) -> Scoping:
    """Read the scoping from the query, for calls whose body does not carry it."""
    return Scoping(tenant_id, user_id, agent_id, space_id, channel)


Scoped = Annotated[Scoping, Depends(scoping_of)]
