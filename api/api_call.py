"""One call of the API: runs an operation in a transaction as the caller's viewer, once per idempotency key."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel

from api.caller import ApiCaller, unauthorized
from api.problems import Problem
from memory import Viewer, personal_space
from memory.errors import NotFound
from memory.people import idempotency, people
from memory.people.idempotency import NamedWrite
from memory.people.keys import AGENT_USER, API_USER, KeyHolder
from memory.people.spaces import own_spaces
from memory.refusals import Refusal
from memory.unit import Unit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """The result of an operation: what a REST response or an MCP tool result is made from."""

    body: dict[str, Any]
    status: int = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)
    forgets: bool = False
    """Something was forgotten: this response is not stored, and the person's recent words are dropped from RAM."""

    @classmethod
    def of(cls, body: BaseModel, status: int = HTTPStatus.OK, **headers: str) -> "ApiResponse":
        return cls(body.model_dump(mode="json"), status, headers)


@dataclass(frozen=True, slots=True)
class ApiCall:
    caller: ApiCaller
    idempotency_key: str | None = None
    fingerprint: bytes = b""
    """Identifies the request, so that one key cannot serve two different requests."""
    key_field: str = "Idempotency-Key"
    """The header or field that carries the key."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def read(self, viewer: Viewer, work: Callable[[Unit], Awaitable[T]]) -> T:
        async with self.caller.runtime.memory.unit(viewer, now=self.now, read_only=True) as unit:
            await ensure_member(unit)
            return await work(unit)

    async def write(self, viewer: Viewer, work: Callable[[Unit], Awaitable[ApiResponse]]) -> ApiResponse:
        """Run `work` in one transaction, retried once on a deadlock.

        A repeated write waits for the first and returns its response. A refused write may be retried under the same
        key. For a write that forgets something, only the fact that it ran is stored.
        """

        async def run(unit: Unit) -> ApiResponse:
            await ensure_user(unit, self.caller.bearer)
            await ensure_member(unit)
            return await (work(unit) if self.idempotency_key is None else self._run_once(unit, work))

        response = await self.caller.runtime.memory.write(viewer, run, now=self.now)
        if response.forgets:
            self.caller.runtime.recent.forget_person(viewer.person)
        return response

    async def _run_once(self, unit: Unit, work: Callable[[Unit], Awaitable[ApiResponse]]) -> ApiResponse:
        write = NamedWrite(self.caller.bearer.admission.key_id, self.idempotency_key or "", self.fingerprint)
        if not await idempotency.begin(unit, write):
            return await self._replay(unit, write)
        response = await work(unit)
        stored = None if response.forgets else {"body": response.body, "headers": response.headers}
        await idempotency.finish(unit, write, response.status, stored)
        return response

    async def _replay(self, unit: Unit, write: NamedWrite) -> ApiResponse:
        before = await idempotency.find_earlier(unit, write)
        if not before.is_same:
            raise Problem.about(self.key_field, "This key was already used for a different request. Choose a new one.")
        if before.answer is None or before.status is None:
            raise Problem(HTTPStatus.GONE, "This was already done. Its response is no longer stored.")
        headers = {**before.answer["headers"], "Idempotency-Replayed": "true"}
        return ApiResponse(before.answer["body"], before.status, headers)


async def ensure_user(unit: Unit, bearer: KeyHolder) -> None:
    """Register API users, and agents that write for themselves, on their first write.

    Chat users must register themselves in their chat. The personal key of an erased user is invalid, even for a call
    that was authenticated before the erasure.
    """
    person = unit.viewer.person
    if await people.lock_person(unit):
        return
    if bearer.admission.user is not None:
        raise unauthorized()
    if not person.startswith((API_USER, AGENT_USER)):
        raise NotFound(Refusal.USER_NOT_FOUND, field="user_id")
    home = Viewer.in_private(unit.viewer.tenant, person)
    async with unit.as_viewer(home) as there:
        await people.register_person(there, name=person.partition(":")[2], timezone="UTC")


async def ensure_member(unit: Unit) -> None:
    """Raise `NotFound` unless the viewer is a member of the space, as if it did not exist."""
    place = unit.viewer.place
    if place != personal_space(unit.viewer.person) and place not in {space.id for space in await own_spaces(unit)}:
        raise NotFound(Refusal.SPACE_NOT_FOUND, field="space_id")
