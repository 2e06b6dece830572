"""Events: numbered by the database without gaps or doubles, and never rewritten."""

import asyncio

import psycopg
import pytest
from sqlalchemy import text

from db.engine import Database
from db.errors import WriteRefused
from db.ids import timed_id
from db.queries.events.events import NewEvent, append_events, last_messages
from db.viewer import Viewer
from db.vocabulary import ActorType, EventKind
from tests.conftest import NOON, Converse


def event(words: str, kind: EventKind = EventKind.MESSAGE) -> NewEvent:
    return NewEvent(timed_id("evt", NOON), NOON, ActorType.HUMAN, "someone", kind, {"text": words})


async def numbers(database: Database, viewer: Viewer, conversation: str) -> list[tuple[int, int | None]]:
    async with database.transaction(viewer, read_only=True) as session:
        found = await session.execute(
            text("SELECT seq, message_seq FROM events WHERE conversation_id = :c ORDER BY seq"), {"c": conversation}
        )
        return [(seq, message_seq) for seq, message_seq in found]


async def test_ten_writers_at_once_leave_no_gap_and_no_double(app_url: str, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)
    pools = [Database(app_url, pool_size=1) for _ in range(10)]

    async def write(pool: Database, writer: int) -> None:
        for turn in range(20):
            kind = EventKind.TOOL_CALL if turn % 4 == 3 else EventKind.MESSAGE
            async with pool.transaction(ada) as session:
                await append_events(session, ada, conversation, [event(f"{writer}:{turn}", kind)])

    await asyncio.gather(*(write(pool, writer) for writer, pool in enumerate(pools)))
    found = await numbers(pools[0], ada, conversation)
    for pool in pools:
        await pool.close()

    assert [seq for seq, _ in found] == list(range(200))
    assert sorted(seq for _, seq in found if seq is not None) == list(range(150))


async def test_a_rolled_back_event_leaves_no_gap(database: Database, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)

    class Change(Exception):
        pass

    async def fail() -> None:
        async with database.transaction(ada) as session:
            await append_events(session, ada, conversation, [event("never happened")])
            raise Change

    with pytest.raises(Change):
        await fail()
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [event("first"), event("second")])

    assert await numbers(database, ada, conversation) == [(0, 0), (1, 1)]


async def test_an_event_takes_space_and_channel_from_its_conversation_whatever_the_writer_says(
    database: Database, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    async with database.transaction(ada) as session:
        await session.execute(
            text(
                "INSERT INTO events (tenant_id, id, conversation_id, space_id, user_id, seq, ts, channel, actor_type,"
                " actor_id, kind, content) VALUES (:t, 'evt_x', :c, 'elsewhere', :u, 77, now(), 'public', 'human',"
                " 'x', 'tool_call', '{}')"
            ),
            {"t": ada.tenant, "c": conversation, "u": ada.user},
        )
        found = await session.execute(text("SELECT seq, space_id, channel FROM events WHERE id = 'evt_x'"))
        assert found.one() == (0, ada.space, "private")


async def test_nobody_writes_into_another_persons_conversation(
    database: Database, ada: Viewer, ben: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    with pytest.raises(WriteRefused, match="no such conversation"):
        async with database.transaction(ben) as session:
            await append_events(session, ben, conversation, [event("intruding")])


async def test_the_same_update_of_telegram_is_recorded_once(database: Database, ada: Viewer, start: Converse) -> None:
    conversation = await start(ada)
    again = (
        "INSERT INTO events (tenant_id, id, conversation_id, user_id, ts, actor_type, actor_id, kind, content,"
        " update_id) VALUES (:t, :id, :c, :u, now(), 'human', 'x', 'message', '{}', 4711)"
    )
    parameters = {"t": ada.tenant, "c": conversation, "u": ada.user}
    async with database.transaction(ada) as session:
        await session.execute(text(again), {**parameters, "id": "evt_1"})
    with pytest.raises(WriteRefused, match="events_tenant_id_update_id_key"):
        async with database.transaction(ada) as session:
            await session.execute(text(again), {**parameters, "id": "evt_2"})


REWRITES = [
    "UPDATE events SET content = '{}'",
    "UPDATE events SET content = '{}' WHERE false",
    "DELETE FROM events",
    "TRUNCATE events CASCADE",
]


async def test_events_refuse_to_be_rewritten_by_every_role(
    database: Database, ada: Viewer, start: Converse, app_url: str, owner_url: str, superuser_url: str
) -> None:
    conversation = await start(ada)
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [event("carved in stone")])
    done = []
    for url in (app_url, owner_url, superuser_url):
        with psycopg.connect(url) as connection:
            for statement in REWRITES:
                connection.execute("SELECT set_config('keepsake.tenant', %s, true)", (ada.tenant,))
                connection.execute("SELECT set_config('keepsake.user', %s, true)", (ada.user,))
                connection.execute("SELECT set_config('keepsake.eraser', 'on', true)")
                try:
                    connection.execute(statement.encode())
                    done.append((url, statement))
                except psycopg.errors.InsufficientPrivilege:
                    pass
                connection.rollback()

    assert not done, done
    async with database.transaction(ada, read_only=True) as session:
        assert [row.content["text"] for row in await last_messages(session, ada, conversation, limit=9)] == [
            "carved in stone"
        ]


@pytest.mark.parametrize("role", ["app_url", "owner_url"])
@pytest.mark.parametrize("borrowed", ["keepsake_eraser", "keepsake_warden"])
def test_no_role_that_logs_in_can_become_the_eraser(request: pytest.FixtureRequest, role: str, borrowed: str) -> None:
    with (
        psycopg.connect(request.getfixturevalue(role)) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(f"SET ROLE {borrowed}".encode())


async def test_the_erasure_function_blanks_words_and_keeps_id_number_and_time(
    database: Database, ada: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    said = event("my cat is called Schrödinger, by the way")
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [said])
    async with database.transaction(ada) as session:
        blanked = await session.execute(text("SELECT wall.erase_event(:id, int4range(17, 28))"), {"id": said.id})
        assert blanked.scalar_one() is True

    async with database.transaction(ada, read_only=True) as session:
        [row] = await last_messages(session, ada, conversation, limit=9)
    assert row.content["text"] == "my cat is called ███████████, by the way"
    assert (row.event_id, row.ts) == (said.id, NOON)


async def test_the_erasure_function_deletes_only_what_is_the_viewers(
    database: Database, ada: Viewer, ben: Viewer, start: Converse
) -> None:
    conversation = await start(ada)
    said = event("ada said this")
    async with database.transaction(ada) as session:
        await append_events(session, ada, conversation, [said])

    erase = text("SELECT wall.erase_event(:id)")
    async with database.transaction(ben) as session:
        assert (await session.execute(erase, {"id": said.id})).scalar_one() is False
    assert await numbers(database, ada, conversation) == [(0, 0)]
    async with database.transaction(ada) as session:
        assert (await session.execute(erase, {"id": said.id})).scalar_one() is True
    assert await numbers(database, ada, conversation) == []
