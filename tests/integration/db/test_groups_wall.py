"""The wall around chats outside: the inbox, where events stand, cards in groups, and the doors into a group's space."""

import asyncio
import secrets
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from db.engine import Database
from db.errors import WriteRefused
from db.queries.events import inbox, posts
from db.queries.events.conversations import open_conversation, private_chats, start_conversation
from db.queries.people.spaces import choose_channel, enter_group, found_space, move_group
from db.viewer import Viewer
from db.vocabulary import Channel, SpaceKind
from tests.conftest import NOON, Meet, wait_until_blocked
from tests.furniture import furnish

MINUTE = timedelta(minutes=1)


def number() -> int:
    return secrets.randbelow(2**40)


async def enter(database: Database, viewer: Viewer, chat: str, *, is_admin: bool | None = None) -> Viewer:
    async with database.transaction(viewer) as session:
        space, channel = await enter_group(
            session, chat=chat, new_id=f"spc_{number()}", called="Team", is_admin=is_admin, now=NOON
        )
    return replace(viewer, space=space, channel=Channel(channel))


async def count(database: Database, viewer: Viewer, table: str) -> int:
    async with database.transaction(viewer, read_only=True) as session:
        return int((await session.execute(text(f"SELECT count(*) FROM {table}"))).scalar_one())


async def test_an_update_is_its_senders_alone_also_in_a_group(database: Database, ada: Viewer, ben: Viewer) -> None:
    update = number()
    async with database.transaction(ada) as session:
        await inbox.add_update(session, ada, update, "chat", b"sealed", NOON)
    here, there = [await enter(database, each, "chat:1") for each in (ada, ben)]

    assert await count(database, ada, "inbox") == 1
    for stranger in (here, ben, there, replace(there, user=None), Viewer.nobody(ada.tenant)):
        assert await count(database, stranger, "inbox") == 0
        async with database.transaction(stranger) as session:
            changed = await session.execute(text("UPDATE inbox SET answer = NULL"))
            assert changed.rowcount == 0  # type: ignore[attr-defined]
    async with database.transaction(Viewer.nobody(ada.tenant)) as session:
        await inbox.claim(session, "me", MINUTE, 9)
    for viewer, holder, may in ((there, "me", False), (here, "eve", False), (here, "me", True)):
        async with database.transaction(viewer) as session:
            assert await inbox.keep_answer(session, update, holder, b"sealed") is may


async def test_updates_are_handed_out_to_nobody_in_particular_of_the_same_deployment(
    database: Database, ada: Viewer
) -> None:
    update = number()
    async with database.transaction(ada) as session:
        await inbox.add_update(session, ada, update, "chat", b"sealed", NOON)
    nobody = Viewer.nobody(ada.tenant)
    for stranger in (ada, replace(nobody, tenant="another")):
        async with database.transaction(stranger) as session:
            assert await inbox.claim(session, "eve", MINUTE, 9) == []
            assert await inbox.renew_leases(session, "me", MINUTE, [update]) == set()
            assert await inbox.clear(session, NOON + MINUTE) == 0
            assert await inbox.state(session) == {}
            assert await private_chats(session) == []
    async with database.transaction(nobody) as session:
        [claimed] = await inbox.claim(session, "me", MINUTE, 9)
        assert (claimed.update_id, claimed.user) == (update, ada.user)
        assert await inbox.renew_leases(session, "eve", MINUTE, [update]) == set()
        assert await inbox.renew_leases(session, "me", MINUTE, [update]) == {update}


async def test_where_an_event_stands_is_seen_by_whoever_sees_the_event(
    database: Database, tenant: str, ben: Viewer
) -> None:
    ada = await furnish(database, tenant, "ada")
    async with database.transaction(ben) as session:
        assert await posts.event_at(session, ben, "chat_ada", 1) is None
        assert await posts.places_of(session, ben, ["evt_ada"]) == {}
        await posts.add_post(session, ben, "chat_ben", 1, "evt_ada")
    assert await count(database, ben, "posts") == 0
    async with database.transaction(ada) as session:
        assert await posts.places_of(session, ada, ["evt_ada"]) == {"evt_ada": ("chat_ada", 1)}
    aloud = await enter(database, ada, "chat:1")
    assert await count(database, aloud, "posts") == 0


async def test_a_card_is_read_and_answered_where_it_was_asked_by_its_owner(
    database: Database, tenant: str, ben: Viewer
) -> None:
    ada = await furnish(database, tenant, "ada")
    here, there = [await enter(database, each, "chat:1") for each in (ada, ben)]
    for stranger in (here, there, ben, replace(here, user=None)):
        assert await count(database, stranger, "proposals") == 0
        async with database.transaction(stranger) as session:
            changed = await session.execute(text("UPDATE proposals SET status = 'accepted'"))
            assert changed.rowcount == 0  # type: ignore[attr-defined]
    assert await count(database, ada, "proposals") == 1


async def test_a_group_is_entered_as_a_member_by_its_chat_alone(database: Database, ada: Viewer, ben: Viewer) -> None:
    here, there = await enter(database, ada, "chat:1"), await enter(database, ben, "chat:1")
    assert here.space == there.space
    assert here.channel == Channel.PUBLIC
    again = await enter(database, ben, "chat:1")
    assert again == there
    async with database.transaction(there) as session:
        assert not await choose_channel(session, "team")
    await enter(database, ben, "chat:1", is_admin=True)
    async with database.transaction(there) as session:
        assert await choose_channel(session, "team")
    demoted = await enter(database, ben, "chat:1", is_admin=False)
    assert demoted.channel == Channel.TEAM
    async with database.transaction(demoted) as session:
        assert not await choose_channel(session, "public")
    with pytest.raises(WriteRefused):
        async with database.transaction(await enter(database, ben, "chat:1", is_admin=True)) as session:
            await choose_channel(session, "private")


async def test_nobody_enters_a_named_or_a_personal_space_by_the_door_of_groups(
    database: Database, ada: Viewer, ben: Viewer
) -> None:
    async with database.transaction(ada) as session:
        await found_space(session, ada, space_id="garden", kind=SpaceKind.NAMED, subject="ours", now=NOON)
    for taken in ("garden", "personal:test:ada"):
        with pytest.raises(WriteRefused):
            async with database.transaction(ben) as session:
                await enter_group(session, chat="chat:9", new_id=taken, called="x", is_admin=True, now=NOON)
        entered = await enter(database, ben, taken, is_admin=True)
        assert entered.space not in {"garden", "personal:test:ada"}
    for space in ("garden", "personal:test:ada"):
        async with database.transaction(replace(ben, space=space)) as session:
            assert not await choose_channel(session, "team")
    async with database.transaction(replace(ada, space="garden")) as session:
        assert not await choose_channel(session, "team")  # her own, but no group
    with pytest.raises(WriteRefused):
        async with database.transaction(Viewer(ada.tenant, None, None, Channel.PUBLIC)) as session:
            await enter_group(session, chat="chat:1", new_id="spc_x", called="x", is_admin=True, now=NOON)


async def test_a_group_of_another_deployment_is_another_group(database: Database, ada: Viewer, meet: Meet) -> None:
    here = await enter(database, ada, "chat:1")
    elsewhere = Viewer.in_private(f"{ada.tenant}-2", "test:ada")
    with pytest.raises(WriteRefused):  # nobody knows her there
        await enter(database, elsewhere, "chat:1")
    async with database.transaction(replace(elsewhere, user=None)) as session:
        assert not await move_group(session, "chat:1", "chat:2")
    async with database.transaction(replace(elsewhere, space=here.space, channel=Channel.PUBLIC)) as session:
        assert not await choose_channel(session, "team")


async def test_a_group_is_moved_by_nobody_in_particular(database: Database, ada: Viewer, ben: Viewer) -> None:
    here = await enter(database, ada, "chat:1", is_admin=True)
    for viewer in (ada, here):
        async with database.transaction(viewer) as session:
            assert not await move_group(session, "chat:1", "chat:2")
    nobody = Viewer.nobody(ada.tenant)
    async with database.transaction(nobody) as session:
        assert not await move_group(session, "chat:1", "chat:1")
        assert not await move_group(session, "chat:7", "chat:1")
        assert await move_group(session, "chat:1", "chat:2")
        assert not await move_group(session, "chat:1", "chat:2")
    assert (await enter(database, ben, "chat:2")).space == here.space
    assert (await enter(database, ben, "chat:1")).space != here.space


async def move(database: Database, tenant: str) -> bool:
    async with database.transaction(Viewer.nobody(tenant)) as session:
        return await move_group(session, "chat:1", "chat:2")


async def test_a_group_whose_move_is_told_twice_at_once_is_moved_once(
    database: Database, ada: Viewer, superuser_url: str
) -> None:
    """Both chats tell of it. Who came second once took the group itself for one that had spoken there too early, and
    ended its conversation."""
    here = await enter(database, ada, "chat:1")
    async with database.transaction(here) as session:
        await start_conversation(session, here, conversation_id="cnv_1", agent_id="agent", now=NOON, chat="chat:1")
    async with database.transaction(Viewer.nobody(ada.tenant)) as session:
        assert await move_group(session, "chat:1", "chat:2")
        second = asyncio.create_task(move(database, ada.tenant))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
    assert await second is False
    async with database.transaction(here, read_only=True) as session:
        going_on = await open_conversation(session, here, "chat:2")
    assert going_on is not None
    assert going_on.id == "cnv_1"


async def test_who_speaks_in_a_group_just_as_it_moves_finds_the_same_space(
    database: Database, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    here = await enter(database, ada, "chat:1")
    async with database.transaction(Viewer.nobody(ada.tenant)) as session:
        assert await move_group(session, "chat:1", "chat:2")
        entering = asyncio.create_task(enter(database, ben, "chat:2"))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
    assert (await entering).space == here.space


async def test_a_group_moves_once_those_who_just_enter_it_are_inside(
    database: Database, ada: Viewer, ben: Viewer, superuser_url: str
) -> None:
    here = await enter(database, ada, "chat:1")
    async with database.transaction(ben) as session:
        await enter_group(session, chat="chat:2", new_id=f"spc_{number()}", called="Team", is_admin=None, now=NOON)
        moving = asyncio.create_task(move(database, ada.tenant))
        await asyncio.to_thread(wait_until_blocked, superuser_url)
    assert await moving
    assert (await enter(database, ben, "chat:2")).space == here.space
