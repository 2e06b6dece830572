"""One call: who makes it, for whom, and, where it names itself, done once."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel

from api.caller import ApiCaller, no_key
from api.problems import Problem
from memory import Viewer, personal_space
from memory.errors import NotFound
from memory.people import idempotency, people
from memory.people.idempotency import NamedWrite
from memory.people.keys import AGENT_ITSELF, API_USER, Bearer
from memory.people.spaces import mine
from memory.unit import Unit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """What is answered: the first time, and in the same words when the same write comes again."""

    body: dict[str, Any]
    status: int = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)
    forgets: bool = False
    """Whether something is forgotten with it: then these words are not kept, nor that person's last words in RAM."""

    @classmethod
    def of(cls, body: BaseModel, status: int = HTTPStatus.OK, **headers: str) -> "ApiAnswer":
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(body.model_dump(mode="json"), status, named)


@dataclass(frozen=True, slots=True)
class ApiCall:
    caller: ApiCaller
    name: str | None = None
    """The idempotency key, if there is one."""
    fingerprint: bytes = b""
    """Of all that was asked, so that one name is not used for two things."""
    named_by: str = "Idempotency-Key"
    """What carries the name."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def read(self, viewer: Viewer, work: Callable[[Unit], Awaitable[T]]) -> T:
        async with self.caller.runtime.memory.unit(viewer, now=self.now, read_only=True) as unit:
            await ensure_member(unit)
            return await work(unit)

    async def write(self, viewer: Viewer, work: Callable[[Unit], Awaitable[ApiAnswer]]) -> ApiAnswer:
        """One transaction. A repetition waits for the first to end and does nothing; what was refused may be tried
        again under the same name, and what came in another's way is tried once more. Of a write that forgets, only that
        it was done is kept."""

        async def admitted(unit: Unit) -> ApiAnswer:
            await make_known(unit, self.caller.bearer)
            await ensure_member(unit)
            return await (work(unit) if self.name is None else self._once(unit, self.name, work))

        answer = await self.caller.runtime.memory.write(viewer, admitted, now=self.now)
        if answer.forgets:
            self.caller.runtime.recent.forget_person(viewer.person)
        return answer

    async def _once(self, unit: Unit, name: str, work: Callable[[Unit], Awaitable[ApiAnswer]]) -> ApiAnswer:
        write = NamedWrite(self.caller.bearer.admission.key_id, name, self.fingerprint)
        if not await idempotency.begin(unit, write):
            return await self._answered_before(unit, write)
        answer = await work(unit)
        kept = None if answer.forgets else {"body": answer.body, "headers": answer.headers}
        await idempotency.finish(unit, write, answer.status, kept)
        return answer

    async def _answered_before(self, unit: Unit, write: NamedWrite) -> ApiAnswer:
        before = await idempotency.earlier(unit, write)
        if not before.is_same:
            raise Problem.about(self.named_by, "This name was used for another request. Choose a new one.")
        if before.answer is None or before.status is None:
            raise Problem(HTTPStatus.GONE, "This was done before. What was answered then is not kept.")
        headers = {**before.answer["headers"], "Idempotency-Replayed": "true"}
        return ApiAnswer(before.answer["body"], before.status, headers)


async def make_known(unit: Unit, bearer: Bearer) -> None:
    """Users of the API, and agents that write for themselves, are known from their first write on. A person of a chat
    must have come by themselves; and somebody's own key is nobody's once they were erased, also for a call that had
    been let in before."""
    person = unit.viewer.person
    if await people.hold(unit):
        return
    if bearer.admission.user is not None:
        raise no_key()
    if not person.startswith((API_USER, AGENT_ITSELF)):
        raise NotFound("There is no such user.", field="user_id")
    home = Viewer.in_private(unit.viewer.tenant, person)
    async with unit.as_viewer(home) as there:
        await people.welcome(there, name=person.partition(":")[2], timezone="UTC")


async def ensure_member(unit: Unit) -> None:
    """A space that the viewer is not in looks as if there were none."""
    place = unit.viewer.place
    if place != personal_space(unit.viewer.person) and place not in {space.id for space in await mine(unit)}:
        raise NotFound("There is no such space.", field="space_id")
