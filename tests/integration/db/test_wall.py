"""The wall: what PostgreSQL shows to whom, measured with plain SELECTs and no filter of ours."""

import psycopg
import pytest
from sqlalchemy import text

from db.engine import Database
from db.errors import WriteRefused
from db.queries.events import NewEvent, append_events
from db.queries.facts import add_fact
from db.tables import Base
from db.tables.base import EVERYTHING
from db.viewer import Viewer
from db.vocabulary import ActorType, Category, Channel, EventKind
from tests.conftest import NOON, Converse, Meet

PERSONAL_TABLES = sorted(Base.metadata.tables)


def message(event_id: str, words: str) -> NewEvent:
    return NewEvent(event_id, NOON, ActorType.HUMAN, "someone", EventKind.MESSAGE, {"text": words})


async def seen(database: Database, viewer: Viewer, query: str) -> list[str]:
    async with database.transaction(viewer, read_only=True) as session:
        return list((await session.execute(text(query))).scalars())


ALL_WORDS = "SELECT content ->> 'text' FROM events ORDER BY 1"
ALL_FACTS = "SELECT v.content FROM facts AS f JOIN fact_versions AS v ON v.fact_id = f.id ORDER BY 1"


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


async def test_naming_a_space_opens_it_only_to_its_members(database: Database, ada: Viewer, ben: Viewer) -> None:
    await remember(database, ada, "shared with the space", visibility="shared")
    intruder = Viewer(ben.tenant, ben.user, ada.space, Channel.PRIVATE)
    member = Viewer(ada.tenant, None, ada.space, Channel.TEAM)

    assert await seen(database, intruder, ALL_FACTS) == []
    assert await seen(database, member, ALL_FACTS) == ["shared with the space"]


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
    database: Database, ada: Viewer, channel: Channel, expected: list[str]
) -> None:
    for sensitivity in ("none", "low", "high"):
        await remember(database, ada, f"{sensitivity} context", visibility="shared", sensitivity=sensitivity)
    await remember(database, ada, "none preference", visibility="shared", category=Category.PREFERENCE)

    assert await seen(database, Viewer(ada.tenant, None, ada.space, channel), ALL_FACTS) == expected


@pytest.mark.parametrize("table", PERSONAL_TABLES)
async def test_without_a_viewer_every_table_is_empty(
    database: Database, ada: Viewer, start: Converse, app_url: str, table: str
) -> None:
    await start(ada)
    await remember(database, ada, "something to see")
    with psycopg.connect(app_url) as stranger:
        assert stranger.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


@pytest.mark.parametrize("table", PERSONAL_TABLES)
async def test_even_the_owner_of_the_tables_sees_no_row(
    database: Database, ada: Viewer, start: Converse, owner_url: str, table: str
) -> None:
    await start(ada)
    await remember(database, ada, "something to see")
    with psycopg.connect(owner_url) as owner:
        assert owner.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)


async def test_nobody_writes_in_another_persons_name(database: Database, ada: Viewer, ben: Viewer) -> None:
    forged = "INSERT INTO facts (tenant_id, id, space_id, user_id, category) VALUES (:t, 'AAAAAAAA', :s, :u, 'other')"
    with pytest.raises(WriteRefused):
        async with database.transaction(ben) as session:
            await session.execute(text(forged), {"t": ada.tenant, "s": ada.space, "u": ada.user})
    with pytest.raises(WriteRefused):
        async with database.transaction(ben) as session:
            await session.execute(text(forged), {"t": ben.tenant, "s": ada.space, "u": ben.user})


async def test_nobody_makes_themselves_a_member_of_anothers_space(database: Database, ada: Viewer, ben: Viewer) -> None:
    with pytest.raises(WriteRefused):
        async with database.transaction(ben) as session:
            await session.execute(
                text("INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES (:t, :s, :u, 'owner')"),
                {"t": ben.tenant, "s": ada.space, "u": ben.user},
            )


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
    async with database.transaction(viewer) as session:
        row = await add_fact(
            session, viewer, content=content, category=category, subject=None, source_event_id=None, span=None, now=NOON
        )
        await session.execute(
            text("UPDATE facts SET visibility = :v, sensitivity = :s WHERE id = :id"),
            {"v": visibility, "s": sensitivity, "id": row.id},
        )


async def test_read_only_transactions_refuse_to_write(database: Database, ada: Viewer) -> None:
    with pytest.raises(WriteRefused):
        async with database.transaction(ada, read_only=True) as session:
            await session.execute(text("UPDATE users SET name = 'x'"))


def test_the_application_role_may_do_exactly_what_each_table_declares(app_url: str) -> None:
    with psycopg.connect(app_url) as app:
        for table in Base.metadata.sorted_tables:
            granted = app.execute(
                "SELECT privilege_type FROM information_schema.role_table_grants"
                " WHERE table_name = %s AND grantee = current_user",
                (table.name,),
            ).fetchall()
            assert {kind for (kind,) in granted} == set(table.info.get("granted", EVERYTHING).split(", ")), table.name
