"""What is sensitive: nowhere in words in the database, read by whom it may be, lost with its key and back with it."""

from dataclasses import replace
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, text

from db.errors import WriteRefused
from db.queries.events.events import last_messages
from db.queries.facts.facts import BLANK
from db.tables import Base
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, Channel, EventKind, ProposalKind, Sensitivity
from memory.errors import KeyMissing, Refused
from memory.events.record import EventDraft as Event
from memory.events.record import open_content, prepare, record
from memory.facts import facts, history, proposals
from memory.facts.facts import FactDraft
from memory.facts.search import search
from memory.people import spaces
from memory.privacy.encryption import Keyring, new_key
from memory.privacy.forgetting.forget import erase, purge_own
from memory.unit import Memory
from tests.conftest import NOON, Converse

SICK = "My sister Zelda has diabetes"
TELLING = ("Zelda", "zelda", "diabet", "Quaxolin")


def holding(url: str, tenant: str) -> set[str]:
    """The tables of a tenant in which a telling word stands, as a superuser dumps them; bytes are read as text too."""
    with psycopg.connect(url) as admin:
        found = {}
        for name, table in Base.metadata.tables.items():
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            rows = admin.execute(f"SELECT {columns} FROM {name} WHERE tenant_id = %s".encode(), (tenant,)).fetchall()
            found[name] = " ".join(
                value.decode("latin-1") if isinstance(value, bytes) else str(value) for row in rows for value in row
            )
    return {name for name, words in found.items() if any(word in words for word in TELLING)}


async def remember(memory: Memory, viewer: Viewer, content: str = SICK, **given: Any) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        draft = FactDraft(content, Category.PERSON, **given)
        return (await facts.remember(unit, draft, Approval.ORDER, separate=True)).row.id


async def known(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await facts.all_facts(unit)]


async def found(memory: Memory, viewer: Viewer, query: str) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await search(unit, query, limit=5)]


async def say(memory: Memory, viewer: Viewer, conversation: str, words: str) -> str:
    said = prepare(Event(ActorType.HUMAN, viewer.person, EventKind.MESSAGE, {"text": words}), NOON)
    async with memory.unit(viewer) as unit:
        await record(unit, conversation, [said])
    return said.event.id


async def heard(memory: Memory, viewer: Viewer, conversation: str) -> list[dict[str, Any]]:
    async with memory.unit(viewer, read_only=True) as unit:
        messages = await last_messages(unit.session, viewer, conversation, limit=10)
        return [await open_content(unit, each.user, each.event_id, each.content) for each in messages]


async def share(memory: Memory, owner: Viewer, member: Viewer, fact_id: str) -> str:
    async with memory.unit(owner) as unit:
        space = await spaces.create_space(unit, "Garden")
    async with memory.unit(replace(owner, space=space)) as unit:
        code = (await spaces.invite(unit)).code
        await facts.share(unit, fact_id)
    async with memory.unit(member) as unit:
        await spaces.join_space(unit, code)
    return space


@pytest.fixture
def another_key(memory: Memory) -> Memory:
    return replace(memory, keyring=Keyring((new_key(),)))


async def test_a_sensitive_fact_is_nowhere_in_words_and_is_read_found_and_listed(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    value = {"medicine": "Quaxolin"}
    fact_id = await remember(memory, ada, subject="Zelda", value=value)
    await remember(memory, ada, "The garden gate is green")

    assert holding(superuser_url, ada.tenant) == set()
    async with memory.unit(ada, read_only=True) as unit:
        row = await facts.readable_fact(unit, fact_id)
    assert (row.content, row.subject, row.value, row.sensitivity) == (SICK, "Zelda", value, Sensitivity.HIGH)
    assert await found(memory, ada, "what does Zelda have?") == [SICK]
    assert sorted(await known(memory, ada)) == sorted([SICK, "The garden gate is green"])


async def test_every_version_of_it_stays_sealed_whatever_happens_to_it(
    memory: Memory, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    fact_id = await remember(memory, ada, subject="Zelda")
    await share(memory, ada, ben, fact_id)
    async with memory.unit(ada) as unit:
        await facts.unshare(unit, fact_id)
        revised = await facts.revise(
            unit, fact_id, FactDraft("My sister Zelda is well", Category.PERSON), Approval.COMMAND
        )
        await facts.hide(unit, fact_id, Approval.COMMAND)
        await history.undo(unit)
        versions = await history.history(unit, fact_id)

    assert revised.row.sensitivity == Sensitivity.HIGH
    assert [row.words for row in versions] == [SICK] * 3 + ["My sister Zelda is well"] * 3
    assert {row.subject for row in versions} == {"Zelda"}
    assert holding(superuser_url, ada.tenant) == set()


async def test_a_sensitive_message_is_nowhere_in_words_and_is_read_back(
    memory: Memory, ada: Viewer, start: Converse, superuser_url: str
) -> None:
    conversation = await start(ada)
    await say(memory, ada, conversation, SICK)
    await say(memory, ada, conversation, "The garden gate is green")

    assert holding(superuser_url, ada.tenant) == set()
    assert await heard(memory, ada, conversation) == [{"text": SICK}, {"text": "The garden gate is green"}]


async def test_a_sensitive_card_is_nowhere_in_words_and_its_yes_still_counts(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    async with memory.unit(ada, now=NOON) as unit:
        draft = FactDraft(SICK, Category.PERSON, subject="Zelda", value={"medicine": "Quaxolin"})
        card = await proposals.propose(unit, ProposalKind.ADD, draft)
        again = await proposals.propose(unit, ProposalKind.ADD, draft)
        assert again.row.id == card.row.id
    assert holding(superuser_url, ada.tenant) == set()
    async with memory.unit(ada, now=NOON) as unit:
        [waiting] = await proposals.waiting_cards(unit)
        assert (waiting.row.content, waiting.row.subject) == (SICK, "Zelda")
        await proposals.accept(unit, card.row.id, waiting.row.content_hash)

    assert holding(superuser_url, ada.tenant) == set()
    assert await known(memory, ada) == [SICK]


async def test_it_is_not_loaded_where_others_or_agents_listen(memory: Memory, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)
    await remember(memory, ada)
    await say(memory, ada, conversation, SICK)
    for channel in (Channel.AGENT, Channel.PUBLIC):
        viewer = replace(ada, channel=channel)
        assert await known(memory, viewer) == []
        assert await found(memory, viewer, "Zelda") == []
        assert await heard(memory, viewer, conversation) == []


async def test_shared_it_is_read_by_a_member_in_private_and_in_the_team_alone(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await share(memory, ada, ben, await remember(memory, ada))
    here = replace(ben, space=space)
    assert await known(memory, here) == [SICK]
    assert await found(memory, here, "Zelda") == [SICK]
    assert await known(memory, replace(here, channel=Channel.TEAM)) == [SICK]
    assert await known(memory, Viewer(ada.tenant, None, space, Channel.TEAM)) == [SICK]

    assert await known(memory, ben) == []
    assert await known(memory, replace(here, channel=Channel.AGENT)) == []
    assert await known(memory, replace(here, channel=Channel.PUBLIC)) == []
    assert await known(memory, Viewer(ada.tenant, None, space, Channel.PUBLIC)) == []


async def test_who_leaves_the_space_loses_the_key_with_it(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await share(memory, ada, ben, await remember(memory, ada))
    here = replace(ben, space=space)
    async with memory.unit(here) as unit:
        await spaces.leave_space(unit)
    async with memory.unit(here, read_only=True) as unit:
        keys = (await unit.session.execute(text("SELECT user_id FROM wall.data_keys()"))).scalars().all()

    assert ada.person not in keys
    assert await known(memory, here) == []


async def test_with_another_key_all_else_works_and_nothing_is_stored_in_plain(
    memory: Memory, another_key: Memory, ada: Viewer, start: Converse, superuser_url: str
) -> None:
    conversation = await start(ada)
    fact_id = await remember(memory, ada)
    await say(memory, ada, conversation, SICK)
    async with memory.unit(ada, now=NOON) as unit:
        await proposals.propose(unit, ProposalKind.ADD, FactDraft(f"{SICK} too", Category.PERSON))

    await remember(another_key, ada, "The garden gate is green")
    assert sorted(await known(another_key, ada)) == ["The garden gate is green", BLANK]
    assert await found(another_key, ada, "garden Zelda") == ["The garden gate is green"]
    assert await heard(another_key, ada, conversation) == [{}]
    async with another_key.unit(ada, now=NOON) as unit:
        [card] = await proposals.waiting_cards(unit)
        assert card.row.content is None
        with pytest.raises(Refused):
            await proposals.accept(unit, card.row.id, card.row.content_hash)
    more = "My brother Zelda has cancer"
    with pytest.raises(KeyMissing):
        await remember(another_key, ada, more)
    with pytest.raises(KeyMissing):
        await say(another_key, ada, conversation, more)
    with pytest.raises(KeyMissing):
        await propose(another_key, ada, more)
    assert holding(superuser_url, ada.tenant) == set()

    async with another_key.unit(ada) as unit:
        await facts.hide(unit, fact_id, Approval.COMMAND)
        await history.undo(unit)
    assert sorted(await known(memory, ada)) == sorted([SICK, "The garden gate is green"])
    assert await heard(memory, ada, conversation) == [{"text": SICK}]


async def propose(memory: Memory, viewer: Viewer, words: str) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        return (await proposals.propose(unit, ProposalKind.ADD, FactDraft(words, Category.PERSON))).row.id


async def test_rotation_wraps_every_key_anew_and_the_old_one_can_go(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    for viewer in (ada, ben):
        await remember(memory, viewer)
    new, [old] = new_key(), memory.keyring.keys
    both, alone = replace(memory, keyring=Keyring((new, old))), replace(memory, keyring=Keyring((new,)))
    assert await known(both, ada) == [SICK]
    assert await known(alone, ada) == [BLANK]
    assert await alone.rewrap_keys(ada.tenant) == 2, "tried"
    assert await known(memory, ada) == [SICK], "and left as they are"

    assert await both.rewrap_keys(ada.tenant) == 2
    assert await both.rewrap_keys(ada.tenant) == 0
    for viewer in (ada, ben):
        assert await known(alone, viewer) == [SICK]
        assert await known(memory, viewer) == [BLANK]
    await remember(alone, ada, "My brother Zelda has cancer")
    assert sorted(await known(both, ada)) == ["My brother Zelda has cancer", SICK]


async def test_rotation_stays_within_its_tenant(memory: Memory, ada: Viewer) -> None:
    await remember(memory, ada)
    both = replace(memory, keyring=Keyring((new_key(), *memory.keyring.keys)))
    assert await both.rewrap_keys(f"{ada.tenant}-2") == 0

    assert await known(memory, ada) == [SICK]


async def test_erasing_destroys_the_key_so_that_a_backup_of_the_rows_opens_no_more(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    await remember(memory, ada)
    with psycopg.connect(superuser_url) as admin:
        before = admin.execute("SELECT data_key FROM users WHERE tenant_id = %s", (ada.tenant,)).fetchall()
        await erase(memory, ada.tenant, ada.person)
        after = admin.execute("SELECT data_key FROM users WHERE tenant_id = %s", (ada.tenant,)).fetchall()

    assert len(before) == 1
    assert before[0][0] is not None
    assert after == []


async def test_after_the_purge_the_key_stays_for_what_is_left(memory: Memory, ada: Viewer) -> None:
    first = await remember(memory, ada)
    await remember(memory, ada, "My brother Zelda has cancer")
    async with memory.unit(ada, now=NOON) as unit:
        await facts.hide(unit, first, Approval.COMMAND)
    async with memory.unit(ada, now=NOON + 2 * memory.limits.undo) as unit:
        await purge_own(unit)

    assert await known(memory, ada) == ["My brother Zelda has cancer"]


async def test_sealed_words_moved_to_another_place_or_person_open_nothing(
    memory: Memory, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    first = await remember(memory, ada)
    second = await remember(memory, ada, "My brother Zelda has cancer")
    his = await remember(memory, ben, "My uncle Zelda has asthma and diabetes")
    with psycopg.connect(superuser_url) as admin:
        admin.execute(
            """UPDATE fact_versions AS v SET sealed = o.sealed FROM fact_versions AS o
               WHERE o.fact_id = %s AND v.fact_id IN (%s, %s)""",
            (first, second, his),
        )

    assert sorted(await known(memory, ada)) == [SICK, BLANK]
    assert await known(memory, ben) == [BLANK]


@pytest.mark.parametrize(
    "row",
    [
        {"content": SICK},
        {"content": SICK, "sealed": b"x"},
        {"content": None, "sealed": b"x", "subject": "Zelda"},
        {"content": None, "sealed": b"x", "value": {"medicine": "Quaxolin"}},
        {"content": None, "sealed": None},
    ],
)
@pytest.mark.parametrize("table", ["fact_versions", "proposals"])
async def test_the_database_itself_refuses_sensitive_words_in_plain(
    memory: Memory, ada: Viewer, table: str, row: dict[str, Any]
) -> None:
    fact_id = await remember(memory, ada, "The garden gate is green")
    usual: dict[str, dict[str, Any]] = {
        "fact_versions": {
            "fact_id": fact_id,
            "version": 0,
            "author": "x",
            "approved_by": ada.person,
            "approval": "order",
        },
        "proposals": {
            "id": "a",
            "user_id": ada.person,
            "kind": "add",
            "category": "other",
            "content_hash": "h",
            "expires_at": NOON,
        },
    }
    scope = {"tenant_id": ada.tenant, "space_id": ada.place, "sensitivity": "high"}
    with pytest.raises(WriteRefused, match="in_words_or_sealed"):
        await put(memory, ada, table, {**scope, **usual[table], **row})


def event(viewer: Viewer, conversation: str, content: dict[str, Any]) -> dict[str, Any]:
    return {
        "tenant_id": viewer.tenant,
        "id": "evt_1",
        "conversation_id": conversation,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": "private",
        "seq": 0,
        "ts": NOON,
        "actor_type": "human",
        "actor_id": "x",
        "kind": "message",
        "sensitivity": "high",
        "content": content,
    }


@pytest.mark.parametrize("content", [{"text": SICK}, {"text": "█", "more": SICK}, {}])
async def test_the_database_itself_refuses_a_sensitive_event_in_plain(
    memory: Memory, ada: Viewer, start: Converse, content: dict[str, Any]
) -> None:
    values = event(ada, await start(ada), content)
    with pytest.raises(WriteRefused, match="the_sensitive_are_sealed"):
        await put(memory, ada, "events", values)


async def test_the_database_itself_refuses_a_sealed_event_with_words_beside_it(
    memory: Memory, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    said = await say(memory, ada, conversation, SICK)
    async with memory.unit(ada, read_only=True) as unit:
        content = (await unit.session.execute(text("SELECT content FROM events WHERE id = :e"), {"e": said})).scalar()
    assert isinstance(content, dict)
    assert content.keys() == {"sealed"}
    with pytest.raises(WriteRefused, match="the_sensitive_are_sealed"):
        await put(memory, ada, "events", event(ada, conversation, {**content, "text": SICK}))


async def put(memory: Memory, viewer: Viewer, table: str, values: dict[str, Any]) -> None:
    async with memory.unit(viewer) as unit:
        await unit.session.execute(insert(Base.metadata.tables[table]).values(**values))


async def test_no_index_for_search_holds_what_is_sensitive(memory: Memory, ada: Viewer) -> None:
    values = {
        "tenant_id": ada.tenant,
        "id": "chk_1",
        "space_id": ada.place,
        "user_id": ada.person,
        "channel": "private",
        "sensitivity": "high",
        "ts": NOON,
        "kind": "message",
        "token_est": 1,
        "text": SICK,
        "text_hash": b"",
        "terms": "",
    }
    with pytest.raises(WriteRefused, match="sensitivity_check"):
        await put(memory, ada, "chunks", values)
