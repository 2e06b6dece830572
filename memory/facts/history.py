"""What was known when: the versions of a fact, the state of a moment, and the way back."""

from dataclasses import replace
from datetime import datetime

from db.queries.facts import facts as queries
from db.queries.facts.facts import FactRow
from db.queries.people.spaces import spaces_of
from db.viewer import personal_space
from db.vocabulary import ONE_VALUE, Approval, Visibility
from memory.errors import NotFound, Refused
from memory.facts.facts import append, ensure_wanted, known_words, own_facts, state
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt, ReceiptKind
from memory.unit import Unit


async def history(unit: Unit, fact_id: str) -> list[FactRow]:
    """Every version that this viewer may read, oldest first, also of a fact that waits for the purge."""
    versions = await unit.vault.opened(await queries.versions_of(unit.session, unit.viewer, [fact_id]))
    if not versions:
        raise NotFound("There is no such fact.")
    return versions


async def as_of(unit: Unit, moment: datetime) -> list[FactRow]:
    """What was remembered at a moment, in snapshot order."""
    return await unit.vault.opened(await queries.facts_as_of(unit.session, unit.viewer, moment))


async def undoable_version(unit: Unit, fact_id: str) -> int | None:
    """The version of one of the viewer's facts whose change can be taken back, if there is one."""
    last = await queries.last_change(unit.session, unit.viewer, fact_id=fact_id)
    return last.version if last else None


async def undo(unit: Unit, fact_id: str | None = None, version: int | None = None) -> Receipt:
    """Take back the viewer's last change, or one named change while nothing was built on it."""
    await lock_facts(unit)
    last = await queries.last_change(unit.session, unit.viewer, fact_id=fact_id)
    if last is None or version not in (None, last.version):
        raise NotFound("There is nothing to undo.")
    versions = await history(unit, last.id)
    present, earlier = versions[-1], [row for row in versions if row.version == last.version - 1]
    goal = earlier[0] if earlier else replace(present, forgotten=True)
    return await _return_to(unit, present, goal, undoes=last.version)


async def restore(unit: Unit, fact_id: str, version: int | None = None) -> Receipt:
    """Bring a deleted fact back, or give one the words of an earlier version."""
    await lock_facts(unit)
    versions = await history(unit, fact_id)
    present = versions[-1]
    if present.owner != unit.viewer.user:
        raise NotFound("There is no such fact.")
    if version is None:
        goal = replace(present, forgotten=False)
    else:
        goal = next((row for row in versions if row.version == version), present)
        if goal.version != version:
            raise NotFound("There is no such version.")
        goal = replace(goal, forgotten=False, visibility=present.visibility, space=present.space)
    return await _return_to(unit, present, goal, undoes=None)


async def _return_to(unit: Unit, present: FactRow, goal: FactRow, *, undoes: int | None) -> Receipt:
    """One more version, in the state of another. Shared again is only what was shared in a space they still are in."""
    if goal.visibility == Visibility.SHARED:
        mine = {space.id for space in await spaces_of(unit.session, unit.viewer)}
        if goal.space not in mine:
            home = personal_space(unit.viewer.person)
            goal = replace(goal, visibility=Visibility.PRIVATE, space=home)
    if present.forgotten and not goal.forgotten:
        await ensure_wanted(unit, present.category)
        await _ensure_free(unit, present, goal)
    new = replace(state(goal, Approval.COMMAND), undoes=undoes, author=unit.viewer.person)
    if undoes is None and _what(present) == _what(goal):
        return Receipt(ReceiptKind.KNOWN, present)
    row = await append(unit, present, new)
    return Receipt(change_of(present, row), row, present, undoes=undoes is not None)


async def _ensure_free(unit: Unit, row: FactRow, goal: FactRow) -> None:
    """What comes back must not stand beside its like."""
    if row.attribute in ONE_VALUE and any(other.attribute == row.attribute for other in await own_facts(unit)):
        raise Refused("There is another {attribute} by now; delete that one first.", attribute=row.attribute)
    if same := await known_words(unit, goal.words, row.attribute):
        raise Refused("This is remembered already, under [{id}].", id=same.id)


def _what(row: FactRow) -> tuple[object, ...]:
    return row.words, row.subject, row.visibility, row.space, row.forgotten


def change_of(before: FactRow | None, row: FactRow) -> ReceiptKind:
    """What a version changed of the one before it."""
    if before is None:
        return ReceiptKind.STORED
    if before.forgotten != row.forgotten:
        return ReceiptKind.FORGOTTEN if row.forgotten else ReceiptKind.RESTORED
    if (before.visibility, before.space) != (row.visibility, row.space):
        return ReceiptKind.SHARED if row.visibility == Visibility.SHARED else ReceiptKind.UNSHARED
    return ReceiptKind.CHANGED
