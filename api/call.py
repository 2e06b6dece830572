"""One call: who makes it, for whom, and, where it names itself, done once."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any, TypeVar

from pydantic import BaseModel

from api.caller import Caller, no_key
from api.problems import Problem
from db.queries import requests
from db.queries.people import hold, welcome
from db.viewer import Viewer, personal_space
from memory.errors import KeyMissing, NotFound
from memory.keys import AGENT_ITSELF, API_USER, Bearer
from memory.spaces import mine
from memory.unit import Unit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered: the first time, and in the same words when the same write comes again."""

    body: dict[str, Any]
    status: int = HTTPStatus.OK
    headers: dict[str, str] = field(default_factory=dict)
    forgets: bool = False
    """Whether something is forgotten with it: then these words are not kept, nor that person's last words in RAM."""

    @classmethod
    def of(cls, body: BaseModel, status: int = HTTPStatus.OK, **headers: str) -> "Answer":
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(body.model_dump(mode="json"), status, named)


@dataclass(frozen=True, slots=True)
class Call:
    caller: Caller
    name: str | None = None
    """The idempotency key, if there is one."""
    fingerprint: bytes = b""
    """Of all that was asked, so that one name is not used for two things."""
    named_by: str = "Idempotency-Key"
    """What carries the name."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    async def read(self, viewer: Viewer, work: Callable[[Unit], Awaitable[T]]) -> T:
        async with self.caller.house.memory.unit(viewer, now=self.now, read_only=True) as unit:
            await ensure_member(unit)
            return await work(unit)

    async def write(self, viewer: Viewer, work: Callable[[Unit], Awaitable[Answer]]) -> Answer:
        """One transaction. A repetition waits for the first to end and does nothing; what was refused may be tried
        again under the same name, and what came in another's way is tried once more. Of a write that forgets, only that
        it was done is kept."""

        async def admitted(unit: Unit) -> Answer:
            await make_known(unit, self.caller.bearer)
            await ensure_member(unit)
            return await (work(unit) if self.name is None else self._once(unit, self.name, work))

        answer = await self.caller.house.memory.write(viewer, admitted, now=self.now)
        if answer.forgets:
            self.caller.house.recent.forget_person(viewer.person)
        return answer

    async def _once(self, unit: Unit, name: str, work: Callable[[Unit], Awaitable[Answer]]) -> Answer:
        named = {"key_id": self.caller.bearer.admission.key_id, "name": name}
        if not await requests.begin_request(unit.session, unit.viewer, **named, hash=self.fingerprint, now=self.now):
            return await self._answered_before(unit, **named)
        with suppress(KeyMissing):  # a first one is a change of the user's row, which comes before all others
            await unit.vault.own_key()
        answer = await work(unit)
        sealed = None if answer.forgets else await _sealed(unit, _place(**named), answer)
        await requests.keep_answer(unit.session, unit.viewer, **named, status=answer.status, answer=sealed)
        return answer

    async def _answered_before(self, unit: Unit, key_id: str, name: str) -> Answer:
        before = await requests.request_before(unit.session, unit.viewer, key_id=key_id, name=name)
        if before is None or before.hash != self.fingerprint:
            raise Problem.about(self.named_by, "This name was used for another request. Choose a new one.")
        told = await unit.vault.open(unit.viewer.person, _place(key_id, name), before.answer) if before.answer else None
        if told is None or before.status is None:
            raise Problem(HTTPStatus.GONE, "This was done before. What was answered then is not kept.")
        return Answer(told["body"], before.status, {**told["headers"], "Idempotency-Replayed": "true"})


async def make_known(unit: Unit, bearer: Bearer) -> None:
    """Users of the API, and agents that write for themselves, are known from their first write on. A person of a chat
    must have come by themselves; and somebody's own key is nobody's once they were erased, also for a call that had
    been let in before."""
    person = unit.viewer.person
    if await hold(unit.session, unit.viewer):
        return
    if bearer.admission.user is not None:
        raise no_key()
    if not person.startswith((API_USER, AGENT_ITSELF)):
        raise NotFound("There is no such user.", field="user_id")
    home = Viewer.in_private(unit.viewer.tenant, person)
    async with unit.elsewhere(home) as there:
        await welcome(there.session, home, name=person.partition(":")[2], timezone="UTC", now=unit.now)


async def ensure_member(unit: Unit) -> None:
    """A space that the viewer is not in looks as if there were none."""
    place = unit.viewer.place
    if place != personal_space(unit.viewer.person) and place not in {space.id for space in await mine(unit)}:
        raise NotFound("There is no such space.", field="space_id")


async def _sealed(unit: Unit, place: str, answer: Answer) -> bytes | None:
    """Nothing where there is no key to seal it with: that the write was done is enough to do it once."""
    try:
        return await unit.vault.seal(place, {"body": answer.body, "headers": answer.headers})
    except KeyMissing:
        return None


def _place(key_id: str, name: str) -> str:
    return f"{key_id}\0{name}"
