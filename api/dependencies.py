"""The door of the API: a key is asked for, one call of it is counted, and the call is handed on."""

import hmac
from dataclasses import replace
from hashlib import sha256
from http import HTTPStatus
from math import ceil
from typing import Annotated

from fastapi import Depends, Header, Query, Request
from fastapi.security import HTTPBearer

from api.call import ApiCall
from api.caller import ApiCaller, Scoping, no_key
from api.problems import Problem
from memory import Channel, Scope
from memory.people.keys import Bearer, Pace, admit
from memory.settings import Settings
from memory.wiring import Runtime

AT_ONCE = 6  # a sixth of a minute's calls
UNBOUNDED = Pace(burst=1_000_000, a_second=1_000_000.0)

bearer_key = HTTPBearer(auto_error=False, description="An API key, made by `keepsake keys new`.")


def runtime_of(request: Request) -> Runtime:
    runtime: Runtime = request.app.state.runtime
    return runtime


def pace_of(settings: Settings) -> Pace:
    most = settings.calls_per_minute
    return Pace(burst=max(most // AT_ONCE, 1), a_second=most / 60) if most else UNBOUNDED


async def admitted(runtime: Runtime, authorization: str | None) -> Bearer:
    """Whoever has this key; raises where nobody has, or where it calls too often."""
    kind, _, secret = (authorization or "").partition(" ")
    bearer = await admit(runtime.memory, secret.strip(), pace_of(runtime.settings)) if kind.lower() == "bearer" else None
    if bearer is None:
        raise no_key()
    if bearer.admission.wait > 0:
        seconds = ceil(bearer.admission.wait)
        raise Problem(
            HTTPStatus.TOO_MANY_REQUESTS,
            f"This key calls too often. Try again in {seconds} s.",
            headers={"Retry-After": str(seconds), "RateLimit-Remaining": "0"},
        )
    return bearer


Key = Annotated[object, Depends(bearer_key)]
"""For the document; it was asked for before (api/guarded_route.py)."""


def let_in(request: Request, scope: Scope) -> ApiCall:
    caller = ApiCaller(runtime_of(request), request.state.bearer)
    caller.ensure(scope)
    return ApiCall(caller)


async def reading(request: Request, _: Key) -> ApiCall:
    return let_in(request, Scope.READ)


async def ruling(request: Request, _: Key) -> ApiCall:
    return let_in(request, Scope.ADMIN)


async def writing(
    request: Request,
    _: Key,
    idempotency_key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            description="The same write under the same key is done once.",
            min_length=1,
            max_length=200,
            pattern="^[!-~]+$",
        ),
    ] = None,
) -> ApiCall:
    """Writes may name themselves."""
    call = let_in(request, Scope.WRITE)
    if idempotency_key is None:
        return call
    # Its hash is enough to know it again, and keeps nothing of what a caller may have taken for a name.
    name = sha256(idempotency_key.encode()).hexdigest()
    return replace(call, name=name, fingerprint=await fingerprint_of(request))


async def fingerprint_of(request: Request) -> bytes:
    """Of all that is asked; not of the name by which we were reached, which may be another the second time. It is made
    with the caller's key, which is nowhere in the database: there a plain hash of a few words could be guessed."""
    scope = request.scope
    where = scope["raw_path"] + b"?" + scope["query_string"]
    secret = request.headers.get("Authorization", "").partition(" ")[2].strip()
    return hmac.digest(secret.encode(), b"\0".join([request.method.encode(), where, await request.body()]), "sha256")


Reading = Annotated[ApiCall, Depends(reading)]
Writing = Annotated[ApiCall, Depends(writing)]
Ruling = Annotated[ApiCall, Depends(ruling)]

Name = Annotated[str | None, Query(max_length=200)]


def scoping_of(
    tenant_id: Annotated[Name, Query(description="Must be the key's own.")] = None,
    user_id: Annotated[Name, Query(description="For whom, where the key is not one person's.")] = None,
    agent_id: Annotated[Name, Query(description="Which agent asks, where the key is not one agent's.")] = None,
    space_id: Annotated[Name, Query(description="A shared space; without it the user's own.")] = None,
    channel: Annotated[Channel, Query(description="How private the present audience is.")] = Channel.PRIVATE,
) -> Scoping:
    """For whom a call is, where its body does not say so."""
    return Scoping(tenant_id, user_id, agent_id, space_id, channel)


Scoped = Annotated[Scoping, Depends(scoping_of)]
