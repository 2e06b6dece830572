"""What was known when, and the way back: versions, moments, undo and restore, also when many write at once."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import psycopg
import pytest

from db.engine import Database
from db.queries.facts.facts import FactRow
from db.queries.facts.snapshots import pinned_facts
from db.queries.privacy.audit import audit_of
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Attribute, Category, EventKind, ProposalKind
from memory.context.build import build_bundle
from memory.context.snapshot import pin_snapshot
from memory.errors import NotFound, Refused
from memory.events.record import EventDraft as Said
from memory.events.record import PreparedEvent, prepare, record
from memory.facts import facts, history, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt, ReceiptKind
from memory.facts.search import search
from memory.people import spaces
from memory.unit import Memory, Unit
from tests.conftest import NOON, Converse, wait_until_blocked

HOUR = timedelta(hours=1)
MAT, SHED, POT = "the key is under the mat", "the key is in the shed", "the key is in the flower pot"
T = TypeVar("T")
Change = Callable[[Unit], Awaitable[T]]


async def do(memory: Memory, viewer: Viewer, change: Change[T], now: datetime | None = None) -> T:
    async with memory.unit(viewer, now=now) as unit:
        return await change(unit)


def remember(content: str, **given: Any) -> Change[Receipt]:
    return lambda unit: facts.remember(unit, FactDraft(content, Category.OTHER, **given), Approval.ORDER)


def revise(fact_id: str, content: str) -> Change[Receipt]:
    return lambda unit: facts.revise(unit, fact_id, FactDraft(content, Category.OTHER), Approval.COMMAND)


def hide(fact_id: str) -> Change[Receipt]:
    return lambda unit: facts.hide(unit, fact_id, Approval.COMMAND)


def share(fact_id: str) -> Change[Receipt]:
    return lambda unit: facts.share(unit, fact_id)


def unshare(fact_id: str) -> Change[Receipt]:
    return lambda unit: facts.unshare(unit, fact_id)


def restore(fact_id: str, version: int | None = None) -> Change[Receipt]:
    return lambda unit: history.restore(unit, fact_id, version)


def undo(fact_id: str | None = None, version: int | None = None) -> Change[Receipt]:
    return lambda unit: history.undo(unit, fact_id, version)


async def versions(memory: Memory, viewer: Viewer, fact_id: str) -> list[FactRow]:
    return await do(memory, viewer, lambda unit: history.history(unit, fact_id))


async def words(memory: Memory, viewer: Viewer) -> list[str]:
    return [row.words for row in await do(memory, viewer, facts.all_facts)]


def state(row: FactRow) -> tuple[object, ...]:
    return row.content, row.subject, row.visibility, row.space, row.forgotten


@pytest.fixture
async def at_home(memory: Memory, ada: Viewer) -> Viewer:
    """Ada in a space that she founded."""
    return replace(ada, space=await do(memory, ada, lambda unit: spaces.create_space(unit, "home")))


async def test_history_tells_every_version_oldest_first_also_of_what_is_hidden(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, ada, hide(fact_id))

    rows = await versions(memory, ada, fact_id)
    assert [(row.version, row.content, row.forgotten) for row in rows] == [
        (1, MAT, False),
        (2, SHED, False),
        (3, SHED, True),
    ]


async def test_a_moment_shows_what_was_known_then(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT), NOON)).row.id
    await do(memory, ada, revise(fact_id, SHED), NOON + HOUR)
    await do(memory, ada, hide(fact_id), NOON + 2 * HOUR)
    await do(memory, ada, restore(fact_id), NOON + 3 * HOUR)
    just = timedelta(microseconds=1)
    expected = [
        (NOON - just, []),
        (NOON, [MAT]),
        (NOON + HOUR - just, [MAT]),
        (NOON + HOUR, [SHED]),
        (NOON + 2 * HOUR, []),
        (NOON + 3 * HOUR, [SHED]),
        (NOON + 1000 * HOUR, [SHED]),
    ]
    for moment, known in expected:
        rows = await do(memory, ada, lambda unit, moment=moment: history.as_of(unit, moment))  # type: ignore[misc]
        assert [row.content for row in rows] == known


async def test_the_past_of_another_person_is_not_told(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT), NOON)).row.id

    assert await do(memory, ben, lambda unit: history.as_of(unit, NOON + HOUR)) == []
    with pytest.raises(NotFound):
        await versions(memory, ben, fact_id)


@pytest.mark.parametrize("writers", [2, 10])
async def test_writers_at_once_number_the_versions_of_a_fact_without_gap_or_double(
    app_url: str, memory: Memory, ada: Viewer, writers: int
) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    pools = [Database(app_url, pool_size=1) for _ in range(writers)]

    async def write(writer: int) -> None:
        for turn in range(5):
            await do(replace(memory, database=pools[writer]), ada, revise(fact_id, f"key {turn} of writer {writer}"))

    await asyncio.gather(*map(write, range(writers)))
    for pool in pools:
        await pool.close()

    rows = await versions(memory, ada, fact_id)
    assert [row.version for row in rows] == list(range(1, 5 * writers + 2))
    assert sorted(row.words for row in rows[1:]) == sorted(
        f"key {turn} of writer {writer}" for turn in range(5) for writer in range(writers)
    )
    assert [row.updated_at for row in rows] == sorted(row.updated_at for row in rows)


async def all_at_once(superuser_url: str, fact_id: str, *changes: Coroutine[Any, Any, Receipt]) -> None:
    """Lets writers begin in this order while the fact is held, so that none can see what another did, then lets go."""
    begun = []
    with psycopg.connect(superuser_url) as holder:
        holder.execute("SELECT FROM facts WHERE id = %s FOR UPDATE", (fact_id,))
        for change in changes:
            begun.append(asyncio.create_task(change))
            await asyncio.to_thread(wait_until_blocked, superuser_url, len(begun))
        holder.rollback()
    for end in await asyncio.gather(*begun, return_exceptions=True):
        assert isinstance(end, Receipt | NotFound), end


@pytest.mark.parametrize("first", ["hide", "revise"])
async def test_a_change_at_the_same_time_does_not_bring_back_what_is_deleted(
    memory: Memory, ada: Viewer, superuser_url: str, first: str
) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    changes = [do(memory, ada, hide(fact_id)), do(memory, ada, revise(fact_id, SHED))]
    await all_at_once(superuser_url, fact_id, *(changes if first == "hide" else reversed(changes)))

    assert await words(memory, ada) == []
    newest = (await versions(memory, ada, fact_id))[-1]
    assert (newest.forgotten, newest.content) == (True, MAT if first == "hide" else SHED)


@pytest.mark.parametrize("first", ["sharing", "words"])
@pytest.mark.parametrize("change", [share, unshare])
async def test_sharing_and_new_words_at_the_same_time_both_hold(
    memory: Memory,
    ada: Viewer,
    at_home: Viewer,
    superuser_url: str,
    change: Callable[[str], Change[Receipt]],
    first: str,
) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    if change is unshare:
        await do(memory, at_home, share(fact_id))
    changes = [do(memory, at_home, change(fact_id)), do(memory, ada, revise(fact_id, SHED))]
    await all_at_once(superuser_url, fact_id, *(changes if first == "sharing" else reversed(changes)))

    newest = (await versions(memory, ada, fact_id))[-1]
    assert (newest.content, newest.visibility) == (SHED, "shared" if change is share else "private")


UNDONE = {
    "changed": ReceiptKind.CHANGED,
    "forgotten": ReceiptKind.RESTORED,
    "shared": ReceiptKind.UNSHARED,
    "unshared": ReceiptKind.SHARED,
    "restored": ReceiptKind.FORGOTTEN,
}


@pytest.mark.parametrize("changed", list(UNDONE))
async def test_every_change_can_be_taken_back(memory: Memory, at_home: Viewer, changed: str) -> None:
    fact_id = (await do(memory, at_home, remember(MAT))).row.id
    if changed == "unshared":
        await do(memory, at_home, share(fact_id))
    if changed == "restored":
        await do(memory, at_home, hide(fact_id))
    before = (await versions(memory, at_home, fact_id))[-1]
    change = {
        "changed": revise(fact_id, SHED),
        "forgotten": hide(fact_id),
        "shared": share(fact_id),
        "unshared": unshare(fact_id),
        "restored": restore(fact_id),
    }[changed]
    assert (await do(memory, at_home, change)).can_be_undone

    receipt = await do(memory, at_home, undo())
    assert (receipt.kind, receipt.can_be_undone) == (UNDONE[changed], False)
    assert (receipt.row.id, receipt.row.version, receipt.row.undoes) == (
        fact_id,
        before.version + 2,
        before.version + 1,
    )
    assert state((await versions(memory, at_home, fact_id))[-1]) == state(before)


async def test_what_was_stored_is_taken_back_by_forgetting_it(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    receipt = await do(memory, ada, undo())

    assert (receipt.kind, receipt.row.id) == (ReceiptKind.FORGOTTEN, fact_id)
    assert await words(memory, ada) == []


async def test_undo_goes_one_change_further_back_each_time_and_never_toggles(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, remember("the shed is green"))
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, ada, revise(fact_id, POT))
    seen = []
    for _ in range(4):
        await do(memory, ada, undo())
        seen.append(sorted(await words(memory, ada)))
    with pytest.raises(NotFound):
        await do(memory, ada, undo())

    assert seen == [[SHED, "the shed is green"], [MAT, "the shed is green"], [MAT], []]


async def test_a_new_change_after_an_undo_is_the_next_to_be_undone(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, ada, undo())
    await do(memory, ada, revise(fact_id, POT))
    seen = []
    for _ in range(2):
        await do(memory, ada, undo())
        seen.append(await words(memory, ada))

    assert seen == [[MAT], []]


async def test_a_named_change_is_undone_only_while_nothing_was_built_on_it(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, ada, remember("the shed is green"))
    for version in (1, 3):
        with pytest.raises(NotFound):
            await do(memory, ada, undo(fact_id, version))
    receipt = await do(memory, ada, undo(fact_id, 2))
    for version in (2, 3):
        with pytest.raises(NotFound):
            await do(memory, ada, undo(fact_id, version))

    assert (receipt.kind, receipt.row.content) == (ReceiptKind.CHANGED, MAT)
    assert (await do(memory, ada, undo(fact_id, 1))).kind == ReceiptKind.FORGOTTEN
    assert await words(memory, ada) == ["the shed is green"]


async def test_after_the_first_version_is_undone_only_a_restoration_can_be(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, undo(fact_id))
    with pytest.raises(NotFound):
        await do(memory, ada, undo(fact_id))
    again = await do(memory, ada, remember(MAT))
    assert (again.kind, again.row.id) == (ReceiptKind.RESTORED, fact_id)

    assert (await do(memory, ada, undo(fact_id))).kind == ReceiptKind.FORGOTTEN
    with pytest.raises(NotFound):
        await do(memory, ada, undo(fact_id))
    assert await words(memory, ada) == []


async def test_an_undo_tells_no_change_that_it_did_not_make(memory: Memory, ada: Viewer, at_home: Viewer) -> None:
    """Unshared in the private chat, and taken back there: its owner is still a member of that space."""
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, at_home, share(fact_id))
    await do(memory, ada, unshare(fact_id))
    receipt = await do(memory, ada, undo())

    assert (receipt.kind, receipt.row.visibility) == (ReceiptKind.SHARED, "shared")


async def test_what_was_shared_in_a_space_that_its_owner_left_comes_back_private(
    memory: Memory, ada: Viewer, at_home: Viewer
) -> None:
    fact_id = (await do(memory, at_home, remember(MAT))).row.id
    await do(memory, at_home, share(fact_id))
    await do(memory, at_home, revise(fact_id, SHED))
    await do(memory, at_home, spaces.leave_space)
    row = (await do(memory, ada, undo())).row

    assert (row.content, row.visibility, row.space) == (MAT, "private", ada.space)


async def test_a_deleted_fact_is_restored_and_what_is_there_is_known(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, hide(fact_id))
    kinds = [(await do(memory, ada, restore(fact_id))).kind for _ in range(2)]

    assert kinds == [ReceiptKind.RESTORED, ReceiptKind.KNOWN]
    assert await words(memory, ada) == [MAT]
    assert len(await versions(memory, ada, fact_id)) == 3


@pytest.mark.parametrize("deleted", [False, True])
async def test_the_words_of_an_earlier_version_come_back_as_a_new_one(
    memory: Memory, ada: Viewer, at_home: Viewer, deleted: bool
) -> None:
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, at_home, share(fact_id))
    if deleted:
        await do(memory, ada, hide(fact_id))
    receipt = await do(memory, ada, restore(fact_id, 1))
    with pytest.raises(NotFound):
        await do(memory, ada, restore(fact_id, 99))

    assert receipt.kind == (ReceiptKind.RESTORED if deleted else ReceiptKind.CHANGED)
    rows = await versions(memory, ada, fact_id)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    assert (rows[-1].content, rows[-1].visibility) == (MAT, "shared")
    assert (rows[-1].author, rows[-1].approval) == (ada.user, Approval.COMMAND)


@pytest.mark.parametrize("back", [restore, lambda fact_id: undo(fact_id, 2)])
async def test_a_value_is_not_brought_back_beside_the_one_that_replaced_it(
    memory: Memory, ada: Viewer, back: Callable[[str], Change[Receipt]]
) -> None:
    oslo = (await do(memory, ada, remember("lives in Oslo", attribute=Attribute.LOCATION))).row.id
    await do(memory, ada, hide(oslo))
    paris = (await do(memory, ada, remember("lives in Paris", attribute=Attribute.LOCATION))).row.id
    with pytest.raises(Refused, match="I remember something else under “location” by now"):
        await do(memory, ada, back(oslo))
    assert await words(memory, ada) == ["lives in Paris"]

    await do(memory, ada, hide(paris))
    await do(memory, ada, back(oslo))
    assert await words(memory, ada) == ["lives in Oslo"]


async def test_a_clock_that_was_set_back_does_not_turn_history_around(memory: Memory, ada: Viewer) -> None:
    fact_id = (await do(memory, ada, remember(MAT), NOON)).row.id
    await do(memory, ada, revise(fact_id, SHED), NOON - HOUR)
    await do(memory, ada, hide(fact_id), NOON - 2 * HOUR)
    await do(memory, ada, restore(fact_id), NOON + HOUR)
    await do(memory, ada, revise(fact_id, POT), NOON - 3 * HOUR)

    rows = await versions(memory, ada, fact_id)
    assert [row.version for row in rows] == [1, 2, 3, 4, 5]
    assert [row.updated_at for row in rows] == [NOON, NOON, NOON, NOON + HOUR, NOON + HOUR]
    assert [row.content for row in await do(memory, ada, lambda unit: history.as_of(unit, NOON + HOUR))] == [POT]
    assert (await do(memory, ada, undo(), NOON - 4 * HOUR)).row.content == SHED


def said(text: str, actor: ActorType = ActorType.HUMAN) -> PreparedEvent:
    return prepare(Said(actor, "someone", EventKind.MESSAGE, {"text": text}), NOON)


async def request_of(memory: Memory, viewer: Viewer, conversation: str) -> str:
    """What the model would read, besides its instructions."""
    bundle = await build_bundle(memory, None, viewer, conversation, "and now, where is the key?", now=NOON)
    return str(bundle.sections)


async def test_a_deleted_fact_is_nowhere(memory: Memory, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)
    asked = said("Buy milk. Where I hide things: the key is under the mat.")
    told = remember(MAT, source_event_id=asked.event.id, span=(10, 56))
    answered = said("Noted. The key is under your mat. Good night.", ActorType.AGENT)
    await do(memory, ada, lambda unit: record(unit, conversation, [asked, answered]))
    row = (await do(memory, ada, told)).row
    await do(memory, ada, lambda unit: pin_snapshot(unit, conversation))
    new = FactDraft(SHED, Category.OTHER)
    await do(memory, ada, lambda unit: proposals.propose(unit, ProposalKind.UPDATE, new, row))
    assert (await request_of(memory, ada, conversation)).count(MAT) == 2
    await do(memory, ada, hide(row.id))

    assert await do(memory, ada, facts.all_facts) == []
    assert await do(memory, ada, lambda unit: search(unit, "key mat", limit=5)) == []
    assert await do(memory, ada, lambda unit: pinned_facts(unit.session, ada, conversation)) == []
    assert await do(memory, ada, proposals.waiting_cards) == []
    request = await request_of(memory, ada, conversation)
    assert not [word for word in ("key", "under", "hide things", row.id) if word in request]
    assert "Buy milk." in request
    assert "Good night." in request


async def test_earlier_words_of_a_deleted_fact_are_blank_in_the_conversation_too(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    messages = [said(f"{MAT}, says Bo"), said(f"No: {SHED}")]
    await do(memory, ada, lambda unit: record(unit, conversation, messages))
    fact_id = (await do(memory, ada, remember(MAT))).row.id
    await do(memory, ada, revise(fact_id, SHED))
    await do(memory, ada, hide(fact_id))

    request = await request_of(memory, ada, conversation)
    assert SHED not in request
    assert MAT not in request


async def test_a_restored_fact_and_its_words_are_back(memory: Memory, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)
    await do(memory, ada, lambda unit: record(unit, conversation, [said(MAT)]))
    fact_id = (await do(memory, ada, remember(MAT), NOON)).row.id
    await do(memory, ada, hide(fact_id), NOON)
    await do(memory, ada, undo(), NOON)

    assert (await request_of(memory, ada, conversation)).count(MAT) == 2


async def test_what_is_told_after_the_clock_was_set_back_is_told_in_the_conversation(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    await do(memory, ada, remember(MAT), NOON - HOUR)

    assert MAT in await request_of(memory, ada, conversation)


async def test_every_change_is_in_the_audit_log_without_its_words(
    memory: Memory, ada: Viewer, ben: Viewer, at_home: Viewer
) -> None:
    fact_id = (await do(memory, ada, remember(MAT, author="assistant"), NOON)).row.id
    changes = [revise(fact_id, SHED), share(fact_id), unshare(fact_id), hide(fact_id), restore(fact_id), undo()]
    for hours, change in enumerate(changes, 1):
        await do(memory, at_home, change, NOON + hours * HOUR)

    noted = await do(memory, ada, lambda unit: audit_of(unit.session, ada))
    log = [entry for entry in noted if entry.target == fact_id]
    assert [entry.action for entry in log] == "stored changed shared unshared forgotten restored forgotten".split()
    assert [entry.actor for entry in log] == ["assistant", *[ada.user] * 6]
    assert [entry.ts for entry in log] == [NOON + hours * HOUR for hours in range(7)]
    assert [entry.details["version"] for entry in log] == [1, 2, 3, 4, 5, 6, 7]
    assert [entry.details["approval"] for entry in log] == ["order", *["command"] * 6]
    assert [entry.details.get("undoes") for entry in log] == [None] * 6 + [6]
    assert not [entry for entry in log if "key" in str((entry.actor, entry.action, entry.details))]
    assert await do(memory, ben, lambda unit: audit_of(unit.session, ben)) == []
