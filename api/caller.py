"""Who calls: from a bearer's key to the viewer for whom the call is done."""

import re
from dataclasses import dataclass
from http import HTTPStatus

from api.name_checks import ensure_harmless, ensure_not_ours
from api.problems import Problem
from memory import Channel, Scope, Viewer, personal_space
from memory.people.keys import AGENT_ITSELF, API_USER, NAME, Bearer
from memory.wiring import Runtime

SPACE = re.compile(r"[A-Za-z0-9._@:-]{1,200}")


@dataclass(frozen=True, slots=True)
class Scoping:
    """For whom a call says that it is; what it leaves out, the key tells."""

    tenant_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    space_id: str | None = None
    channel: Channel = Channel.PRIVATE


@dataclass(frozen=True, slots=True)
class ApiCaller:
    runtime: Runtime
    bearer: Bearer

    def may(self, scope: Scope) -> bool:
        return bool(self.bearer.admission.scopes & {scope, Scope.ADMIN})

    def ensure(self, scope: Scope) -> None:
        if not self.may(scope):
            raise Problem(HTTPStatus.FORBIDDEN, f"This key may not do that: it lacks the scope {scope}.")

    def ensure_owner(self) -> None:
        if not self.bearer.is_owner:
            raise Problem(
                HTTPStatus.FORBIDDEN,
                "Only the owner can do that, with a key of their own or on the review page. An agent can propose.",
            )

    @property
    def is_owner(self) -> bool:
        return self.bearer.is_owner

    def agent(self, scoping: Scoping) -> str:
        """The agent that calls, or that the tenant's backend calls for."""
        own = self.bearer.admission.agent
        if own is not None and scoping.agent_id not in {None, own}:
            raise _not_theirs("agent_id", "This key is another agent's.")
        if scoping.agent_id is not None and not NAME.fullmatch(scoping.agent_id):
            raise Problem.about("agent_id", "The name of an agent has 1 to 64 letters, digits and . _ @ : -")
        ensure_harmless("agent_id", [scoping.agent_id])
        ensure_not_ours("agent_id", scoping.agent_id or "")
        return own or scoping.agent_id or ""

    def viewer(self, scoping: Scoping) -> Viewer:
        if scoping.tenant_id not in {None, self.bearer.tenant}:
            raise _not_theirs("tenant_id", "This key is another tenant's.")
        user = self._user(scoping)
        if scoping.space_id is not None and not SPACE.fullmatch(scoping.space_id):
            raise Problem.about("space_id", "There is no such space.", status=HTTPStatus.NOT_FOUND)
        return Viewer(self.bearer.tenant, user, scoping.space_id or personal_space(user), scoping.channel)

    def _user(self, scoping: Scoping) -> str:
        """A person's key is for that person. Any other is for users of the API, who have no chat elsewhere, or for the
        agent itself."""
        own, asked, agent = self.bearer.admission.user, scoping.user_id, self.agent(scoping)
        if own is not None:
            if asked not in {None, own, own.removeprefix(API_USER)}:
                raise _not_theirs("user_id", "This key is another user's.")
            return own
        if asked is not None:
            name = asked.removeprefix(API_USER)
            if not NAME.fullmatch(name) or name.startswith(("telegram:", "terminal:", AGENT_ITSELF)):
                raise _not_theirs("user_id", "This key is for users of the API alone.")
            ensure_harmless("user_id", [name])
            return f"{API_USER}{name}"
        if not agent:
            raise Problem.about("user_id", "Say for whom: a user_id or an agent_id.")
        return f"{AGENT_ITSELF}{agent}"


def no_key() -> Problem:
    return Problem(
        HTTPStatus.UNAUTHORIZED,
        "This needs an API key: `Authorization: Bearer ks.…`. It may be missing, mistyped or revoked.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def _not_theirs(name: str, problem: str) -> Problem:
    return Problem.about(name, problem, status=HTTPStatus.FORBIDDEN)
