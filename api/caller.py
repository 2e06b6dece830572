"""The caller of an API request: the holder of a key, and the viewer on whose behalf a call runs."""

import re
from dataclasses import dataclass
from http import HTTPStatus

from api.name_checks import ensure_no_secrets, ensure_not_reserved
from api.problems import Problem
from memory import Channel, Scope, Viewer, personal_space
from memory.people.keys import AGENT_USER, API_USER, NAME, KeyHolder
from memory.wiring import Runtime

SPACE_ID = re.compile(r"[A-Za-z0-9._@:-]{1,200}")


@dataclass(frozen=True, slots=True)
class Scoping:
    """Whom a call names as its user, agent, space and audience. The key supplies what the call leaves out."""

    tenant_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    space_id: str | None = None
    channel: Channel = Channel.PRIVATE


@dataclass(frozen=True, slots=True)
class ApiCaller:
    runtime: Runtime
    bearer: KeyHolder

    def has_scope(self, scope: Scope) -> bool:
        return bool(self.bearer.admission.scopes & {scope, Scope.ADMIN})

    def require_scope(self, scope: Scope) -> None:
        if not self.has_scope(scope):
            raise Problem(HTTPStatus.FORBIDDEN, f"This key lacks the scope {scope}.")

    def require_owner(self) -> None:
        if not self.is_owner:
            raise Problem(
                HTTPStatus.FORBIDDEN,
                "Only the owner can do that, with a key of their own or on the review page. An agent can propose.",
            )

    @property
    def is_owner(self) -> bool:
        return self.bearer.is_owner

    def agent(self, scoping: Scoping) -> str:
        """The calling agent, or the one that the tenant's backend names."""
        own = self.bearer.admission.agent
        if own is not None and scoping.agent_id not in {None, own}:
            raise _forbidden("agent_id", "This key belongs to another agent.")
        if scoping.agent_id is not None and not NAME.fullmatch(scoping.agent_id):
            raise Problem.about("agent_id", "An agent's name has 1 to 64 letters, digits or . _ @ : -")
        ensure_no_secrets("agent_id", [scoping.agent_id])
        ensure_not_reserved("agent_id", scoping.agent_id or "")
        return own or scoping.agent_id or ""

    def viewer(self, scoping: Scoping) -> Viewer:
        if scoping.tenant_id not in {None, self.bearer.tenant}:
            raise _forbidden("tenant_id", "This key belongs to another tenant.")
        user = self._user(scoping)
        if scoping.space_id is not None and not SPACE_ID.fullmatch(scoping.space_id):
            raise Problem.about("space_id", "There is no such space.", status=HTTPStatus.NOT_FOUND)
        return Viewer(self.bearer.tenant, user, scoping.space_id or personal_space(user), scoping.channel)

    def _user(self, scoping: Scoping) -> str:
        """A personal key acts for its person only. Any other key acts for users known only to the API, or for the agent
        itself."""
        own, requested, agent = self.bearer.admission.user, scoping.user_id, self.agent(scoping)
        if own is not None:
            if requested not in {None, own, own.removeprefix(API_USER)}:
                raise _forbidden("user_id", "This key belongs to another user.")
            return own
        if requested is not None:
            name = requested.removeprefix(API_USER)
            if not NAME.fullmatch(name) or name.startswith(("telegram:", "terminal:", AGENT_USER)):
                raise _forbidden("user_id", "This key can act only for users of the API.")
            ensure_no_secrets("user_id", [name])
            return f"{API_USER}{name}"
        if not agent:
            raise Problem.about("user_id", "Name a user_id or an agent_id.")
        return f"{AGENT_USER}{agent}"


def unauthorized() -> Problem:
    return Problem(
        HTTPStatus.UNAUTHORIZED,
        "A valid API key is required: `Authorization: Bearer ks.…`. It is missing, mistyped or revoked.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _forbidden(name: str, problem: str) -> Problem:
    return Problem.about(name, problem, status=HTTPStatus.FORBIDDEN)
