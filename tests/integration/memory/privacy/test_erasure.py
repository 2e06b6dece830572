"""The proof that erasing leaves nothing: a canary in every column that holds words, looked for in tables and files."""

import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from pgvector import HalfVector
from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import ARRAY, Column, DateTime, Integer, LargeBinary, ScalarSelect, Table, Text, insert, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from db.embedded import EmbeddedServer
from db.embedded.own_database import APPLICATION
from db.engine import Database
from db.ids import timed_id
from db.queries.events.conversations import start_conversation
from db.queries.events.events import last_messages
from db.queries.people.people import welcome
from db.table_registry import TABLE_OWNERSHIP
from db.tables import Base, Chunk
from db.viewer import Viewer, personal_space
from db.vocabulary import ActorType, Approval, Category, Channel, EventKind, ProposalKind, Role, Sensitivity
from memory.context.snapshot import pin_snapshot
from memory.errors import DatabaseAway, NotFound
from memory.events.record import EventDraft as Event
from memory.events.record import prepare, record
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.ledgers.decisions import GROUNDS
from memory.people import spaces
from memory.privacy.encryption import Keyring
from memory.privacy.forgetting.forget import erase
from memory.unit import Memory
from tests.conftest import NOON, Converse, Meet
from tests.furniture import ROWS
from tests.stored import everything, holding
from tests.waiting import until

KEYRING = Keyring((b"a key for tests, of 32 bytes ...",))
SICK = "My doctor says I have diabetes"
READERS = """SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_xmin IS NOT NULL"""


def canary() -> str:
    """Eight letters and digits, so that it can be the id of a fact too, and no hexadecimal number holds it."""
    return f"q{secrets.randbelow(10**7):07}"


def in_files(server: EmbeddedServer, database: str, words: bytes) -> int:
    """How often these bytes stand in the files of a database, after all of its pages were written."""
    with psycopg.connect(server.url("postgres", "postgres"), autocommit=True) as admin:
        admin.execute("CHECKPOINT")
        found = admin.execute("SELECT oid FROM pg_database WHERE datname = %s", (database,)).fetchone()
    assert found
    folder = server.cluster.files / "base" / str(found[0])
    return sum(bytes_of(path).count(words) for path in folder.iterdir())


def bytes_of(path: Path) -> bytes:
    """None of a file that the server has renamed meanwhile, as it does with its caches."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


def of_the_chunk(column: InstrumentedAttribute[int]) -> ScalarSelect[int]:
    """What an embedding repeats of its chunk, the only one with a message."""
    return select(column).where(Chunk.event_id.is_not(None), Chunk.text_hash != b"").limit(1).scalar_subquery()


# What each row must have so that the database takes it; every other column that can hold words gets the canary.
# More than one row stands where no single one can fill all columns. `{}` is the canary.
WORDS_OF_A_SUMMARY = ("text", "points", "digest", "overall")
GIVEN: dict[str, tuple[dict[str, Any], ...]] = {
    "users": ({"mode": "confirm", "never_remember": [], "data_key": None},),
    "spaces": ({"id": "personal:{}", "kind": "personal", "chat": None, "channel": "public"},),
    "space_members": ({"role": "owner"},),
    "invitations": ({"space_id": "named"},),
    "conversations": ({},),
    "events": ({"actor_type": "human", "kind": "message"},),
    "facts": ({"category": "other", "attribute": None, "visibility": "private"},),
    "fact_versions": (
        {"sealed": None, "visibility": "private", "approval": "order"},
        {
            "content": None,
            "subject": None,
            "value": None,
            "visibility": "private",
            "approval": "order",
            "sensitivity": "high",
        },
    ),
    "snapshot_items": ({},),
    "proposals": (
        {
            "kind": "add",
            "fact_id": None,
            "category": "other",
            "attribute": None,
            "sealed": None,
            "status": "waiting",
            "decided_by": None,
        },
        {
            "id": "{}2",
            "kind": "update",
            "attribute": None,
            "content": None,
            "subject": None,
            "value": None,
            "sensitivity": "high",
            "status": "rejected",
            "decided_at": NOON,
        },
    ),
    "tombstones": ({},),
    "topics": ({},),
    "artifacts": ({"kind": "blob"},),
    "summaries": (
        {"status": "completed", "base_id": None, "sealed": None},
        {"id": "{}2", "status": "completed", "start_seq": 2, "end_seq": 3, **dict.fromkeys(WORDS_OF_A_SUMMARY)},
    ),
    "extractions": ({"status": "completed"},),
    "notices": ({"kind": "receipt"},),
    "rebuilds": ({},),
    "chunks": (
        {"summary_id": None, "artifact_id": None},
        {"id": "{}2", "event_id": None, "artifact_id": None},
        {"id": "{}3", "event_id": None, "summary_id": None},
    ),
    "shelves": (),
    "postings": (),
    "embeddings": ({"shelf_id": of_the_chunk(Chunk.shelf_id), "chunk_no": of_the_chunk(Chunk.no)},),
    "decisions": (
        {"status": "active", "scope": "user", "superseded_by": None, "supersedes": None, "sealed": None},
        {
            "id": "{}2",
            "status": "active",
            "scope": "user",
            "superseded_by": None,
            "decision": None,
            **{name: [] for name in GROUNDS},
        },
    ),
    "tasks": ({"status": "open", "sealed": None}, {"id": "{}2", "status": "open", "title": None, "details": ""}),
    "handoffs": ({},),
    "views": ({"name": "rules", "scope": "user"},),
    "bundles": ({},),
    "program_texts": (),
    "usage": ({},),
    "inbox": ({"state": "waiting", "sent": [1], "preview": 1},),
    "posts": ({"message_id": 1},),
    "tenants": (),
    "api_keys": ({"scopes": ["read"]},),
    "requests": ({},),
    "web_sessions": ({},),
    "audit_log": ({},),
}
assert GIVEN.keys() == TABLE_OWNERSHIP.keys(), "a table added later gets a row here"
EVERYWHERE = {"channel": "private", "sensitivity": "none"}
# A real key, whose bytes are looked for too; the name of a space that others are in, and a group's number, which stay;
# and what the program says by itself.
NO_WORDS = {
    ("users", "data_key"),
    ("invitations", "space_id"),
    ("spaces", "chat"),
    ("program_texts", "hash"),
    ("program_texts", "text"),
}


def planted(column: Column[Any], word: str) -> Any:
    """What goes into a column that nothing else is said about."""
    match column.type:
        case LargeBinary():
            return word.encode().ljust(32)
        case JSONB():
            return {"text": word}
        case ARRAY():
            return [word]
        case Text():
            return word
        case HALFVEC():
            return HalfVector([1, 2])
        case DateTime():
            return NOON
        case Integer():
            return 1
        case _:
            return None


def row(table: Table, given: dict[str, Any], scope: dict[str, str], word: str) -> dict[str, Any]:
    holds_words = (Text, JSONB, ARRAY, LargeBinary)
    wanted = [
        column
        for column in table.columns
        if not column.computed
        and not column.identity
        and (isinstance(column.type, holds_words) or not (column.nullable or column.server_default))
    ]
    usual = {column.key: planted(column, word) for column in wanted}
    known = {name: value for name, value in {**EVERYWHERE, **scope}.items() if name in table.c}
    filled = {name: value.replace("{}", word) if isinstance(value, str) else value for name, value in given.items()}
    return {**usual, **known, **filled}


async def plant_everywhere(memory: Memory, viewer: Viewer, word: str, *, named: str, tables: list[str]) -> None:
    """A row in each of these tables, as the application, with the word in every column that can hold it."""
    async with memory.unit(viewer) as unit:
        for name in tables:
            scope = {"tenant_id": viewer.tenant, "space_id": personal_space(word)}
            for given in GIVEN[name]:
                values = row(Base.metadata.tables[name], given, scope, word)
                if values.get("space_id") == "named":
                    values["space_id"] = named
                await unit.session.execute(insert(Base.metadata.tables[name]).values(**values))


def not_planted(url: str, word: str) -> set[tuple[str, str]]:
    """Columns of the registry's tables that can hold words and hold none of hers. A column that takes only the words of
    a list can hold none."""
    held = holding(url, word)
    with psycopg.connect(url) as admin:
        found = admin.execute(
            """SELECT c.relname, a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
               WHERE c.relname = ANY (%s) AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant_id'
                 AND a.atttypid = ANY ('{text,text[],jsonb,json,bytea,varchar,xml,tsvector}'::regtype[])
                 AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conrelid = c.oid AND k.contype = 'c'
                                 AND k.conkey = ARRAY[a.attnum]
                                 AND pg_get_constraintdef(k.oid) ~ '(= ANY \\(|<@ )\\(?ARRAY')""",
            (list(TABLE_OWNERSHIP),),
        ).fetchall()
    return {(table, column) for table, column in found} - held - NO_WORDS


async def say(memory: Memory, viewer: Viewer, conversation: str, *words: str, agent: bool = False) -> None:
    actor = (ActorType.AGENT, "keepsake") if agent else (ActorType.HUMAN, viewer.person)
    said = [prepare(Event(*actor, EventKind.MESSAGE, {"text": each}), NOON) for each in words]
    async with memory.unit(viewer) as unit:
        await record(unit, conversation, said)


async def remember(memory: Memory, viewer: Viewer, content: str, **given: Any) -> str:
    async with memory.unit(viewer) as unit:
        draft = FactDraft(content, Category.OTHER, **given)
        return (await facts.remember(unit, draft, Approval.ORDER, separate=True)).row.id


async def heard(memory: Memory, viewer: Viewer, conversation: str) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        found = await last_messages(unit.session, viewer, conversation, limit=100)
    return [str(message.content.get("text")) for message in found]


async def known(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [fact.words for fact in await facts.all_facts(unit)]


async def found_together(memory: Memory, owner: Viewer, member: Viewer, name: str = "Garden") -> str:
    async with memory.unit(owner) as unit:
        space = await spaces.create_space(unit, name)
    async with memory.unit(replace(owner, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    async with memory.unit(member) as unit:
        await spaces.join_space(unit, code)
    return space


def in_team(viewer: Viewer, space: str) -> Viewer:
    return replace(viewer, space=space, channel=Channel.TEAM)


@pytest.fixture
async def own(clone: Callable[[], str], server: EmbeddedServer) -> AsyncIterator[tuple[str, Memory]]:
    """A database that nobody else writes to."""
    name = clone()
    database = Database(server.url(APPLICATION, name))
    yield name, Memory(database, KEYRING)
    await database.close()


async def test_no_byte_of_an_erased_person_is_left_in_any_table_or_file(
    own: tuple[str, Memory], server: EmbeddedServer, tenant: str
) -> None:
    name, memory = own
    url, word, quoted, long = server.url("postgres", name), canary(), canary(), canary()
    ada, ben = Viewer.in_private(tenant, word), Viewer.in_private(tenant, "test:ben")
    async with memory.unit(ben) as unit:
        await welcome(unit.session, ben, name="ben", timezone="UTC", now=NOON)

    # Into every table as the application may write it, then through the program.
    await plant_everywhere(memory, ada, word, named="", tables=[table for table in ROWS if table != "invitations"])
    space = await found_together(memory, ada, ben, f"The space of {word}")
    shared = replace(ada, space=space)
    await plant_everywhere(memory, shared, word, named=space, tables=["invitations"])
    async with memory.unit(shared) as unit:
        await spaces.invite(unit)
    async with memory.unit(ada) as unit:
        conversation = timed_id("cnv", NOON)
        await start_conversation(unit.session, ada, conversation_id=conversation, agent_id="keepsake", now=NOON)
        for words in (f"I met {word} at the river", f"{SICK}, says {word}"):
            await facts.remember(unit, FactDraft(words, Category.OTHER), Approval.ORDER)
            await proposals.propose(unit, ProposalKind.ADD, FactDraft(f"{words} today", Category.OTHER))
        await pin_snapshot(unit, conversation)
    filler = " ".join("".join(secrets.choice("bdfghjklmn") for _ in range(8)) for _ in range(1400))
    await say(memory, ada, conversation, f"Hello, {quoted} is what I say", f"{SICK} like {word}")
    await say(memory, ada, conversation, f"{filler} {long} {filler}")
    await say(memory, ada, conversation, f"You said {word}", agent=True)
    met = await remember(memory, shared, f"The meeting is at {word}")
    async with memory.unit(shared) as unit:
        await facts.share(unit, met)
    await say_in_team(memory, in_team(ada, space), word)

    # Ben quotes her, and his conversation has pinned what she shared.
    async with memory.unit(replace(ben, space=space)) as unit:
        his = timed_id("cnv", NOON)
        await start_conversation(unit.session, unit.viewer, conversation_id=his, agent_id="keepsake", now=NOON)
        await pin_snapshot(unit, his)
    quotation = f"She said {quoted} to me"
    await say(memory, replace(ben, space=space), his, quotation)
    await remember(memory, ben, quotation)

    # The search finds what there is to find.
    with psycopg.connect(url) as admin:
        found = admin.execute("SELECT data_key FROM users WHERE id = %s", (word,)).fetchone()
    assert found
    data_key = found[0]
    assert data_key
    assert not_planted(url, word) == set()
    cut = {("chunks", "text"), ("chunks", "terms"), ("postings", "term")}
    assert holding(url, long) == {("events", "content")} | cut
    assert in_files(server, name, word.encode()) > len(TABLE_OWNERSHIP)
    assert in_files(server, name, long.encode()) >= 1
    assert in_files(server, name, data_key) >= 1

    await erase(memory, tenant, word)

    # Nothing is left of her but what another person says.
    assert holding(url, word) == set()
    assert holding(url, long) == set()
    assert holding(url, data_key.decode("latin-1")) == set()
    hits = [(table, column, value) for table, column, value in everything(url) if quoted in value]
    assert sorted(hits) == [
        ("chunks", "terms", quotation.lower()),
        ("chunks", "text", quotation),
        ("events", "content", json.dumps({"text": quotation})),
        ("fact_versions", "content", quotation),
        ("postings", "term", quoted),
    ]
    vacuum(url)
    assert in_files(server, name, word.encode()) == 0
    assert in_files(server, name, long.encode()) == 0
    assert in_files(server, name, data_key) == 0
    assert in_files(server, name, quoted.encode()) == len(hits) + 1  # a posting stands in its index too

    assert await heard(memory, replace(ben, space=space), his) == [quotation]
    assert await known(memory, ben) == [quotation]


def vacuum(url: str) -> None:
    """Whoever still reads, as autovacuum does when it counts, would keep dead rows from being removed."""
    with psycopg.connect(url, autocommit=True) as admin:
        until(lambda: admin.execute(READERS).fetchone() == (0,))
        admin.execute("VACUUM FULL")


async def test_a_column_that_nobody_planted_is_seen(own: tuple[str, Memory], server: EmbeddedServer) -> None:
    name, _ = own
    with psycopg.connect(server.url("postgres", name)) as admin:
        admin.execute("ALTER TABLE tasks ADD COLUMN notes text, ADD COLUMN files bytea, ADD COLUMN points integer")
    unplanted = not_planted(server.url("postgres", name), canary())

    assert {("tasks", "notes"), ("tasks", "files"), ("tasks", "title")} <= unplanted
    assert not {("tasks", "points"), ("tasks", "status")} & unplanted


async def say_in_team(memory: Memory, viewer: Viewer, *words: str) -> str:
    async with memory.unit(viewer) as unit:
        conversation = timed_id("cnv", NOON)
        await start_conversation(unit.session, viewer, conversation_id=conversation, agent_id="keepsake", now=NOON)
    await say(memory, viewer, conversation, *words)
    return conversation


def rows_of(url: str, tenant: str, person: str) -> set[tuple[str, str]]:
    """Where the name of a person stands in a tenant."""
    with psycopg.connect(url) as admin:
        return {
            (table, value)
            for table in TABLE_OWNERSHIP
            for (value,) in admin.execute(
                f"SELECT t::text FROM {table} AS t WHERE tenant_id = %s AND t::text LIKE %s".encode(),
                (tenant, f"%{person}%"),
            )
        }


async def test_a_group_conversation_that_she_began_goes_on_without_her_messages(
    memory: Memory, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    space = await found_together(memory, ada, ben)
    conversation = await say_in_team(memory, in_team(ada, space), "ada: shall we meet?")
    await say(memory, in_team(ben, space), conversation, "ben: on Monday")
    await say(memory, in_team(ada, space), conversation, "ada: fine")
    await erase(memory, ada.tenant, ada.person)
    await say(memory, in_team(ben, space), conversation, "ben: is anybody here?")

    assert await heard(memory, in_team(ben, space), conversation) == ["ben: on Monday", "ben: is anybody here?"]
    assert rows_of(superuser_url, ada.tenant, "test:ada") == set()


async def test_a_space_with_others_in_it_stays_and_the_next_member_owns_it(
    memory: Memory, ada: Viewer, ben: Viewer
) -> None:
    space = await found_together(memory, ada, ben, "What ada called it")
    fact_id = await remember(memory, replace(ada, space=space), "the gate key hangs by the door")
    async with memory.unit(replace(ada, space=space)) as unit:
        await facts.share(unit, fact_id)
    here = replace(ben, space=space)
    await remember(memory, here, "the roses are mine")
    assert "the gate key hangs by the door" in await known(memory, here)

    await erase(memory, ada.tenant, ada.person)

    async with memory.unit(here) as unit:
        assert [(member.user, member.role) for member in await spaces.members(unit)] == [(ben.person, Role.OWNER)]
        assert [(each.id, each.subject) for each in await spaces.own_spaces(unit) if each.id == space] == [(space, "")]
        assert await spaces.invite(unit)
    assert await known(memory, here) == ["the roses are mine"]


async def test_a_space_that_was_hers_alone_goes_with_her(memory: Memory, ada: Viewer, superuser_url: str) -> None:
    async with memory.unit(ada) as unit:
        space = await spaces.create_space(unit, "Garden")
    await erase(memory, ada.tenant, ada.person)

    assert rows_of(superuser_url, ada.tenant, space) == set()


async def test_what_she_wrote_about_a_space_goes_also_when_she_has_left_it(
    memory: Memory, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    word = canary()
    space = await found_together(memory, ada, ben, f"The garden of {word}")
    async with memory.unit(replace(ada, space=space)) as unit:
        await spaces.leave_space(unit)
    await erase(memory, ada.tenant, ada.person)

    assert holding(superuser_url, word) == set()


async def test_a_decision_of_hers_that_replaced_another_persons_does_not_hold_her_back(
    memory: Memory, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    space = await found_together(memory, ada, ben)
    await decide(memory, in_team(ben, space), "dec_his", "we paint it blue", supersedes=None)
    await decide(memory, in_team(ada, space), "dec_hers", "we paint it green", supersedes="dec_his")
    await erase(memory, ada.tenant, ada.person)

    assert rows_of(superuser_url, ada.tenant, "test:ada") == set()
    assert len(rows_of(superuser_url, ada.tenant, "we paint it blue")) == 1


async def decide(memory: Memory, viewer: Viewer, name: str, words: str, *, supersedes: str | None) -> None:
    values = {
        "tenant_id": viewer.tenant,
        "id": name,
        "space_id": viewer.place,
        "user_id": viewer.person,
        "channel": viewer.channel,
        "ts": NOON,
        "scope": "project",
        "decision": words,
        "supersedes": supersedes,
    }
    async with memory.unit(viewer) as unit:
        await unit.session.execute(insert(Base.metadata.tables["decisions"]).values(**values))


async def test_erasing_twice_does_no_harm_and_she_may_come_back_as_a_stranger(
    memory: Memory, ada: Viewer, ben: Viewer, meet: Meet, superuser_url: str
) -> None:
    await remember(memory, ada, "the key is under the mat")
    await remember(memory, ben, "the roses are mine")
    await erase(memory, ada.tenant, ada.person)
    await erase(memory, ada.tenant, ada.person)
    assert rows_of(superuser_url, ada.tenant, "test:ada") == set()
    assert await known(memory, ben) == ["the roses are mine"]

    await meet("ada")
    await remember(memory, ada, SICK)
    assert await known(memory, ada) == [SICK]


class Dying(Database):
    """A database that goes away after so many transactions."""

    def __init__(self, url: str, lives: int) -> None:
        super().__init__(url)
        self.lives = lives

    @asynccontextmanager
    async def transaction(self, viewer: Viewer, **kind: Any) -> AsyncIterator[AsyncSession]:
        self.lives -= 1
        async with super().transaction(viewer, **kind) as session:
            yield session
            if self.lives < 0:
                raise DatabaseAway("gone before the commit")


@pytest.mark.parametrize("lives", range(4))
async def test_a_crash_between_the_steps_is_mended_by_repeating(
    memory: Memory, ada: Viewer, ben: Viewer, app_url: str, superuser_url: str, start: Converse, lives: int
) -> None:
    for name in ("Garden", "Runtime"):
        space = await found_together(memory, ada, ben, f"{name} of test:ada")
        await say_in_team(memory, in_team(ada, space), "test:ada was here")
    await remember(memory, ada, SICK)
    await say(memory, ada, await start(ada), "the words of test:ada")
    dying = Dying(app_url, lives)
    with pytest.raises(DatabaseAway):
        await erase(Memory(dying, KEYRING), ada.tenant, ada.person)
    await dying.close()
    assert rows_of(superuser_url, ada.tenant, "test:ada") != set()

    await erase(memory, ada.tenant, ada.person)
    assert rows_of(superuser_url, ada.tenant, "test:ada") == set()


async def test_an_unknown_user_is_erased_without_touching_anybody(
    memory: Memory, ada: Viewer, superuser_url: str
) -> None:
    await remember(memory, ada, "the key is under the mat")
    before = rows_of(superuser_url, ada.tenant, "")
    await erase(memory, ada.tenant, "test:nobody")
    await erase(memory, ada.tenant, "test:ad_")
    await erase(memory, ada.tenant, "%")

    assert rows_of(superuser_url, ada.tenant, "") == before


async def test_a_person_of_the_same_name_in_another_tenant_stays(memory: Memory, ada: Viewer) -> None:
    namesake = Viewer.in_private(f"{ada.tenant}-2", ada.person)
    async with memory.unit(namesake) as unit:
        await welcome(unit.session, namesake, name="ada", timezone="UTC", now=NOON)
    await remember(memory, namesake, "the key is under the mat")
    await erase(memory, ada.tenant, ada.person)

    assert await known(memory, namesake) == ["the key is under the mat"]


async def test_an_invitation_of_hers_opens_nothing_afterwards(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    async with memory.unit(ada) as unit:
        space = await spaces.create_space(unit, "Garden")
    async with memory.unit(replace(ada, space=space)) as unit:
        code = (await spaces.invite(unit)).code
    await erase(memory, ada.tenant, ada.person)

    async with memory.unit(ben) as unit:
        with pytest.raises(NotFound):
            await spaces.join_space(unit, code)


async def test_what_she_shared_and_sealed_is_gone_for_the_members_too(memory: Memory, ada: Viewer, ben: Viewer) -> None:
    space = await found_together(memory, ada, ben)
    fact_id = await remember(memory, ada, SICK)
    async with memory.unit(replace(ada, space=space)) as unit:
        assert (await facts.share(unit, fact_id)).row.sensitivity == Sensitivity.HIGH
    assert await known(memory, replace(ben, space=space)) == [SICK]
    await erase(memory, ada.tenant, ada.person)

    assert await known(memory, replace(ben, space=space)) == []
