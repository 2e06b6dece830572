"""What an agent from outside notes, decisions and tasks, passes the gate of the assistant's own notes."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.call import Call
from db.queries.people import choices_of
from db.vocabulary import Scope
from memory.errors import Refused
from memory.tools.base import Caller as Toolwise
from memory.tools.notes import ensure_own
from memory.unit import Unit


async def ensure_no_way_around(call: Call, unit: Unit, words: str) -> None:
    """Aloud, what the owner had forgotten or said no to is not to be seen; so it is looked at as they alone see it, in
    whatever channel an agent notes something. Its key is for them, so nothing is told that it could not hear."""
    with told_to_readers(call, "Not kept: this user has not agreed to that."):
        async with unit.alone() as alone:
            await ensure_own(alone, await toolwise(call, alone), words)


@contextmanager
def told_to_readers(call: Call, others: str) -> Iterator[None]:
    """Why something is refused tells what is kept or was forgotten. Who may not read hears the same in every case."""
    try:
        yield
    except Refused:
        if call.caller.may(Scope.READ):
            raise
        raise Refused(others) from None


async def toolwise(call: Call, unit: Unit) -> Toolwise:
    """An agent from outside, as the tools of the assistant see one: there is no message of the owner's in this turn."""
    choices = await choices_of(unit.session, unit.viewer)
    return Toolwise(call.caller.house.memory, unit.viewer, "", "", call.now, choices)
