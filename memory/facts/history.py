"""The history of facts: their versions, the facts at a moment, undo and restore."""

from dataclasses import replace
from datetime import datetime

from db.queries.facts import facts as queries
from db.queries.facts.facts import FactRow
from db.queries.people.spaces import spaces_of
from db.viewer import personal_space
from db.vocabulary import ONE_VALUE, Approval, Attribute, Visibility
from memory.errors import NotFound, Refused
from memory.facts.facts import append_version, ensure_category_allowed, fact_with_words, own_facts, unchanged_version
from memory.facts.lock import lock_facts
from memory.facts.receipts import Receipt, ReceiptKind
from memory.refusals import Refusal
from memory.unit import Unit


async def history(unit: Unit, fact_id: str) -> list[FactRow]:
    """Every version that the viewer may read, oldest first, also of a hidden fact."""
    versions = await unit.vault.open_rows(await queries.versions_of(unit.session, unit.viewer, [fact_id]))
    if not versions:
        raise NotFound(Refusal.FACT_NOT_FOUND)
    return versions


async def as_of(unit: Unit, moment: datetime) -> list[FactRow]:
    """The facts known at a moment, in snapshot order."""
    return await unit.vault.open_rows(await queries.facts_as_of(unit.session, unit.viewer, moment))


async def undoable_version(unit: Unit, fact_id: str) -> int | None:
    """The version of one of the viewer's facts that can be undone, if any."""
    last = await queries.last_change(unit.session, unit.viewer, fact_id=fact_id)
    return last.version if last else None


async def undo(unit: Unit, fact_id: str | None = None, version: int | None = None) -> Receipt:
    """Undo the viewer's last change, or the given one if it is still the last."""
    await lock_facts(unit)
    last = await queries.last_change(unit.session, unit.viewer, fact_id=fact_id)
    if last is None or version not in (None, last.version):
        raise NotFound(Refusal.NOTHING_TO_UNDO)
    versions = await history(unit, last.id)
    present, earlier = versions[-1], [row for row in versions if row.version == last.version - 1]
    target = earlier[0] if earlier else replace(present, forgotten=True)
    return await _return_to(unit, present, target, undoes=last.version)


async def restore(unit: Unit, fact_id: str, version: int | None = None) -> Receipt:
    """Restore a deleted fact, or the words of an earlier version."""
    await lock_facts(unit)
    versions = await history(unit, fact_id)
    present = versions[-1]
    if present.owner != unit.viewer.user:
        raise NotFound(Refusal.FACT_NOT_FOUND)
    if version is None:
        target = replace(present, forgotten=False)
    else:
        target = next((row for row in versions if row.version == version), present)
        if target.version != version:
            raise NotFound(Refusal.VERSION_NOT_FOUND)
        target = replace(target, forgotten=False, visibility=present.visibility, space=present.space)
    return await _return_to(unit, present, target, undoes=None)


async def _return_to(unit: Unit, present: FactRow, target: FactRow, *, undoes: int | None) -> Receipt:
    """Append a version in the state of another. It stays shared only if the owner is still a member of that space."""
    if target.visibility == Visibility.SHARED:
        mine = {space.id for space in await spaces_of(unit.session, unit.viewer)}
        if target.space not in mine:
            home = personal_space(unit.viewer.person)
            target = replace(target, visibility=Visibility.PRIVATE, space=home)
    if present.forgotten and not target.forgotten:
        await ensure_category_allowed(unit, present.category)
        await _ensure_no_duplicate(unit, present, target)
    new = replace(unchanged_version(target, Approval.COMMAND), undoes=undoes, author=unit.viewer.person)
    if undoes is None and _visible_state(present) == _visible_state(target):
        return Receipt(ReceiptKind.KNOWN, present)
    row = await append_version(unit, present, new)
    return Receipt(change_of(present, row), row, present, undoes=undoes is not None)


async def _ensure_no_duplicate(unit: Unit, row: FactRow, target: FactRow) -> None:
    """Refuse to restore a fact if an equal one was stored meanwhile."""
    if row.attribute in ONE_VALUE and any(other.attribute == row.attribute for other in await own_facts(unit)):
        raise Refused(Refusal.ATTRIBUTE_TAKEN, attribute=Attribute(row.attribute))
    if same := await fact_with_words(unit, target.words, row.attribute):
        raise Refused(Refusal.RESTORE_KNOWN, id=same.id)


def _visible_state(row: FactRow) -> tuple[object, ...]:
    return row.words, row.subject, row.visibility, row.space, row.forgotten


def change_of(before: FactRow | None, row: FactRow) -> ReceiptKind:
    if before is None:
        return ReceiptKind.STORED
    if before.forgotten != row.forgotten:
        return ReceiptKind.FORGOTTEN if row.forgotten else ReceiptKind.RESTORED
    if (before.visibility, before.space) != (row.visibility, row.space):
        return ReceiptKind.SHARED if row.visibility == Visibility.SHARED else ReceiptKind.UNSHARED
    return ReceiptKind.CHANGED
