"""The wall: what PostgreSQL shows to whom, measured with plain SELECTs and no filter of ours."""

import re
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any, cast

import psycopg
import pytest
from sqlalchemy import CursorResult, TextClause, text
from sqlalchemy.exc import DBAPIError

from db.engine import Database, switch_viewer
from db.errors import WriteRefused
from db.queries.events.events import NewEvent, append_events
from db.queries.facts.facts import NewVersion, add_version, new_fact
from db.queries.model.bundles import keep_texts
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


async def test_a_channel_loads_only_the_sensitivities_it_may(database: Database, group: Viewer) -> None:
    alone = replace(group, channel=Channel.PRIVATE)
    for sensitivity in ("none", "low", "high"):
        await remember(database, alone, f"{sensitivity} context", visibility="shared", sensitivity=sensitivity)
    await remember(database, alone, "none preference", visibility="shared", category=Category.PREFERENCE)

    assert {each: await seen(database, replace(group, channel=each), ALL_FACTS) for each in Channel} == {
        Channel.PUBLIC: ["none context"],
        Channel.TEAM: ["high context", "low context", "none context", "none preference"],
        Channel.AGENT: ["low context", "none context", "none preference"],
        Channel.PRIVATE: ["high context", "low context", "none context", "none preference"],
    }


HERS = "CAST({0} AS text) LIKE '%ada%'"


@pytest.fixture
async def furnished(database: Database, tenant: str) -> Viewer:
    return await furnish(database, tenant, "ada")


async def counts(database: Database, viewer: Viewer, where: str = "true") -> dict[str, int]:
    """Of every table, how many rows this viewer is shown; the empty ones are left out."""
    each = (f"SELECT '{table}' AS name, count(*) AS rows FROM {table} WHERE {where.format(table)}" for table in TABLES)
    async with database.transaction(viewer, read_only=True) as session:
        found = await session.execute(text(" UNION ALL ".join(each)))
        return {name: rows for name, rows in found if rows}


async def test_a_person_sees_their_own_row_in_every_table(database: Database, furnished: Viewer) -> None:
    assert sorted(await counts(database, furnished, HERS)) == TABLES


def others(ada: Viewer, ben: Viewer) -> list[Viewer]:
    return [
        ben,
        replace(ben, space=ada.space),
        replace(ben, channel=Channel.AGENT),
        *(Viewer(ben.tenant, None, ada.space, channel) for channel in Channel),
        Viewer("another", ada.user, ada.space, Channel.PRIVATE),
        Viewer.nobody(ben.tenant),
    ]


async def test_nobody_else_sees_it(database: Database, furnished: Viewer, ben: Viewer) -> None:
    seen_by = {viewer: await counts(database, viewer, HERS) for viewer in others(furnished, ben)}

    assert {viewer: tables for viewer, tables in seen_by.items() if tables} == {}


async def test_nobody_else_changes_or_removes_it_not_even_blindly(
    database: Database, furnished: Viewer, ben: Viewer
) -> None:
    """Without a WHERE and without reading a column, PostgreSQL asks only the policies for UPDATE and DELETE."""
    too_many = []
    for viewer in others(furnished, ben):
        own = await counts(database, viewer)
        for table in TABLES:
            [*updates] = [right for right in granted(Base.metadata.tables[table]) if right.startswith("UPDATE (")]
            column = updates[0].removeprefix("UPDATE (").split(",")[0].rstrip(")") if updates else "tenant_id"
            for blind in (f"UPDATE {table} SET {column} = DEFAULT", f"DELETE FROM {table}"):
                touched = await touched_by(database, viewer, blind)
                if touched > own.get(table, 0):
                    too_many.append((viewer, blind, touched))

    assert too_many == []


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


REFUSED = "permission denied"
WALLED = r"row-level security|no such conversation"


async def unlike(
    database: Database,
    viewer: Viewer,
    statement: str | TextClause,
    refusal: str,
    *,
    after: tuple[Viewer, str] | None = None,
    **values: str,
) -> list[tuple[Viewer, str, str]]:
    """What happened when this viewer tried a statement, unless it was refused in these words. What somebody does before
    is undone afterwards; they may be refused it."""
    tried = text(statement) if isinstance(statement, str) else statement
    try:
        async with database.transaction(after[0] if after else viewer) as session:
            if after:
                with suppress(DBAPIError):
                    async with session.begin_nested():
                        await session.execute(text(after[1]))
                await switch_viewer(session, viewer)
            await session.execute(tried, values)
            await session.rollback()
    except WriteRefused as refused:
        return [] if re.search(refusal, str(refused)) else [(viewer, str(tried), str(refused))]
    return [(viewer, str(tried), "was done")]


async def test_what_the_database_makes_nobody_else_makes(database: Database, furnished: Viewer) -> None:
    wrong = []
    for table in MADE_BY_THE_DATABASE:
        for statement in (f"DELETE FROM {table}", f"INSERT INTO {table} DEFAULT VALUES"):
            wrong += await unlike(database, furnished, statement, REFUSED)

    assert wrong == []


async def test_nobody_writes_a_row_in_another_persons_name(database: Database, furnished: Viewer, ben: Viewer) -> None:
    """The very statement with which ada wrote it. Where she could, she removed her row, so no key is in the way."""
    elsewhere = replace(ben, space=furnished.space)
    wrong = []
    for table in ROWS:
        removed = (furnished, f"DELETE FROM {table}")
        for viewer in (ben, elsewhere, replace(elsewhere, user=None)):
            wrong += await unlike(database, viewer, insertion(table), WALLED, after=removed, t=ben.tenant, n="ada")

    assert wrong == []


async def test_a_row_never_moves(database: Database, furnished: Viewer) -> None:
    wrong = []
    for table in TABLES:
        columns = Base.metadata.tables[table].columns
        for column in sorted(name for name in FIXED & set(columns.keys()) if not columns[name].identity):
            wrong += await unlike(database, furnished, f"UPDATE {table} SET {column} = NULL", REFUSED)

    assert wrong == []


async def test_without_a_viewer_and_as_the_owner_of_the_tables_there_is_nothing_to_see(
    furnished: Viewer, app_url: str, owner_url: str
) -> None:
    for url in (app_url, owner_url):
        with psycopg.connect(url) as stranger:
            rows = {table: stranger.execute(f"SELECT count(*) FROM {table}".encode()).fetchone() for table in TABLES}
        assert {table: found for table, found in rows.items() if found != (0,)} == {}


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


async def test_a_row_cannot_name_what_its_writer_cannot_see(database: Database, furnished: Viewer, tenant: str) -> None:
    """A foreign key alone would accept it, and so tell that it exists."""
    ben = await furnish(database, tenant, "ben")
    wrong = []
    for table, _, named in NAMING:
        own = "rpad(:n, 8, '0')" if named == "ada00000" else f"'{named[:4]}' || :n"
        statement = str(insertion(table)).replace("\\:\\:", "::")
        assert own in statement
        for given in (named, "nothing0"):
            forged = text(statement.replace(own, f"'{given}'").replace("::", r"\:\:"))
            removed = (ben, f"DELETE FROM {table}")
            wrong += await unlike(database, ben, forged, "row-level security", after=removed, t=tenant, n="ben")

    assert wrong == []


async def test_nobody_takes_the_name_of_anothers_personal_space(database: Database, ada: Viewer, ben: Viewer) -> None:
    named_after = "personal_spaces_are_named_after_their_owner"
    insert = "INSERT INTO spaces (tenant_id, id, kind, created_by) VALUES (:t, :s, :k, :u)"
    wrong = []
    for space in ("personal:test:eve", "personal:test:ada", "personal:"):
        for kind in ("personal", "group", "named"):
            wrong += await unlike(database, ben, insert, named_after, t=ben.tenant, s=space, k=kind, u=ben.person)

    assert wrong == []


async def test_nobody_makes_themselves_a_member_of_anothers_space(
    database: Database, group: Viewer, ben: Viewer
) -> None:
    insert = "INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES (:t, :s, :u, :r)"
    wrong = []
    for role in ("owner", "member"):
        wrong += await unlike(
            database, ben, insert, "row-level security", t=ben.tenant, s=group.place, u=ben.person, r=role
        )

    assert wrong == []


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


def test_the_application_role_may_do_exactly_what_each_table_declares(app_url: str) -> None:
    with psycopg.connect(app_url) as app:
        whole = app.execute(
            "SELECT table_name, privilege_type FROM information_schema.role_table_grants WHERE grantee = current_user"
        ).fetchall()
        columns = app.execute(
            "SELECT table_name, column_name FROM information_schema.role_column_grants"
            " WHERE grantee = current_user AND privilege_type = 'UPDATE'"
        ).fetchall()
    declared = {(table, right) for table in TABLES for right in granted(Base.metadata.tables[table])}

    assert {each for each in whole if each[0] in TABLES} == {
        (table, right) for table, right in declared if not right.startswith("UPDATE")
    }
    assert {each for each in columns if each[0] in TABLES} == {
        (table, name) for table, right in declared for name in re.findall(r"\w+", right.partition("(")[2])
    }
