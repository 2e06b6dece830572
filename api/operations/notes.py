"""Applies the consent checks of the assistant's own notes to the decisions and tasks of external agents."""

from collections.abc import Iterator
from contextlib import contextmanager

from api.api_call import ApiCall
from memory import Scope
from memory.errors import Refused
from memory.model.tools.base import Caller as ToolCaller
from memory.model.tools.ledger_entries import ensure_allowed
from memory.people.people import choices_of
from memory.refusals import Refusal
from memory.unit import Unit


async def ensure_note_allowed(call: ApiCall, unit: Unit, words: str) -> None:
    """Refuse a note that repeats what the owner has forgotten or rejected.

    The check runs in private whatever the call's channel, because forgotten and rejected facts are not visible in
    shared channels. The key belongs to this owner, so the refusal reveals nothing that it may not read.
    """
    with conceal_refusals(call, Refusal.NOTE_NOT_ALLOWED):
        async with unit.in_private() as private:
            await ensure_allowed(private, await tool_caller(call, private), words)


@contextmanager
def conceal_refusals(call: ApiCall, instead: Refusal) -> Iterator[None]:
    """Replace the reason of a refusal for keys without read access: it would reveal what is stored or was forgotten."""
    try:
        yield
    except Refused:
        if call.caller.has_scope(Scope.READ):
            raise
        raise Refused(instead) from None


async def tool_caller(call: ApiCall, unit: Unit) -> ToolCaller:
    """Return an external agent as a caller of the assistant's tools, in a turn without a message of the owner."""
    return ToolCaller(call.caller.runtime.memory, unit.viewer, "", "", call.now, await choices_of(unit))
