"""Export and import: all of a person's data in one document, and back with its times, its versions and its gaps."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert

from db.engine import Database
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.people.people import choices_of, choose_categories, choose_mode
from db.table_registry import TABLE_OWNERSHIP
from db.tables import Base
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Attribute, Category, Channel, EventKind, Mode, ProposalKind, Visibility
from memory.errors import KeepsakeError, Refused
from memory.events.record import EventDraft as Event
from memory.events.record import prepare, record
from memory.facts import facts, history, proposals
from memory.facts.facts import FactDraft
from memory.people import spaces
from memory.privacy.encryption import Keyring, new_key
from memory.privacy.export import FORMAT, export_as_markdown, export_data
from memory.privacy.forgetting.forget import ForgetRequest, erase, forget
from memory.privacy.restore import load_export
from memory.unit import Memory
from tests.conftest import NOON, Meet
from tests.furniture import NOBODYS, furnish

pytestmark = pytest.mark.slow

SICK = "My sister Zelda has diabetes"
DAY = timedelta(days=1)
SECRET = "sk-ant-api03-" + "Zz9-" * 20

Document = dict[str, Any]


async def exported(memory: Memory, viewer: Viewer) -> Document:
    async with memory.unit(viewer, now=NOON) as unit:
        document = await export_data(unit)
    return dict(json.loads(json.dumps(document)))


async def loaded(memory: Memory, viewer: Viewer, document: Any) -> int | None:
    async with memory.unit(viewer, now=NOON + 30 * DAY) as unit:
        return await load_export(unit, document)


async def remember(memory: Memory, viewer: Viewer, content: str, **given: Any) -> str:
    async with memory.unit(viewer, now=NOON) as unit:
        draft = FactDraft(content, given.pop("category", Category.OTHER), **given)
        return (await facts.remember(unit, draft, Approval.ORDER, separate=True)).row.id


async def known(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return sorted(row.words for row in await facts.all_facts(unit))


async def add(memory: Memory, viewer: Viewer, table: str, **values: Any) -> None:
    """A row that the program does not write yet."""
    of = Base.metadata.tables[table]
    scope = {
        "tenant_id": viewer.tenant,
        "user_id": viewer.person,
        "space_id": viewer.place,
        "channel": viewer.channel,
        "ts": NOON,
    }
    usual = {name: value for name, value in scope.items() if name in of.c}
    async with memory.unit(viewer) as unit:
        await unit.session.execute(insert(of).values(**{**usual, **values}))


async def found_together(memory: Memory, owner: Viewer, member: Viewer) -> str:
    async with memory.unit(owner) as unit:
        space = await spaces.create_space(unit, "Garden")
    async with memory.unit(replace(owner, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(member) as unit:
        await spaces.join_space(unit, code)
    return space


def rows(url: str, query: str, *given: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(url) as admin:
        return admin.execute(query.encode(), given).fetchall()


def everything(superuser: psycopg.Connection, tenant: str) -> dict[str, list[str]]:
    """Every row of a tenant as text."""
    found = {}
    for table in TABLE_OWNERSHIP:
        query = f"SELECT t::text FROM {table} AS t WHERE tenant_id = %s ORDER BY 1"
        found[table] = [words for (words,) in superuser.execute(query.encode(), (tenant,))]
    return found


@dataclass
class Life:
    """Of a person with one of everything that an import brings back."""

    viewer: Viewer
    conversation: str = ""
    messages: list[str] = field(default_factory=list)
    porto: str = ""
    deleted: str = ""
    sick: str = ""


async def live(memory: Memory, ada: Viewer) -> Life:
    lived = Life(ada, timed_id("cnv", NOON))
    happened = [
        Event(ActorType.HUMAN, ada.person, EventKind.MESSAGE, {"text": "I live in Porto. Old Bob was here."}),
        Event(ActorType.AGENT, "keepsake", EventKind.TOOL_CALL, {"call": "1", "tool": "add", "arguments": {}}),
        Event(ActorType.AGENT, "keepsake", EventKind.MESSAGE, {"text": "Noted.", "ended": "end_turn"}),
        Event(ActorType.HUMAN, ada.person, EventKind.MESSAGE, {"text": SICK}),
    ]
    said = [prepare(each, NOON + timedelta(minutes=minute)) for minute, each in enumerate(happened)]
    lived.messages = [each.event.id for each in said]
    async with memory.unit(ada, now=NOON) as unit:
        await start_conversation(unit.session, ada, conversation_id=lived.conversation, agent_id="keepsake", now=NOON)
        await record(unit, lived.conversation, said)
        await choose_mode(unit.session, ada, Mode.AUTO)
        await choose_categories(unit.session, ada, frozenset({Category.HABIT}))
    where = {"attribute": Attribute.LOCATION, "source_event_id": lived.messages[0], "span": (0, 15)}
    lived.porto = await remember(memory, ada, "I live in Porto", value={"city": "Porto"}, **where)
    async with memory.unit(ada, now=NOON + DAY) as unit:
        await facts.revise(unit, lived.porto, FactDraft("I live in Braga", Category.OTHER), Approval.COMMAND)
        await history.undo(unit)
    lived.deleted = await remember(memory, ada, "My name was Bea", attribute=Attribute.NAME)
    async with memory.unit(ada, now=NOON + 2 * DAY) as unit:
        await facts.hide(unit, lived.deleted, Approval.COMMAND)
    await remember(memory, ada, "My name is Ada", attribute=Attribute.NAME)
    lived.sick = await remember(memory, ada, SICK, subject="Zelda", source_event_id=lived.messages[3])
    bob = {"subject": "Bob", "source_event_id": lived.messages[0], "span": (17, 33)}
    await remember(memory, ada, "Old Bob was here", **bob)
    async with memory.unit(ada, now=NOON) as unit:
        await forget(unit, ForgetRequest(subject="Bob"))
    await add(memory, ada, "decisions", id=timed_id("dec", NOON), scope="user", decision="tea, not coffee")
    await add(memory, ada, "tasks", id=timed_id("tsk", NOON), title="buy milk", due=NOON.date())
    await add(memory, ada, "topics", name="tea", count=7, last_seen=NOON)
    await add(memory, ada, "views", name="rules", scope="user", version=1, content="be kind")
    await add(memory, ada, "artifacts", id=timed_id("art", NOON), kind="blob", bytes=b"bytes", sha256=b"s" * 32)
    return lived


@pytest.fixture
async def life(memory: Memory, ada: Viewer) -> Life:
    return await live(memory, ada)


WRITTEN: list[str] = []


@pytest.fixture
async def document(memory: Memory, meet: Meet) -> Document:
    """The export of such a life, made once a run, the fact with most versions first."""
    if not WRITTEN:
        owner = await meet("ada")
        porto = (await live(memory, owner)).porto
        written = await exported(memory, owner)
        written["tables"]["facts"].sort(key=lambda row: bool(row["id"] != porto))
        written["tables"]["fact_versions"].sort(key=lambda row: bool(row["fact_id"] != porto))
        WRITTEN.append(json.dumps(written))
        await erase(memory, owner.tenant, owner.person)
    return dict(json.loads(WRITTEN[0]))


@pytest.fixture
async def cleo(meet: Meet) -> Viewer:
    """A user who has nothing yet."""
    return await meet("cleo")


async def test_an_export_has_every_table_and_every_row_of_its_owner_and_nobody_elses(
    memory: Memory, database: Database, tenant: str, superuser: psycopg.Connection
) -> None:
    """No hexadecimal hash spells these names."""
    olga, _ = await furnish(database, tenant, "olga"), await furnish(database, tenant, "yuri")
    before = everything(superuser, tenant)
    document = await exported(memory, olga)

    assert (document["format"], document["user"]) == (FORMAT, "test:olga")
    assert document["tables"].keys() == TABLE_OWNERSHIP.keys() == Base.metadata.tables.keys()
    mine = {table: len([row for row in found if "olga" in row]) for table, found in before.items()}
    assert min(count for table, count in mine.items() if table not in NOBODYS) == 1
    assert {table: len(found) for table, found in document["tables"].items()} == mine
    assert "yuri" not in json.dumps(document)


async def test_an_export_holds_every_column_but_keys_hashes_and_what_is_derived(
    memory: Memory, database: Database, tenant: str
) -> None:
    ada = await furnish(database, tenant, "ada")
    async with memory.unit(ada) as unit:
        await unit.vault.own_key()
    document = await exported(memory, ada)

    left_out = {
        (table, column.name)
        for table, found in document["tables"].items()
        if table not in NOBODYS
        for column in Base.metadata.tables[table].columns
        if column.name not in found[0]
    }
    assert left_out == {
        ("users", "data_key"),
        ("invitations", "hash"),
        ("api_keys", "hash"),
        ("requests", "hash"),
        ("requests", "answer"),
        ("web_sessions", "hash"),
        ("inbox", "payload"),
        ("inbox", "answer"),
        ("embeddings", "embedding"),
        *((table, column) for table in ("embeddings", "postings") for column in ("chunk_no", "shelf_id")),
        ("chunks", "no"),
        ("chunks", "shelf_id"),
        ("shelves", "id"),
        ("fact_versions", "change"),
    }


async def test_an_export_holds_sensitive_words_in_plain_and_no_key(
    memory: Memory, life: Life, superuser: psycopg.Connection
) -> None:
    async with memory.unit(life.viewer, now=NOON) as unit:
        await proposals.propose(
            unit, ProposalKind.ADD, FactDraft("Zelda takes insulin for her diabetes", Category.PERSON)
        )
    document = await exported(memory, life.viewer)

    [version] = [row for row in document["tables"]["fact_versions"] if row["fact_id"] == life.sick]
    assert (version["content"], version["subject"], version["sealed"]) == (SICK, "Zelda", None)
    assert [row["content"] for row in document["tables"]["events"]][3] == {"text": SICK}
    [card] = document["tables"]["proposals"]
    assert card["content"] == "Zelda takes insulin for her diabetes"
    assert '"sealed": "' not in json.dumps(document)
    assert "data_key" not in json.dumps(document)


async def test_with_the_key_missing_an_export_still_gives_the_rest(memory: Memory, life: Life) -> None:
    stranger = replace(memory, keyring=Keyring((new_key(),)))
    document = await exported(stranger, life.viewer)

    assert SICK not in json.dumps(document)
    assert "I live in Porto" in json.dumps(document)
    assert "I live in Porto" in export_as_markdown(document)
    assert "Zelda" not in export_as_markdown(document)


async def test_an_export_is_noted_and_changes_nothing_else(
    memory: Memory, life: Life, superuser: psycopg.Connection
) -> None:
    before = everything(superuser, life.viewer.tenant)
    await exported(memory, life.viewer)
    after = everything(superuser, life.viewer.tenant)

    assert len(after.pop("audit_log")) == len(before.pop("audit_log")) + 1
    assert after == before


async def test_the_form_to_read_has_facts_their_history_and_what_was_said(memory: Memory, life: Life) -> None:
    await remember(memory, life.viewer, "My list:\n# tea\n- milk")
    readable = export_as_markdown(await exported(memory, life.viewer))

    assert f"- **I live in Porto** [{life.porto}] (other, private)" in readable
    assert "\n  - 2026-11-17: I live in Braga\n" in readable
    assert f"- **My name was Bea** [{life.deleted}] (other, private, deleted)" in readable
    assert f"**{SICK}**" in readable
    assert "- **My list: # tea - milk**" in readable
    assert f"### {life.conversation}" in readable
    assert "- 2026-11-16T12:00 human: I live in Porto. ████████████████." in readable
    assert "- 2026-11-16T12:02 agent: Noted." in readable
    assert "Old Bob" not in readable


async def test_the_form_to_read_works_for_a_user_with_nothing(memory: Memory, cleo: Viewer) -> None:
    assert "## Facts\n\nNone.\n" in export_as_markdown(await exported(memory, cleo))


FACT = ("id", "category", "attribute", "importance", "recall_count", "created_at", "deleted_at")
VERSION = (
    "fact_id",
    "version",
    "content",
    "subject",
    "value",
    "sensitivity",
    "forgotten",
    "undoes",
    "source_event_id",
    "span",
    "author",
    "created_at",
)
MESSAGE = ("id", "conversation_id", "seq", "message_seq", "ts", "actor_type", "actor_id", "kind", "content", "refs")


def told(document: Document, table: str, columns: tuple[str, ...]) -> list[tuple[Any, ...]]:
    return [tuple(row[column] for column in columns) for row in document["tables"][table]]


async def test_a_person_who_comes_back_has_everything_as_it_was(
    memory: Memory, life: Life, meet: Meet, superuser: psycopg.Connection
) -> None:
    document = await exported(memory, life.viewer)
    await erase(memory, life.viewer.tenant, life.viewer.person)
    await meet("ada")
    assert await loaded(memory, life.viewer, document) == 4
    again = await exported(memory, life.viewer)

    assert told(again, "facts", FACT) == told(document, "facts", FACT)
    assert told(again, "fact_versions", VERSION) == told(document, "fact_versions", VERSION)
    assert told(again, "events", MESSAGE) == told(document, "events", MESSAGE)
    assert {row["approval"] for row in again["tables"]["fact_versions"]} == {Approval.IMPORT}
    assert again["tables"]["tombstones"] == document["tables"]["tombstones"]
    async with memory.unit(life.viewer) as unit:
        choices = await choices_of(unit.session, life.viewer)
    assert (choices.mode, choices.never_remember) == (Mode.AUTO, frozenset({Category.HABIT}))
    assert await known(memory, life.viewer) == ["I live in Porto", "My name is Ada", SICK]
    assert "Zelda" not in str(everything(superuser, life.viewer.tenant))

    await erase(memory, life.viewer.tenant, life.viewer.person)
    await meet("ada")
    await loaded(memory, life.viewer, again)
    third = await exported(memory, life.viewer)
    for table in ("facts", "fact_versions", "events", "conversations", "tombstones"):
        assert third["tables"][table] == again["tables"][table]


async def test_another_person_gets_a_copy_with_ids_of_its_own(memory: Memory, life: Life, cleo: Viewer) -> None:
    document = await exported(memory, life.viewer)
    assert await loaded(memory, cleo, document) == 4
    copy = await exported(memory, cleo)

    hers = {row["id"] for row in document["tables"]["facts"]}
    assert hers.isdisjoint(row["id"] for row in copy["tables"]["facts"])
    assert sorted(map(str, told(copy, "facts", FACT[1:]))) == sorted(map(str, told(document, "facts", FACT[1:])))
    words = ("version", "content", "subject", "value", "forgotten", "undoes", "span", "created_at")
    assert sorted(map(str, told(copy, "fact_versions", words))) == sorted(
        map(str, told(document, "fact_versions", words))
    )
    said = ("seq", "message_seq", "ts", "actor_type", "kind", "content")
    assert told(copy, "events", said) == told(document, "events", said)
    assert {row["author"] for row in copy["tables"]["fact_versions"]} == {cleo.person}
    assert {(row["space_id"], row["channel"]) for row in copy["tables"]["events"]} == {(cleo.place, "private")}
    [source] = {row["source_event_id"] for row in copy["tables"]["fact_versions"] if row["content"] == SICK}
    assert source == copy["tables"]["events"][3]["id"]
    [stone] = copy["tables"]["tombstones"]
    assert stone["event_id"] == copy["tables"]["events"][0]["id"]
    assert await known(memory, life.viewer) == await known(memory, cleo)


async def test_a_copy_keeps_the_name_of_the_assistant_and_has_its_new_owner_as_speaker(
    memory: Memory, life: Life, cleo: Viewer
) -> None:
    await loaded(memory, cleo, await exported(memory, life.viewer))
    copy = await exported(memory, cleo)

    assert [row["agent_id"] for row in copy["tables"]["conversations"]] == ["keepsake"]
    assert [row["actor_id"] for row in copy["tables"]["events"]] == [cleo.person, "keepsake", "keepsake", cleo.person]


async def test_an_imported_fact_goes_on_as_any_other(memory: Memory, life: Life, cleo: Viewer) -> None:
    await loaded(memory, cleo, await exported(memory, life.viewer))
    async with memory.unit(cleo, now=NOON + 40 * DAY) as unit:
        [place] = [row for row in await facts.all_facts(unit) if row.attribute == Attribute.LOCATION]
        [hidden] = [row for row in await history.as_of(unit, NOON + DAY) if row.words == "My name was Bea"]
        assert [row.words for row in await history.history(unit, place.id)] == [
            "I live in Porto",
            "I live in Braga",
            "I live in Porto",
        ]
        receipt = await facts.remember(
            unit, FactDraft("I live in Faro", Category.OTHER, attribute=Attribute.LOCATION), Approval.ORDER
        )
        assert (receipt.row.id, receipt.row.version) == (place.id, 4)
        with pytest.raises(Refused, match="something else under “name”"):
            await history.restore(unit, hidden.id)


async def test_facts_of_a_shared_space_come_home_and_are_private(
    memory: Memory, ada: Viewer, ben: Viewer, cleo: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    fact_id = await remember(memory, ada, "the key is under the mat")
    async with memory.unit(replace(ada, space=space)) as unit:
        await facts.share(unit, fact_id)
    await loaded(memory, cleo, await exported(memory, ada))

    async with memory.unit(cleo) as unit:
        [row] = await facts.own_facts(unit)
    assert (row.words, row.visibility, row.space) == ("the key is under the mat", Visibility.PRIVATE, cleo.place)


async def test_what_was_forgotten_does_not_come_back_with_an_older_document(
    memory: Memory, ada: Viewer, cleo: Viewer
) -> None:
    await remember(memory, ada, "Bob is my neighbour", subject="Bob")
    await remember(memory, ada, "I like tea")
    older = await exported(memory, ada)
    async with memory.unit(ada, now=NOON) as unit:
        await forget(unit, ForgetRequest(subject="Bob"))
    newer = await exported(memory, ada)
    older["tables"]["tombstones"] = newer["tables"]["tombstones"]
    assert await loaded(memory, cleo, older) == 1

    assert await known(memory, cleo) == ["I like tea"]
    async with memory.unit(cleo, now=NOON) as unit:
        with pytest.raises(Refused, match="asked to forget this"):
            await proposals.propose(unit, ProposalKind.ADD, FactDraft("Bob is my neighbour", Category.PERSON))


async def test_what_the_user_who_loads_had_forgotten_does_not_come_back_either(
    memory: Memory, ada: Viewer, cleo: Viewer
) -> None:
    for viewer in (ada, cleo):
        await remember(memory, viewer, "Bob is my neighbour", subject="Bob")
    await remember(memory, ada, "I like tea")
    async with memory.unit(cleo, now=NOON) as unit:
        await forget(unit, ForgetRequest(subject="Bob"))
    assert await loaded(memory, cleo, await exported(memory, ada)) == 1

    assert await known(memory, cleo) == ["I like tea"]


async def test_what_was_said_in_a_group_that_another_began_is_loaded_too(
    memory: Memory, ada: Viewer, ben: Viewer, cleo: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    in_team = {"space": space, "channel": Channel.TEAM}
    conversation = timed_id("cnv", NOON)
    async with memory.unit(replace(ben, **in_team)) as unit:  # type: ignore[arg-type]
        await start_conversation(unit.session, unit.viewer, conversation_id=conversation, agent_id="keepsake", now=NOON)
    async with memory.unit(replace(ada, **in_team)) as unit:  # type: ignore[arg-type]
        said = prepare(Event(ActorType.HUMAN, ada.person, EventKind.MESSAGE, {"text": "hello, all"}), NOON)
        await record(unit, conversation, [said])
    await remember(memory, ada, "I like tea", source_event_id=said.event.id)
    await loaded(memory, cleo, await exported(memory, ada))

    copy = await exported(memory, cleo)
    assert [row["content"] for row in copy["tables"]["events"]] == [{"text": "hello, all"}]
    assert await known(memory, cleo) == ["I like tea"]


async def test_the_ledgers_come_back(memory: Memory, document: Document, cleo: Viewer) -> None:
    await loaded(memory, cleo, document)
    copy = (await exported(memory, cleo))["tables"]

    assert [row["decision"] for row in copy["decisions"]] == ["tea, not coffee"]
    assert [(row["title"], row["due"]) for row in copy["tasks"]] == [("buy milk", "2026-11-16")]
    assert [(row["name"], row["count"]) for row in copy["topics"]] == [("tea", 7)]
    assert [row["content"] for row in copy["views"]] == ["be kind"]
    assert [row["bytes"]["base64"] for row in copy["artifacts"]] == ["Ynl0ZXM="]


@pytest.mark.parametrize("older", [False, True], ids=["a document of today", "one that names successors only"])
async def test_a_superseded_decision_comes_back_with_its_successor(
    memory: Memory, ada: Viewer, cleo: Viewer, older: bool
) -> None:
    first, second = timed_id("dec", NOON), timed_id("dec", NOON + DAY)
    await add(memory, ada, "decisions", id=first, scope="user", decision="coffee")
    later = {"decision": "tea", "ts": NOON + DAY, "refs": [first], "supersedes": first}
    await add(memory, ada, "decisions", id=second, scope="user", **later)
    document = await exported(memory, ada)
    if older:
        for row in document["tables"]["decisions"]:
            del row["supersedes"]
    await loaded(memory, cleo, document)

    copy = (await exported(memory, cleo))["tables"]["decisions"]
    old, new = sorted(copy, key=lambda row: str(row["ts"]))
    assert (old["decision"], old["status"], new["decision"], new["status"]) == ("coffee", "superseded", "tea", "active")
    assert (old["superseded_by"], new["supersedes"], new["refs"]) == (new["id"], old["id"], [old["id"]])


async def test_a_decision_whose_successor_is_another_persons_comes_back_as_superseded(
    memory: Memory, ada: Viewer, ben: Viewer, cleo: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    roses, tulips, lilies = (timed_id("dec", NOON + day * DAY) for day in range(3))
    aloud = {"space": space, "channel": Channel.TEAM}
    for viewer, name, earlier in ((ada, roses, None), (ben, tulips, roses), (ada, lilies, tulips)):
        there = replace(viewer, **aloud)  # type: ignore[arg-type]
        await add(memory, there, "decisions", id=name, scope="user", decision=name, supersedes=earlier)
    await loaded(memory, cleo, await exported(memory, ada))

    copy = (await exported(memory, cleo))["tables"]["decisions"]
    status = {row["decision"]: (row["status"], row["superseded_by"], row["supersedes"]) for row in copy}
    assert status == {roses: ("superseded", None, None), lilies: ("active", None, None)}


async def test_decisions_in_a_circle_are_refused(memory: Memory, document: Document, cleo: Viewer) -> None:
    [decision] = document["tables"]["decisions"]
    other = {**decision, "id": timed_id("dec", NOON), "supersedes": decision["id"]}
    document["tables"]["decisions"] = [{**decision, "supersedes": other["id"]}, other]
    with pytest.raises(Refused, match="not a Keepsake export"):
        await loaded(memory, cleo, document)


async def test_what_is_sensitive_in_the_ledgers_is_exported_in_plain_and_sealed_again(
    memory: Memory, document: Document, cleo: Viewer, superuser: psycopg.Connection
) -> None:
    document["tables"]["decisions"][0] |= {"rationale": [SICK]}
    document["tables"]["tasks"][0] |= {"details": SICK}
    document["tables"]["artifacts"][0] |= {
        "bytes": {"base64": b64encode(SICK.encode()).decode()},
        "meta": {"of": "Zelda"},
    }
    await loaded(memory, cleo, document)

    assert "Zelda" not in str(everything(superuser, cleo.tenant))
    copy = (await exported(memory, cleo))["tables"]
    assert [(row["decision"], row["rationale"], row["sealed"]) for row in copy["decisions"]] == [
        ("tea, not coffee", [SICK], None)
    ]
    assert [(row["title"], row["details"]) for row in copy["tasks"]] == [("buy milk", SICK)]
    [file] = copy["artifacts"]
    assert (b64decode(file["bytes"]["base64"]).decode(), file["meta"]) == (SICK, {"of": "Zelda"})


async def test_the_same_view_and_the_same_file_of_two_spaces_both_find_a_place(
    memory: Memory, ada: Viewer, ben: Viewer, cleo: Viewer
) -> None:
    space = await found_together(memory, ada, ben)
    for number, viewer in enumerate((ada, replace(ada, space=space))):
        await add(memory, viewer, "views", name="rules", scope="user", version=1, content=f"be kind {number}")
        await add(memory, viewer, "artifacts", id=timed_id("art", NOON), kind="blob", bytes=b"bytes", sha256=b"s" * 32)
    await loaded(memory, cleo, await exported(memory, ada))

    copy = (await exported(memory, cleo))["tables"]
    assert "be kind 0" in {row["content"] for row in copy["views"]}
    assert {row["bytes"]["base64"] for row in copy["artifacts"]} == {"Ynl0ZXM="}


async def test_what_is_derived_or_holds_for_this_deployment_only_is_not_loaded(
    memory: Memory, database: Database, tenant: str, meet: Meet
) -> None:
    ada = await furnish(database, tenant, "ada")
    document = await exported(memory, ada)
    await erase(memory, tenant, ada.person)
    await meet("ada")
    await loaded(memory, ada, document)

    again = (await exported(memory, ada))["tables"]
    assert {table for table, found in again.items() if not found} == {
        table for table, holding in TABLE_OWNERSHIP.items() if not holding.restored
    } - {"users", "spaces", "space_members", "audit_log"} - {"chunks", "postings", "shelves"}  # cut anew
    assert again["facts"][0]["id"] == document["tables"]["facts"][0]["id"]


async def test_a_second_load_writes_nothing(
    memory: Memory, life: Life, cleo: Viewer, superuser: psycopg.Connection
) -> None:
    document = await exported(memory, life.viewer)
    told = list[tuple[int, int]]()
    async with memory.unit(cleo, now=NOON) as unit:
        await load_export(unit, document, lambda done, of: told.append((done, of)))
    before = everything(superuser, cleo.tenant)
    again = dict(sorted(document.items()))
    assert await loaded(memory, cleo, again) is None
    with pytest.raises(Refused, match="empty user"):
        await loaded(memory, life.viewer, document)

    assert told == [(done, told[0][1]) for done in range(1, told[0][1] + 1)]
    assert everything(superuser, cleo.tenant) == before


async def test_another_document_is_refused_also_where_the_first_brought_messages_alone(
    memory: Memory, document: Document, cleo: Viewer
) -> None:
    document["tables"] |= {"facts": [], "fact_versions": []}
    assert await loaded(memory, cleo, document) == 0

    with pytest.raises(Refused, match="empty user"):
        await loaded(memory, cleo, {**document, "exported_at": "another day"})


Spoil = Callable[[Document], Any]


def put(table: str, column: str, value: Any, *, at: int = 0) -> Spoil:
    """The document with another value in one place."""

    def spoil(document: Document) -> Document:
        document["tables"][table][at][column] = value
        return document

    return spoil


def lose(table: str, column: str) -> Spoil:
    def spoil(document: Document) -> Document:
        del document["tables"][table][0][column]
        return document

    return spoil


def instead(**given: Any) -> Spoil:
    return lambda document: {**document, **given}


def instead_of_table(table: str, value: Any) -> Spoil:
    return lambda document: {**document, "tables": {**document["tables"], table: value}}


SPOILT: dict[str, Spoil] = {
    "a list": lambda document: [document],
    "a text": lambda document: "hello",
    "nothing": lambda document: None,
    "empty": lambda document: {},
    "another format": instead(format="keepsake-export-99"),
    "no user": instead(user=None),
    "no tables": instead(tables=None),
    "tables in a list": instead(tables=[]),
    "an unknown table": instead_of_table("pg_authid", []),
    "rows that are none": instead_of_table("facts", {"id": "x"}),
    "a row that is none": instead_of_table("events", ["x"]),
    "a fact without an id": lose("facts", "id"),
    "a fact without a category": lose("facts", "category"),
    "a fact that may be deleted": lose("facts", "deleted_at"),
    "facts without versions": instead_of_table("fact_versions", []),
    "versions without facts": instead_of_table("facts", []),
    "a version of no fact": lose("fact_versions", "fact_id"),
    "a version without a number": lose("fact_versions", "version"),
    "a version without an author": lose("fact_versions", "author"),
    "a version without text": put("fact_versions", "content", None),
    "a version with a number for words": put("fact_versions", "content", 4711),
    "a version of two letters": put("fact_versions", "content", "no"),
    "a version of a book": put("fact_versions", "content", "x" * 501),
    "a version numbered in words": put("fact_versions", "version", "one"),
    "a span of words": put("fact_versions", "span", "here"),
    "a span without an end": put("fact_versions", "span", {"from": 1}),
    "a span that runs backwards": put("fact_versions", "span", {"from": 9, "to": 1}),
    "an unhashable author": put("fact_versions", "author", ["x"]),
    "a moment that never was": put("facts", "created_at", "yesterday"),
    "a moment that is a number": put("facts", "created_at", 4711),
    "a category that is none": put("facts", "category", "zodiac"),
    "an id that is none": put("facts", "id", "../../etc/passwd"),
    "an importance in words": put("facts", "importance", "very"),
    "an importance beyond all": put("facts", "importance", 1e9),
    "a message without content": lose("events", "content"),
    "a message that is a list": put("events", "content", ["hello"]),
    "a message of no conversation": put("events", "conversation_id", "cnv_none"),
    "refs that are none": put("events", "refs", 4711),
    "refs of numbers": put("events", "refs", [1, 2]),
    "a decision without text": put("decisions", "decision", None),
    "a decision of a book": put("decisions", "decision", "x" * 2001),
    "a task of two hundred and one letters": put("tasks", "title", "x" * 201),
    "a tombstone without salt": lose("tombstones", "salt"),
    "a tombstone that is no base64": put("tombstones", "salt", {"base64": "§"}),
    "a tombstone in words": put("tombstones", "hash", "abc"),
    "a mode that is none": put("users", "mode", "telepathy"),
    "no mode": lose("users", "mode"),
    "a switch that is none": put("users", "never_remember", ["zodiac"]),
    "switches that are none": put("users", "never_remember", 7),
    "a NUL in a message": put("events", "actor_id", "a\0b"),
    "half a character": put("events", "tags", ["\ud800"]),
}


async def test_a_document_that_is_not_right_is_refused_in_one_sentence_and_changes_nothing(
    memory: Memory, document: Document, cleo: Viewer, superuser: psycopg.Connection
) -> None:
    before, wrong = everything(superuser, cleo.tenant), {}
    for name, spoil in SPOILT.items():
        try:
            await loaded(memory, cleo, spoil(deepcopy(document)))
        except KeepsakeError as refused:
            if "\n" in str(refused) or not str(refused).endswith("."):
                wrong[name] = str(refused)
        else:
            wrong[name] = "was loaded"
        if everything(superuser, cleo.tenant) != before:
            wrong[name] = "changed something"
            before = everything(superuser, cleo.tenant)

    assert not wrong, wrong


async def test_a_document_with_a_secret_in_a_fact_is_refused(memory: Memory, document: Document, cleo: Viewer) -> None:
    document["tables"]["fact_versions"][0]["content"] = f"my key is {SECRET}"
    with pytest.raises(Refused, match="secret") as refused:
        await loaded(memory, cleo, document)

    assert SECRET not in str(refused.value)
    assert await known(memory, cleo) == []


Plant = Callable[[dict[str, Any]], Any]
ELSEWHERE: dict[str, Plant] = {
    "a message": lambda tables: tables["events"][0].update(content={"text": f"my key is {SECRET}"}),
    "a result of a tool": lambda tables: tables["events"][1].update(content={"deep": [{"er": SECRET}]}),
    "the tags of a message": lambda tables: tables["events"][0].update(tags=[SECRET]),
    "a subject": lambda tables: tables["fact_versions"][0].update(subject=SECRET),
    "a value": lambda tables: tables["fact_versions"][0].update(value={"key": SECRET}),
    "a topic": lambda tables: tables["topics"][0].update(name=SECRET.lower()),
    "a task": lambda tables: tables["tasks"][0].update(details=f"use {SECRET}"),
    "a decision": lambda tables: tables["decisions"][0].update(rationale=[SECRET]),
    "a view": lambda tables: tables["views"][0].update(content=SECRET),
    "a file": lambda tables: tables["artifacts"][0].update(meta={"name": SECRET}),
}


async def test_a_secret_anywhere_else_in_a_document_reaches_no_table(
    memory: Memory, document: Document, meet: Meet, superuser: psycopg.Connection
) -> None:
    found = []
    for number, (name, plant) in enumerate(ELSEWHERE.items()):
        planted = deepcopy(document)
        plant(planted["tables"])
        cleo = await meet(f"cleo{number}")
        with suppress(Refused):
            await loaded(memory, cleo, planted)
        if SECRET.lower() in str(everything(superuser, cleo.tenant)).lower():
            found.append(name)
        await erase(memory, cleo.tenant, cleo.person)

    assert not found, found
    assert await loaded(memory, await meet("last"), document)  # nothing of the others was in the way


async def test_sensitive_words_that_an_edited_document_calls_harmless_are_sealed(
    memory: Memory, document: Document, cleo: Viewer, superuser: psycopg.Connection
) -> None:
    for table in ("facts", "fact_versions", "events"):
        for row in document["tables"][table]:
            row["sensitivity"] = "none"
    await loaded(memory, cleo, document)

    assert SICK in await known(memory, cleo)
    assert "Zelda" not in str(everything(superuser, cleo.tenant))


async def test_a_document_cannot_speak_for_another_person(
    memory: Memory, document: Document, ben: Viewer, cleo: Viewer, superuser: psycopg.Connection
) -> None:
    await remember(memory, ben, "the roses are mine")
    forged = {
        **dict.fromkeys(("user_id", "approved_by", "author", "created_by"), ben.person),
        "space_id": ben.place,
        "tenant_id": f"{ben.tenant}-2",
    }
    for found in document["tables"].values():
        for row in found:
            row |= {name: value for name, value in forged.items() if name in row}

    def his() -> dict[str, list[str]]:
        return {
            table: [row for row in found if ben.person in row]
            for table, found in everything(superuser, ben.tenant).items()
        }

    before = his()
    await loaded(memory, cleo, document)

    assert his() == before
    assert not any(everything(superuser, f"{ben.tenant}-2").values())
    assert len(await known(memory, cleo)) == 3


Edit = Callable[[dict[str, Any], dict[str, str]], Any]
FORGED: dict[str, Edit] = {
    "a fact": lambda tables, his: tables["facts"][0].update(id=his["fact"]),
    "a version": lambda tables, his: tables["fact_versions"][0].update(fact_id=his["fact"]),
    "a conversation": lambda tables, his: tables["conversations"][0].update(id=his["conversation"]),
    "a message's place": lambda tables, his: tables["events"][0].update(conversation_id=his["conversation"]),
    "a message": lambda tables, his: tables["events"][0].update(id=his["event"]),
    "the source of a fact": lambda tables, his: tables["fact_versions"][0].update(source_event_id=his["event"]),
    "a tombstone's message": lambda tables, his: tables["tombstones"][0].update(event_id=his["event"]),
}


async def test_a_document_edited_to_the_ids_of_another_person_is_refused_and_changes_nothing(
    memory: Memory, document: Document, ben: Viewer, ada: Viewer, superuser: psycopg.Connection
) -> None:
    his = {"conversation": timed_id("cnv", NOON), "fact": await remember(memory, ben, "the roses are mine")}
    said = prepare(Event(ActorType.HUMAN, ben.person, EventKind.MESSAGE, {"text": "hello"}), NOON)
    his["event"] = said.event.id
    async with memory.unit(ben) as unit:
        await start_conversation(unit.session, ben, conversation_id=his["conversation"], agent_id="keepsake", now=NOON)
        await record(unit, his["conversation"], [said])
    before, wrong = everything(superuser, ben.tenant), {}
    for name, forge in FORGED.items():
        forged = deepcopy(document)
        forge(forged["tables"], his)
        try:
            await loaded(memory, ada, forged)
        except KeepsakeError as refused:
            if "\n" in str(refused):
                wrong[name] = str(refused)
        else:
            wrong[name] = "was loaded"
        if everything(superuser, ben.tenant) != before:
            wrong[name] = "changed something"
            before = everything(superuser, ben.tenant)

    assert not wrong, wrong
