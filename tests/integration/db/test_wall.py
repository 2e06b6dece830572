"""The wall: what PostgreSQL shows to whom, measured with plain SELECTs and no filter of ours."""

import re
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import CursorResult, text

from db.engine import Database
from db.errors import WriteRefused
from db.queries.bundles import keep_texts
from db.queries.events import NewEvent, append_events
from db.queries.facts import NewVersion, add_version, new_fact
from db.roles import granted
from db.tables import Base
from db.tables.base import FIXED
from db.viewer import Viewer
from db.vocabulary import ActorType, Approval, Category, Channel, EventKind, Sensitivity, Visibility
from tests.conftest import NOON, Converse, Meet
from tests.furniture import MADE_BY_THE_DATABASE, NOBODYS, ROWS, furnish, insertion

TABLES = sorted(Base.metadata.tables.keys() - NOBODYS)


def message(event_id: str, words: str) -> NewEvent:
    return NewEvent(event_id, NOON, ActorType.HUMAN, "someone", EventKind.MESSAGE, {"text": words})


async def seen(database: Database, viewer: Viewer, query: str) -> list[Any]:
    async with database.transaction(viewer, read_only=True) as session:
        return list((await session.execute(text(query))).scalars())


ALL_WORDS = "SELECT content ->> 'text' FROM events ORDER BY 1"
ALL_FACTS = """SELECT COALESCE(v.content, convert_from(v.sealed, 'UTF8'))
               FROM facts AS f JOIN fact_versions AS v ON v.fact_id = f.id ORDER BY 1"""


async def test_an_event_is_read_by_its_user_and_by_nobody_else(
    database: Database, ada: Viewer, ben: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [message("evt_a", "ada's canary")])

    assert await seen(database, ada, ALL_WORDS) == ["ada's canary"]
    assert await seen(database, ben, ALL_WORDS) == []


async def test_the_same_user_id_in_another_tenant_is_another_person(
    database: Database, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [message("evt_a", "ada's canary")])

    assert ada.user is not None
    assert await seen(database, Viewer.in_private("another", ada.user), ALL_WORDS) == []


async def test_a_private_fact_is_read_by_its_owner_and_by_nobody_else(
    database: Database, ada: Viewer, ben: Viewer
) -> None:
    await remember(database, ada, "is looking for a new job")

    assert await seen(database, ada, ALL_FACTS) == ["is looking for a new job"]
    assert await seen(database, ben, ALL_FACTS) == []


@pytest.fixture
async def group(database: Database, ada: Viewer) -> Viewer:
    """A group that ada founded: she in it, speaking aloud."""
    async with database.transaction(ada) as session:
        for statement in (
            "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES (:t, 'group:1', 'group', :u)",
            "INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES (:t, 'group:1', :u, 'owner')",
        ):
            await session.execute(text(statement), {"t": ada.tenant, "u": ada.user})
    return Viewer(ada.tenant, ada.user, "group:1", Channel.TEAM)


async def test_naming_a_space_opens_it_only_to_its_members(database: Database, group: Viewer, ben: Viewer) -> None:
    await remember(database, replace(group, channel=Channel.PRIVATE), "shared with the group", visibility="shared")
    intruder = Viewer(ben.tenant, ben.user, group.space, Channel.PRIVATE)

    assert await seen(database, group, ALL_FACTS) == ["shared with the group"]
    assert await seen(database, replace(group, user=None), ALL_FACTS) == ["shared with the group"]
    assert await seen(database, intruder, ALL_FACTS) == []


async def test_what_is_said_in_a_group_is_read_there_and_by_its_members(
    database: Database, group: Viewer, ben: Viewer, start: Converse
) -> None:
    conversation = await start(group)
    async with database.transaction(group) as session:
        await append_events(session, group, conversation, [message("evt_g", "said aloud")])

    itself, member = replace(group, user=None), replace(group, channel=Channel.PRIVATE)
    for viewer in (group, itself, member):
        assert await seen(database, viewer, ALL_WORDS) == ["said aloud"]
    for viewer in (ben, replace(ben, space="group:1"), replace(itself, channel=Channel.PUBLIC)):
        assert await seen(database, viewer, ALL_WORDS) == []


async def test_in_a_group_nothing_private_shows_even_to_its_own_user(
    database: Database, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [message("evt_a", "said in private")])
    await remember(database, ada, "a private fact")
    for channel in (Channel.PUBLIC, Channel.TEAM):
        aloud = Viewer(ada.tenant, ada.user, ada.space, channel)

        assert await seen(database, aloud, ALL_WORDS) == []
        assert await seen(database, aloud, ALL_FACTS) == []


@pytest.mark.parametrize(
    ("channel", "expected"),
    [
        (Channel.PUBLIC, ["none context"]),
        (Channel.TEAM, ["high context", "low context", "none context", "none preference"]),
        (Channel.AGENT, ["low context", "none context", "none preference"]),
        (Channel.PRIVATE, ["high context", "low context", "none context", "none preference"]),
    ],
)
async def test_a_channel_loads_only_the_sensitivities_it_may(
    database: Database, group: Viewer, channel: Channel, expected: list[str]
) -> None:
    alone = replace(group, channel=Channel.PRIVATE)
    for sensitivity in ("none", "low", "high"):
        await remember(database, alone, f"{sensitivity} context", visibility="shared", sensitivity=sensitivity)
    await remember(database, alone, "none preference", visibility="shared", category=Category.PREFERENCE)

    assert await seen(database, replace(group, channel=channel), ALL_FACTS) == expected


HERS = "CAST({0} AS text) LIKE '%ada%'"


@pytest.fixture
async def furnished(database: Database, tenant: str) -> Viewer:
    return await furnish(database, tenant, "ada")


async def try_as(database: Database, viewer: Viewer, statement: str) -> int:
    """How many rows a statement touched; none, where the database refused it."""
    try:
        async with database.transaction(viewer) as session:
            return cast("CursorResult[Any]", await session.execute(text(statement))).rowcount
    except WriteRefused:
        return 0


@pytest.mark.parametrize("table", TABLES)
async def test_a_person_sees_their_own_row_in_every_table(database: Database, furnished: Viewer, table: str) -> None:
    assert await seen(database, furnished, f"SELECT count(*) FROM {table} WHERE {HERS.format(table)}") > [0]


def others(ada: Viewer, ben: Viewer) -> list[Viewer]:
    return [
        ben,
        replace(ben, space=ada.space),
        replace(ben, channel=Channel.AGENT),
        *(Viewer(ben.tenant, None, ada.space, channel) for channel in Channel),
        Viewer("another", ada.user, ada.space, Channel.PRIVATE),
        Viewer.nobody(ben.tenant),
    ]


@pytest.mark.parametrize("table", TABLES)
async def test_nobody_else_sees_it(database: Database, furnished: Viewer, ben: Viewer, table: str) -> None:
    for viewer in others(furnished, ben):
        assert await seen(database, viewer, f"SELECT count(*) FROM {table} WHERE {HERS.format(table)}") == [0]


@pytest.mark.parametrize("table", TABLES)
async def test_nobody_else_changes_or_removes_it_not_even_blindly(
    database: Database, furnished: Viewer, ben: Viewer, table: str
) -> None:
    """Without a WHERE and without reading a column, PostgreSQL asks only the policies for UPDATE and DELETE."""
    [*updates] = [right for right in granted(Base.metadata.tables[table]) if right.startswith("UPDATE (")]
    column = updates[0].removeprefix("UPDATE (").split(",")[0].rstrip(")") if updates else "tenant_id"
    for viewer in others(furnished, ben):
        for blind in (f"UPDATE {table} SET {column} = DEFAULT", f"DELETE FROM {table}"):
            [own] = await seen(database, viewer, f"SELECT count(*) FROM {table}")
            assert await touched_by(database, viewer, blind) <= own


async def touched_by(database: Database, viewer: Viewer, statement: str) -> int:
    """How many rows a statement touches, which is undone again: none where the right is missing, and at least one
    where it failed on a row."""
    try:
        async with database.transaction(viewer) as session:
            rows = cast("CursorResult[Any]", await session.execute(text(statement))).rowcount
            await session.rollback()
            return rows
    except WriteRefused as refused:
        return 0 if re.search("permission denied|append-only", str(refused)) else 1


async def test_members_of_a_space_do_not_see_each_others_private_conversations_in_it(
    database: Database, group: Viewer, ben: Viewer, start: Converse, superuser_url: str
) -> None:
    with psycopg.connect(superuser_url) as admin:
        admin.execute(
            "INSERT INTO space_members (tenant_id, space_id, user_id) VALUES (%s, 'group:1', %s)",
            (ben.tenant, ben.user),
        )
    alone, other = replace(group, channel=Channel.PRIVATE), replace(ben, space="group:1")
    conversation = await start(alone)
    async with database.transaction(alone) as session:
        await append_events(session, alone, conversation, [message("evt_g", "between us")])

    assert await seen(database, alone, ALL_WORDS) == ["between us"]
    assert await seen(database, other, ALL_WORDS) == []
    assert await seen(database, other, "SELECT id FROM conversations") == []
    assert await touched_by(database, other, "UPDATE conversations SET ended_at = DEFAULT") == 0
    with pytest.raises(WriteRefused, match="no such conversation"):
        async with database.transaction(other) as session:
            await append_events(session, other, conversation, [message("evt_i", "intruding")])


async def test_texts_of_the_program_stay_within_a_deployment_and_are_what_their_hash_says(
    database: Database, ada: Viewer
) -> None:
    words = "Be kind."
    async with database.transaction(ada) as session:
        await keep_texts(session, ada, {sha256(words.encode()).hexdigest(): words})

    assert await seen(database, ada, "SELECT text FROM program_texts") == [words]
    assert await seen(database, replace(ada, tenant="other"), "SELECT text FROM program_texts") == []
    with pytest.raises(WriteRefused, match="found_by_what_it_says"):
        async with database.transaction(ada) as session:
            await keep_texts(session, ada, {sha256(words.encode()).hexdigest(): "Be cruel."[::-1]} | {"0": words})
    with pytest.raises(WriteRefused, match="permission denied"):
        async with database.transaction(ada) as session:
            await session.execute(text("UPDATE program_texts SET text = ''"))


@pytest.mark.parametrize("table", MADE_BY_THE_DATABASE)
async def test_what_the_database_makes_nobody_else_makes(database: Database, furnished: Viewer, table: str) -> None:
    for statement in (f"DELETE FROM {table}", f"INSERT INTO {table} DEFAULT VALUES"):
        with pytest.raises(WriteRefused, match="permission denied"):
            async with database.transaction(furnished) as session:
                await session.execute(text(statement))


@pytest.mark.parametrize("table", ROWS)
async def test_nobody_writes_a_row_in_another_persons_name(
    database: Database, furnished: Viewer, ben: Viewer, table: str
) -> None:
    """The very statement with which ada wrote it. Where she could, she removed her row, so no key is in the way."""
    await try_as(database, furnished, f"DELETE FROM {table}")
    for viewer in (
        ben,
        replace(ben, space=furnished.space),
        Viewer(ben.tenant, None, furnished.space, Channel.PRIVATE),
    ):
        with pytest.raises(WriteRefused, match=r"row-level security|no such conversation"):
            async with database.transaction(viewer) as session:
                await session.execute(insertion(table), {"t": ben.tenant, "n": "ada"})


@pytest.mark.parametrize("table", TABLES)
async def test_a_row_never_moves(database: Database, furnished: Viewer, table: str) -> None:
    columns = Base.metadata.tables[table].columns
    for column in sorted(name for name in FIXED & set(columns.keys()) if not columns[name].identity):
        with pytest.raises(WriteRefused, match="permission denied"):
            async with database.transaction(furnished) as session:
                await session.execute(text(f"UPDATE {table} SET {column} = NULL"))


@pytest.mark.parametrize("table", TABLES)
async def test_without_a_viewer_and_as_the_owner_of_the_tables_there_is_nothing_to_see(
    furnished: Viewer, app_url: str, owner_url: str, table: str
) -> None:
    for url in (app_url, owner_url):
        with psycopg.connect(url) as stranger:
            assert stranger.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() == (0,)


NAMING = [
    ("fact_versions", "source_event_id", "evt_ada"),
    ("proposals", "source_event_id", "evt_ada"),
    ("proposals", "fact_id", "ada00000"),
    ("tombstones", "event_id", "evt_ada"),
    ("summaries", "conversation_id", "cnv_ada"),
    ("chunks", "event_id", "evt_ada"),
    ("embeddings", "chunk_id", "chk_ada"),
    ("bundles", "conversation_id", "cnv_ada"),
    ("snapshot_items", "conversation_id", "cnv_ada"),
    ("snapshot_items", "fact_id", "ada00000"),
]


@pytest.mark.parametrize(("table", "column", "named"), NAMING)
async def test_a_row_cannot_name_what_its_writer_cannot_see(
    database: Database, furnished: Viewer, tenant: str, table: str, column: str, named: str
) -> None:
    """A foreign key alone would accept it, and so tell that it exists."""
    ben = await furnish(database, tenant, "ben")
    await try_as(database, ben, f"DELETE FROM {table}")
    own = "rpad(:n, 8, '0')" if named == "ada00000" else f"'{named[:4]}' || :n"
    statement = str(insertion(table)).replace("\\:\\:", "::")
    assert own in statement
    for given in (named, "nothing0"):
        forged = text(statement.replace(own, f"'{given}'").replace("::", r"\:\:"))
        with pytest.raises(WriteRefused, match="row-level security"):
            async with database.transaction(ben) as session:
                await session.execute(forged, {"t": tenant, "n": "ben"})


@pytest.mark.parametrize("space", ["personal:test:eve", "personal:test:ada", "personal:"])
async def test_nobody_takes_the_name_of_anothers_personal_space(
    database: Database, ada: Viewer, ben: Viewer, space: str
) -> None:
    for kind in ("personal", "group", "named"):
        with pytest.raises(WriteRefused, match="personal_spaces_are_named_after_their_owner"):
            async with database.transaction(ben) as session:
                await session.execute(
                    text("INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES (:t, :s, :k, :u)"),
                    {"t": ben.tenant, "s": space, "k": kind, "u": ben.user},
                )


async def test_nobody_makes_themselves_a_member_of_anothers_space(
    database: Database, group: Viewer, ben: Viewer
) -> None:
    for role in ("owner", "member"):
        with pytest.raises(WriteRefused, match="row-level security"):
            async with database.transaction(ben) as session:
                await session.execute(
                    text("INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES (:t, :s, :u, :r)"),
                    {"t": ben.tenant, "s": group.space, "u": ben.user, "r": role},
                )


def test_a_temporary_table_cannot_stand_before_one_of_ours(superuser_url: str, template: str) -> None:
    """Asked of the database that was migrated: a clone does not take this right of the whole database along."""
    with psycopg.connect(superuser_url) as admin:
        may = admin.execute("SELECT has_database_privilege('keepsake_app', %s, 'TEMP')", (template,)).fetchone()

    assert may == (False,)


async def test_a_viewer_is_forgotten_when_the_transaction_ends(database: Database, meet: Meet) -> None:
    """The pool hands the same connection to the next person."""
    single = [await meet(name) for name in ("one", "two", "three")]
    for viewer in single:
        assert await seen(database, viewer, "SELECT id FROM users") == [viewer.user]


async def remember(
    database: Database,
    viewer: Viewer,
    content: str,
    *,
    visibility: str = "private",
    sensitivity: str = "none",
    category: Category = Category.CONTEXT,
) -> None:
    sealed = content.encode() if sensitivity == "high" else None
    new = NewVersion(
        content=None if sealed else content,
        subject=None,
        value=None,
        sealed=sealed,
        space=viewer.place,
        visibility=Visibility(visibility),
        sensitivity=Sensitivity(sensitivity),
        author=viewer.person,
        approval=Approval.ORDER,
    )
    async with database.transaction(viewer) as session:
        fact_id = await new_fact(
            session, viewer, category=category, attribute=None, importance=0.5, visibility=new.visibility, now=NOON
        )
        await add_version(session, viewer, fact_id, new, NOON)


async def test_read_only_transactions_refuse_to_write(database: Database, ada: Viewer) -> None:
    with pytest.raises(WriteRefused):
        async with database.transaction(ada, read_only=True) as session:
            await session.execute(text("UPDATE users SET name = 'x'"))


@pytest.mark.parametrize("table", TABLES)
def test_the_application_role_may_do_exactly_what_each_table_declares(app_url: str, table: str) -> None:
    with psycopg.connect(app_url) as app:
        whole = app.execute(
            "SELECT privilege_type FROM information_schema.role_table_grants"
            " WHERE table_name = %s AND grantee = current_user",
            (table,),
        ).fetchall()
        columns = app.execute(
            "SELECT column_name FROM information_schema.role_column_grants"
            " WHERE table_name = %s AND grantee = current_user AND privilege_type = 'UPDATE'",
            (table,),
        ).fetchall()
    declared = granted(Base.metadata.tables[table])

    assert {right for (right,) in whole} == {right for right in declared if not right.startswith("UPDATE")}
    updatable = {name for right in declared for name in re.findall(r"\w+", right.partition("(")[2])}
    assert {name for (name,) in columns} == updatable
