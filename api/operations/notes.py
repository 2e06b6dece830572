"""What an agent from outside notes, decisions and tasks, passes the gate of the assistant's own notes."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.call import ApiCall
from memory import Scope
from memory.errors import Refused
from memory.model.tools.base import Caller as Toolwise
from memory.model.tools.notes import ensure_own
from memory.people.people import choices_of
from memory.unit import Unit


async def ensure_no_way_around(call: ApiCall, unit: Unit, words: str) -> None:
    """Aloud, what the owner had forgotten or said no to is not to be seen; so it is looked at as they alone see it, in
    whatever channel an agent notes something. Its key is for them, so nothing is told that it could not hear."""
    with told_to_readers(call, "Not kept: this user has not agreed to that."):
        async with unit.in_private() as private:
            await ensure_own(private, await toolwise(call, private), words)


@contextmanager
def told_to_readers(call: ApiCall, others: str) -> Iterator[None]:
    """Why something is refused tells what is kept or was forgotten. Who may not read hears the same in every case."""
    try:
        yield
    except Refused:
        if call.caller.may(Scope.READ):
            raise
        raise Refused(others) from None


async def toolwise(call: ApiCall, unit: Unit) -> Toolwise:
    """An agent from outside, as the tools of the assistant see one: there is no message of the owner's in this turn."""
    return Toolwise(call.caller.runtime.memory, unit.viewer, "", "", call.now, await choices_of(unit))
