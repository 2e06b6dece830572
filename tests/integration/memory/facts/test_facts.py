"""Facts: what is kept and what is refused, whose they are, and what becomes of the same thing told again."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from db.engine import Database
from db.errors import WriteRefused
from db.queries.facts.facts import FactRow
from db.queries.people.people import choose_categories
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Attribute, Category, Channel, EventKind, Sensitivity, Visibility
from memory.errors import NotFound, Refused
from memory.events.record import EventDraft as Said
from memory.events.record import prepare, record
from memory.facts import facts, history
from memory.facts.receipts import Receipt, ReceiptKind
from memory.facts.search import search
from memory.people import spaces
from memory.unit import Memory, Unit
from tests.conftest import NOON, Converse, wait_until_blocked

KEY = "the key is under the mat"
ONE_VALUED = ["name", "preferred_name", "occupation", "location", "communication_style", "faith"]


def draft(content: str, category: Category = Category.OTHER, **given: Any) -> facts.FactDraft:
    return facts.FactDraft(content, category, **given)


async def tell(memory: Memory, viewer: Viewer, content: str, category: Category = Category.OTHER, **given: Any) -> str:
    """Remembers something new and gives its id."""
    async with memory.unit(viewer) as unit:
        return (await facts.remember(unit, draft(content, category, **given), Approval.ORDER)).row.id


async def all_of(memory: Memory, viewer: Viewer) -> list[FactRow]:
    async with memory.unit(viewer, read_only=True) as unit:
        return await facts.all_facts(unit)


async def versions(memory: Memory, viewer: Viewer, fact_id: str) -> list[FactRow]:
    async with memory.unit(viewer, read_only=True) as unit:
        return await history.history(unit, fact_id)


@pytest.fixture
async def home(memory: Memory, ada: Viewer, ben: Viewer) -> str:
    """A space that ada founded and ben joined."""
    async with memory.unit(ada) as unit:
        space = await spaces.create_space(unit, "home")
    async with memory.unit(replace(ada, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(ben) as unit:
        await spaces.join_space(unit, code)
    return space


async def test_writers_at_once_store_the_same_words_once(memory: Memory, ada: Viewer) -> None:
    async def write() -> ReceiptKind:
        async with memory.unit(ada) as unit:
            return (await facts.remember(unit, draft(KEY), Approval.ORDER)).kind

    kinds = await asyncio.gather(*(write() for _ in range(8)))
    assert sorted(kinds) == [ReceiptKind.KNOWN] * 7 + [ReceiptKind.STORED]


async def test_search_prefers_rare_words_and_finds_nothing_where_nothing_matches(memory: Memory, ada: Viewer) -> None:
    told = ["the cat sleeps in the kitchen", "the cat eats in the garden", "the dog eats in the kitchen"]
    async with memory.unit(ada) as unit:
        for content in told:
            await facts.remember(unit, draft(content), Approval.ORDER)
        found = await search(unit, "what does the dog eat?", limit=2)
        nothing = await search(unit, "zebra", limit=2)

    assert [row.content for row in found] == [told[2], told[1]]
    assert nothing == []


async def test_search_sees_only_what_the_viewer_may_read(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    await tell(memory, ada, KEY)
    async with memory.unit(ben, read_only=True) as unit:
        assert await search(unit, "where is the key?", limit=5) == []


async def test_an_id_is_short_enough_to_be_typed(memory: Memory, ada: Viewer) -> None:
    ids = [await tell(memory, ada, f"drawer {number} is empty") for number in range(20)]

    assert len(set(ids)) == 20
    assert all(re.fullmatch("[A-Za-z0-9]{8}", fact_id) for fact_id in ids)


async def test_what_is_told_is_kept_whole(memory: Memory, ada: Viewer) -> None:
    value = {"relation": "uncle", "name": "Bo"}
    async with memory.unit(ada, now=NOON) as unit:
        told = draft(
            "Family: uncle (Bo)",
            Category.RELATIONSHIP,
            subject="Bo",
            attribute=Attribute.FAMILY_MEMBER,
            value=value,
            importance=0.75,
            author="assistant",
        )
        receipt = await facts.remember(unit, told, Approval.CARD)

    [row] = await all_of(memory, ada)
    assert (receipt.kind, receipt.row, receipt.before) == (ReceiptKind.STORED, row, None)
    assert (row.content, row.category, row.subject) == ("Family: uncle (Bo)", Category.RELATIONSHIP, "Bo")
    assert (row.attribute, row.value, row.importance) == (Attribute.FAMILY_MEMBER, value, 0.75)
    assert (row.visibility, row.space, row.sensitivity) == (Visibility.PRIVATE, ada.space, Sensitivity.LOW)
    assert (row.owner, row.author, row.approval, row.version) == (ada.user, "assistant", Approval.CARD, 1)
    assert row.created_at == row.updated_at == NOON


async def test_every_category_is_kept(memory: Memory, ada: Viewer) -> None:
    told = {await tell(memory, ada, f"drawer {number} is empty", each): each for number, each in enumerate(Category)}

    assert {row.id: row.category for row in await all_of(memory, ada)} == told


async def test_a_subject_counts_only_when_it_stands_in_the_words(memory: Memory, ada: Viewer) -> None:
    await tell(memory, ada, "Alec is my boss", subject="alec")
    await tell(memory, ada, "the office is in Bergen", subject="Alec")

    assert [row.subject for row in await all_of(memory, ada)] == ["alec", None]


@pytest.mark.parametrize(
    ("channel", "visibility"), [(Channel.PRIVATE, Visibility.PRIVATE), (Channel.TEAM, Visibility.SHARED)]
)
async def test_what_is_told_aloud_is_shared_and_what_is_told_alone_is_not(
    memory: Memory, ada: Viewer, ben: Viewer, home: str, channel: Channel, visibility: Visibility
) -> None:
    await tell(memory, replace(ada, space=home, channel=channel), KEY)

    [row] = await all_of(memory, ada)
    assert (row.visibility, row.space) == (visibility, home)
    assert bool(await all_of(memory, replace(ben, space=home))) is (visibility == Visibility.SHARED)


@pytest.mark.parametrize(
    ("told", "category"), [("prefers the window seat", Category.PREFERENCE), ("I have diabetes", Category.OTHER)]
)
async def test_preferences_and_sensitive_words_are_not_kept_in_public(
    memory: Memory, ada: Viewer, home: str, told: str, category: Category
) -> None:
    with pytest.raises(Refused, match="Tell me in private"):
        await tell(memory, replace(ada, space=home, channel=Channel.PUBLIC), told, category)

    assert await all_of(memory, ada) == []


@pytest.mark.parametrize("letter", ["a", "ß", "猫", "🐈"])
async def test_a_fact_has_five_to_five_hundred_characters(memory: Memory, ada: Viewer, letter: str) -> None:
    kept = [letter * 5, letter * 500]
    for content in kept:
        await tell(memory, ada, f"  {content}\n")
    for content in (letter * 4, letter * 501, f"{letter * 4}      "):
        with pytest.raises(Refused, match="5 to 500 characters long"):
            await tell(memory, ada, content)

    assert {row.content for row in await all_of(memory, ada)} == set(kept)


async def test_the_borders_hold_for_new_words_too(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, KEY)
    for content in ("tiny", "a" * 501, "my password is hunter2secret"):
        with pytest.raises(Refused, match="Not stored"):
            async with memory.unit(ada) as unit:
                await facts.revise(unit, fact_id, draft(content), Approval.COMMAND)

    assert [row.content for row in await versions(memory, ada, fact_id)] == [KEY]


@pytest.mark.parametrize("secret", ["my password is hunter2secret", "the key is AKIAIOSFODNN7EXAMPLE"])
async def test_a_secret_is_refused_and_not_repeated(memory: Memory, ada: Viewer, secret: str) -> None:
    with pytest.raises(Refused, match="looks like a secret") as refusal:
        await tell(memory, ada, secret)

    assert secret.split()[-1] not in str(refusal.value)
    assert await all_of(memory, ada) == []


AGAIN = [
    (KEY, KEY),
    (KEY, "The KEY is  under\nthe mat "),
    (KEY, "ｔｈｅ ｋｅｙ is\u00a0under the\u2003mat"),
    ("ключ под ковриком", "КЛЮЧ ПОД КОВРИКОМ"),
    ("die Straße ist gesperrt", "DIE STRASSE IST GESPERRT"),
    ("ο Σίσυφος σπρώχνει", "Ο ΣΊΣΥΦΟΣ ΣΠΡΏΧΝΕΙ"),
    ("the café is e\u0301troit", "THE CAFE\u0301 IS ÉTROIT"),
]


async def test_the_same_words_again_are_known(memory: Memory, ada: Viewer) -> None:
    ids, anew = dict[str, str](), []
    for told, again in AGAIN:
        if told not in ids:
            ids[told] = await tell(memory, ada, told)
        async with memory.unit(ada) as unit:
            receipt = await facts.remember(unit, draft(again, Category.CONTEXT), Approval.ORDER)
        if (receipt.kind, receipt.row.id, receipt.can_be_undone) != (ReceiptKind.KNOWN, ids[told], False):
            anew.append((again, receipt))

    assert not anew, anew
    assert [(row.id, row.version, row.category) for row in await all_of(memory, ada)] == [
        (fact_id, 1, Category.OTHER) for fact_id in ids.values()
    ]


async def test_a_known_subject_is_named_with_its_id_and_its_present_words(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, "Alec is my boss", subject="Alec")
    async with memory.unit(ada) as unit:
        await facts.revise(unit, fact_id, draft("Alec was my boss"), Approval.WORDS)
    with pytest.raises(facts.SubjectConflict) as known:
        await tell(memory, ada, "ALEC plays the cello", subject="ALEC")

    assert f"[id:{fact_id}] Alec was my boss" in str(known.value)
    assert [row.id for row in known.value.rows] == [fact_id]
    assert [row.content for row in await all_of(memory, ada)] == ["Alec was my boss"]


async def test_a_separate_thing_about_a_known_subject_is_stored_beside_it(memory: Memory, ada: Viewer) -> None:
    await tell(memory, ada, "Alec is my boss", subject="Alec")
    async with memory.unit(ada) as unit:
        told = draft("Alec plays the cello", subject="Alec")
        receipt = await facts.remember(unit, told, Approval.CARD, separate=True)

    assert receipt.kind == ReceiptKind.STORED
    assert {(row.content, row.subject) for row in await all_of(memory, ada)} == {
        ("Alec is my boss", "Alec"),
        ("Alec plays the cello", "Alec"),
    }


async def test_another_persons_subject_is_not_known(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    await tell(memory, ada, "Alec is my boss", subject="Alec")
    await tell(memory, ben, "Alec is my twin", subject="Alec")

    assert [row.content for row in await all_of(memory, ben)] == ["Alec is my twin"]


@pytest.mark.parametrize("attribute", ONE_VALUED)
async def test_an_attribute_with_one_value_told_again_is_a_new_version(
    memory: Memory, ada: Viewer, attribute: str
) -> None:
    fact_id = await tell(memory, ada, "the first value", attribute=Attribute(attribute), value={"value": "first"})
    async with memory.unit(ada) as unit:
        told = draft("the second value", attribute=Attribute(attribute), value={"value": "second"})
        receipt = await facts.remember(unit, told, Approval.ORDER)

    assert (receipt.kind, receipt.row.id, receipt.row.version) == (ReceiptKind.CHANGED, fact_id, 2)
    assert receipt.before is not None
    assert receipt.before.content == "the first value"
    assert [row.value for row in await all_of(memory, ada)] == [{"value": "second"}]


async def test_an_attribute_with_many_values_gets_one_more(memory: Memory, ada: Viewer) -> None:
    for content in ("collects stamps", "collects spoons"):
        await tell(memory, ada, content, attribute=Attribute.INTEREST)

    assert [row.version for row in await all_of(memory, ada)] == [1, 1]


async def test_writers_at_once_leave_one_value_of_an_attribute(app_url: str, memory: Memory, ada: Viewer) -> None:
    pools = [Database(app_url, pool_size=1) for _ in range(6)]

    async def write(number: int) -> ReceiptKind:
        async with replace(memory, database=pools[number]).unit(ada) as unit:
            told = draft(f"lives in city {number}", attribute=Attribute.LOCATION)
            return (await facts.remember(unit, told, Approval.ORDER)).kind

    kinds = await asyncio.gather(*map(write, range(6)))
    for pool in pools:
        await pool.close()

    [row] = await all_of(memory, ada)
    assert sorted(kinds) == [ReceiptKind.CHANGED] * 5 + [ReceiptKind.STORED]
    assert len({version.content for version in await versions(memory, ada, row.id)}) == row.version == 6


async def test_the_database_itself_holds_an_attribute_to_one_value(
    database: Database, superuser_url: str, ada: Viewer
) -> None:
    insert = text(
        "INSERT INTO facts (tenant_id, id, space_id, user_id, category, attribute)"
        " VALUES (:t, :id, :s, :u, 'other', 'location')"
    )

    async def write(session: AsyncSession, number: int) -> None:
        key = {"t": ada.tenant, "id": f"racing{number:02}", "s": ada.space, "u": ada.user}
        await session.execute(insert, key)

    async def write_too() -> None:
        async with database.transaction(ada) as session:
            await write(session, 2)

    async with database.transaction(ada) as session:
        await write(session, 1)
        second = asyncio.create_task(write_too())
        await asyncio.to_thread(wait_until_blocked, superuser_url)

    with pytest.raises(WriteRefused, match="one_value_an_attribute"):
        await second


async def test_new_words_keep_the_id_and_say_who_wrote_them_why_and_where(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    fact_id = await tell(memory, ada, KEY)
    conversation = await start(ada)
    message = prepare(Said(ActorType.HUMAN, "ada", EventKind.MESSAGE, {"text": "the key is in the shed now"}), NOON)
    async with memory.unit(ada) as unit:
        await record(unit, conversation, [message])
        new = draft("the key is in the shed", source_event_id=message.event.id, span=(0, 22), author="assistant")
        receipt = await facts.revise(unit, fact_id, new, Approval.WORDS)

    first, second = await versions(memory, ada, fact_id)
    assert (receipt.kind, receipt.row, receipt.before) == (ReceiptKind.CHANGED, second, first)
    assert (second.id, second.version, second.content) == (fact_id, 2, "the key is in the shed")
    assert (second.author, second.approval) == ("assistant", Approval.WORDS)
    assert (second.source_event_id, second.span) == (message.event.id, (0, 22))
    assert (first.content, first.author, first.approval, first.source_event_id) == (KEY, ada.user, Approval.ORDER, None)


async def test_new_words_keep_category_importance_and_place(memory: Memory, ada: Viewer, home: str) -> None:
    fact_id = await tell(memory, ada, KEY, Category.HABIT, importance=0.25)
    async with memory.unit(replace(ada, space=home)) as unit:
        await facts.share(unit, fact_id)
    async with memory.unit(ada) as unit:
        row = (await facts.revise(unit, fact_id, draft("the key is in the shed"), Approval.COMMAND)).row

    assert (row.category, row.importance) == (Category.HABIT, 0.25)
    assert (row.visibility, row.space) == (Visibility.SHARED, home)


async def test_new_words_that_are_the_present_ones_are_known(memory: Memory, ada: Viewer) -> None:
    """Also in other letters, where somebody only says them again."""
    fact_id = await tell(memory, ada, KEY)
    async with memory.unit(ada) as unit:
        receipts = [
            await facts.revise(unit, fact_id, draft(KEY.upper()), approval)
            for approval in (Approval.WORDS, Approval.AUTO, Approval.ORDER, Approval.CARD)
        ]
        receipts.append(await facts.revise(unit, fact_id, draft(KEY), Approval.COMMAND))

    assert {receipt.kind for receipt in receipts} == {ReceiptKind.KNOWN}
    assert len(await versions(memory, ada, fact_id)) == 1


async def test_an_owner_may_write_the_same_words_in_other_letters(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, KEY)
    async with memory.unit(ada) as unit:
        receipt = await facts.revise(unit, fact_id, draft(KEY.upper()), Approval.COMMAND)

    assert (receipt.kind, receipt.row.words) == (ReceiptKind.CHANGED, KEY.upper())


async def test_sensitive_words_raise_the_sensitivity_and_it_never_falls(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, "I feel fine today")
    for content in ("my phone is +44 20 7946 0958", "I have diabetes", "I feel fine again"):
        async with memory.unit(ada) as unit:
            await facts.revise(unit, fact_id, draft(content), Approval.COMMAND)
    async with memory.unit(ada) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)

    rows = await versions(memory, ada, fact_id)
    assert [row.sensitivity for row in rows] == ["none", "low", "high", "high", "high"]
    assert rows[-1].content == "I feel fine again"


async def test_what_is_sensitive_stands_nowhere_in_clear(memory: Memory, database: Database, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, "I have diabetes", subject="diabetes")
    async with memory.unit(ada) as unit:
        await facts.revise(unit, fact_id, draft("I feel fine again", value={"health": "fine"}), Approval.COMMAND)
    async with database.transaction(ada, read_only=True) as session:
        found = await session.execute(
            text("SELECT content, subject, value, sealed FROM fact_versions ORDER BY version")
        )
        stored = found.all()

    assert [row[:3] for row in stored] == [(None, None, None)] * 2
    assert not any(word in bytes(row.sealed) for row in stored for word in (b"diabetes", b"fine"))


async def test_a_category_that_was_switched_off_is_refused(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, "runs every morning", Category.HABIT)
    async with memory.unit(ada) as unit:
        await choose_categories(unit.session, ada, frozenset({Category.HABIT}))
    with pytest.raises(Refused, match="never to remember"):
        await tell(memory, ada, "swims every evening", Category.HABIT)
    with pytest.raises(Refused, match="never to remember"):
        async with memory.unit(ada) as unit:
            await facts.revise(unit, fact_id, draft("runs every evening", Category.OTHER), Approval.COMMAND)
    await tell(memory, ada, KEY)

    assert [row.content for row in await all_of(memory, ada)] == ["runs every morning", KEY]


async def test_the_database_refuses_a_category_that_was_switched_off(database: Database, ada: Viewer) -> None:
    insert = text(
        "INSERT INTO facts (tenant_id, id, space_id, user_id, category) VALUES (:t, 'rawfact' || :n, :s, :u, :c)"
    )
    key = {"t": ada.tenant, "s": ada.space, "u": ada.user}
    async with database.transaction(ada) as session:
        await choose_categories(session, ada, frozenset({Category.HABIT, Category.HOBBY}))
    for category in ("habit", "hobby"):
        with pytest.raises(WriteRefused, match="row-level security"):
            async with database.transaction(ada) as session:
                await session.execute(insert, {**key, "n": "1", "c": category})
    async with database.transaction(ada) as session:
        await session.execute(insert, {**key, "n": "2", "c": "other"})
        await choose_categories(session, ada, frozenset())
        await session.execute(insert, {**key, "n": "3", "c": "habit"})


Change = Callable[[Unit, str], Awaitable[Receipt]]


async def revise(unit: Unit, fact_id: str) -> Receipt:
    return await facts.revise(unit, fact_id, draft("the key is mine now"), Approval.COMMAND)


async def hide(unit: Unit, fact_id: str) -> Receipt:
    return await facts.hide(unit, fact_id, Approval.COMMAND)


CHANGES: tuple[Change, ...] = (revise, hide, facts.share, facts.unshare, history.undo, history.restore)


@pytest.mark.parametrize("shared", [False, True])
async def test_another_persons_fact_cannot_be_changed_and_looks_as_if_it_never_was(
    memory: Memory, ada: Viewer, ben: Viewer, home: str, shared: bool
) -> None:
    fact_id = await tell(memory, ada, KEY)
    if shared:
        async with memory.unit(replace(ada, space=home)) as unit:
            await facts.share(unit, fact_id)
    before = await versions(memory, ada, fact_id)
    for change, viewer in product(CHANGES, (ben, replace(ben, space=home))):
        said = []
        for tried in (fact_id, "neverwas"):
            with pytest.raises(NotFound) as refusal:
                async with memory.unit(viewer) as unit:
                    await change(unit, tried)
            said.append(str(refusal.value))
        assert said[0] == said[1], (change, viewer)
        assert await versions(memory, ada, fact_id) == before, (change, viewer)


@pytest.mark.parametrize("change", [revise, hide, facts.share, facts.unshare])
async def test_what_is_hidden_can_only_be_brought_back(memory: Memory, ada: Viewer, home: str, change: Change) -> None:
    fact_id = await tell(memory, ada, KEY)
    async with memory.unit(ada) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)
    with pytest.raises(NotFound):
        async with memory.unit(replace(ada, space=home)) as unit:
            await change(unit, fact_id)


async def test_remembering_what_is_hidden_brings_it_back(memory: Memory, ada: Viewer) -> None:
    fact_id = await tell(memory, ada, KEY, Category.HABIT)
    async with memory.unit(ada) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)
    async with memory.unit(ada) as unit:
        receipt = await facts.remember(unit, draft("The key is under the mat"), Approval.ORDER)

    [row] = await all_of(memory, ada)
    assert (receipt.kind, receipt.row) == (ReceiptKind.RESTORED, row)
    assert (row.id, row.version, row.content, row.approval) == (fact_id, 3, KEY, Approval.ORDER)


async def test_telling_a_hidden_value_again_replaces_the_one_that_lives(memory: Memory, ada: Viewer) -> None:
    oslo = await tell(memory, ada, "lives in Oslo", attribute=Attribute.LOCATION)
    async with memory.unit(ada) as unit:
        await facts.hide(unit, oslo, Approval.COMMAND)
    paris = await tell(memory, ada, "lives in Paris", attribute=Attribute.LOCATION)
    async with memory.unit(ada) as unit:
        receipt = await facts.remember(unit, draft("lives in Oslo", attribute=Attribute.LOCATION), Approval.ORDER)

    assert (receipt.kind, receipt.row.id) == (ReceiptKind.CHANGED, paris)
    assert [row.content for row in await all_of(memory, ada)] == ["lives in Oslo"]
