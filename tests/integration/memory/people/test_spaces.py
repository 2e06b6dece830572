"""Spaces: founded, joined by a code that works once, left; and who may do what in them."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from db.errors import WriteRefused
from db.queries.people.spaces import enter_group
from db.viewer import Viewer
from db.vocabulary import Approval, Category, Channel, Role
from memory.errors import NotFound, Refused
from memory.facts import facts, history
from memory.facts.facts import FactDraft
from memory.people import spaces
from memory.unit import Memory
from tests.conftest import Meet, wait_until_blocked


@pytest.fixture
async def family(memory: Memory, ada: Viewer) -> Viewer:
    """Ada, alone with the assistant in a space that she founded."""
    async with memory.unit(ada) as unit:
        return replace(ada, space=await spaces.create_space(unit, "  The   family "))


async def code_for(memory: Memory, owner: Viewer) -> str:
    async with memory.unit(owner) as unit:
        return (await spaces.invite(unit)).code


async def join(memory: Memory, viewer: Viewer, code: str, now: datetime | None = None) -> Viewer:
    async with memory.unit(viewer, now=now) as unit:
        return replace(viewer, space=await spaces.join_space(unit, code))


async def share(memory: Memory, viewer: Viewer, content: str) -> str:
    async with memory.unit(viewer) as unit:
        fact_id = (await facts.remember(unit, FactDraft(content, Category.CONTEXT), Approval.ORDER)).row.id
        await facts.share(unit, fact_id)
    return fact_id


async def read(memory: Memory, viewer: Viewer) -> list[str]:
    async with memory.unit(viewer, read_only=True) as unit:
        return [row.words for row in await facts.all_facts(unit)]


async def test_a_founder_owns_the_space_and_an_invited_person_is_a_member(
    memory: Memory, family: Viewer, ben: Viewer
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    async with memory.unit(there, read_only=True) as unit:
        assert [(member.user, member.role) for member in await spaces.members(unit)] == [
            (family.user, Role.OWNER),
            (ben.user, Role.MEMBER),
        ]
        named = [(space.subject, space.role) for space in await spaces.own_spaces(unit) if space.subject]
        assert named == [("The family", Role.MEMBER)]


async def test_members_and_nobody_else_hear_each_others_names(
    memory: Memory, family: Viewer, ben: Viewer, meet: Meet
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    eve = await meet("eve")
    elsewhere = Viewer.in_private(f"{family.tenant}-2", ben.person)

    async def heard(viewer: Viewer) -> set[tuple[str, str]]:
        async with memory.unit(viewer, read_only=True) as unit:
            return set(await unit.session.execute(text("SELECT user_id, name FROM wall.names_here()")))

    both = {("test:ada", "ada"), ("test:ben", "ben")}
    for member in (family, there, replace(there, channel=Channel.PUBLIC)):
        assert await heard(member) == both
    for other in (eve, elsewhere):
        assert await heard(replace(other, space=family.space)) == set()
    async with memory.unit(family) as unit:
        await spaces.remove_member(unit, ben.person)
    assert await heard(there) == set()


async def test_an_invitation_works_once_even_for_ten_at_a_time(memory: Memory, family: Viewer, meet: Meet) -> None:
    code = await code_for(memory, family)
    guests = [await meet(f"guest{number}") for number in range(10)]

    async def attempt(guest: Viewer) -> bool:
        try:
            await join(memory, guest, code)
        except NotFound:
            return False
        return True

    assert sorted(await asyncio.gather(*map(attempt, guests))) == [False] * 9 + [True]


async def test_an_invitation_expires_and_a_made_up_one_looks_the_same(
    memory: Memory, family: Viewer, ben: Viewer
) -> None:
    code = await code_for(memory, family)
    late = datetime.now(UTC) + memory.limits.invitations + timedelta(seconds=1)
    told = []
    for attempt, now in ((code, late), ("made-up", None), ("", None)):
        with pytest.raises(NotFound) as error:
            await join(memory, ben, attempt, now)
        told.append(str(error.value))

    assert len(set(told)) == 1


async def test_the_code_is_not_in_the_database(memory: Memory, family: Viewer) -> None:
    code = await code_for(memory, family)
    async with memory.unit(family, read_only=True) as unit:
        assert code not in str((await unit.session.execute(text("SELECT i::text FROM invitations AS i"))).all())


async def test_a_member_neither_invites_nor_removes_nor_appoints(
    memory: Memory, family: Viewer, ben: Viewer, meet: Meet
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    for act in (
        spaces.invite,
        lambda unit: spaces.remove_member(unit, "test:ada"),
        lambda u: spaces.make_owner(u, "test:ben"),
    ):
        with pytest.raises(Refused):
            async with memory.unit(there) as unit:
                await act(unit)
    for statement in (
        "UPDATE space_members SET role = 'owner' WHERE user_id = 'test:ben'",
        "DELETE FROM space_members WHERE user_id = 'test:ada'",
        "UPDATE spaces SET subject = 'mine now' WHERE kind = 'named'",
    ):
        async with memory.unit(there) as unit:
            await unit.session.execute(text(statement))
    async with memory.unit(family, read_only=True) as unit:
        assert [member.role for member in await spaces.members(unit)] == [Role.OWNER, Role.MEMBER]
        assert {space.subject for space in await spaces.own_spaces(unit)} == {"", "The family"}


async def test_nobody_invites_into_a_personal_space(memory: Memory, ada: Viewer) -> None:
    with pytest.raises(Refused):
        await code_for(memory, ada)
    with pytest.raises(WriteRefused, match="row-level security"):
        async with memory.unit(ada) as unit:
            await unit.session.execute(
                text(
                    "INSERT INTO invitations (tenant_id, id, space_id, user_id, hash, expires_at) VALUES"
                    " (:t, 'inv', :s, :u, sha256('x'), now())"
                ),
                {"t": ada.tenant, "s": ada.space, "u": ada.user},
            )


async def test_shared_is_what_members_read_and_only_from_then_on(memory: Memory, family: Viewer, ben: Viewer) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    async with memory.unit(family) as unit:
        fact_id = (
            await facts.remember(unit, FactDraft("the old secret plan", Category.CONTEXT), Approval.ORDER)
        ).row.id
        await facts.revise(unit, fact_id, FactDraft("the garden needs water", Category.CONTEXT), Approval.COMMAND)
    assert await read(memory, there) == []
    async with memory.unit(family) as unit:
        await facts.share(unit, fact_id)

    assert await read(memory, there) == ["the garden needs water"]
    async with memory.unit(there, read_only=True) as unit:
        assert [row.words for row in await history.history(unit, fact_id)] == ["the garden needs water"]
        assert "secret plan" not in str((await unit.session.execute(text("SELECT content FROM fact_versions"))).all())
    async with memory.unit(family) as unit:
        await facts.unshare(unit, fact_id)
    assert await read(memory, there) == []


async def test_a_fact_of_the_personal_space_is_shared_into_a_space_and_comes_home(
    memory: Memory, family: Viewer, ada: Viewer, ben: Viewer
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    async with memory.unit(ada) as unit:
        fact_id = (
            await facts.remember(unit, FactDraft("the wifi is upstairs", Category.CONTEXT), Approval.ORDER)
        ).row.id
        with pytest.raises(Refused, match="nobody to share with"):
            await facts.share(unit, fact_id)
    async with memory.unit(family) as unit:
        await facts.share(unit, fact_id)
    assert await read(memory, there) == ["the wifi is upstairs"]
    async with memory.unit(ada) as unit:
        assert (await facts.unshare(unit, fact_id)).row.space == ada.space


@pytest.mark.parametrize("ended_by", ["leaving", "removal"])
async def test_who_is_no_longer_a_member_sees_nothing_and_takes_home_what_they_shared(
    memory: Memory, family: Viewer, ben: Viewer, ended_by: str
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    await share(memory, family, "ada shares this")
    await share(memory, there, "ben shares this")
    async with memory.unit(there if ended_by == "leaving" else family) as unit:
        await (spaces.leave_space(unit) if ended_by == "leaving" else spaces.remove_member(unit, there.person))

    assert await read(memory, family) == ["ada shares this"]
    assert await read(memory, there) == ["ben shares this"]
    async with memory.unit(ben, read_only=True) as unit:
        [row] = await facts.all_facts(unit)
        assert (row.visibility, row.space, row.approval) == ("private", ben.space, Approval.MEMBERSHIP)


async def test_a_founder_who_was_removed_does_not_come_back_by_the_back_door(
    memory: Memory, family: Viewer, ben: Viewer
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    async with memory.unit(family) as unit:
        await spaces.make_owner(unit, there.person)
    async with memory.unit(there) as unit:
        await spaces.remove_member(unit, family.person)
    with pytest.raises(WriteRefused, match="row-level security"):
        async with memory.unit(family) as unit:
            await unit.session.execute(
                text("INSERT INTO space_members (tenant_id, space_id, user_id, role) VALUES (:t, :s, :u, 'owner')"),
                {"t": family.tenant, "s": family.space, "u": family.user},
            )


async def test_when_the_last_owner_leaves_the_longest_member_owns_the_space(
    memory: Memory, family: Viewer, ben: Viewer
) -> None:
    there = await join(memory, ben, await code_for(memory, family))
    async with memory.unit(family) as unit:
        await spaces.leave_space(unit)
    async with memory.unit(there, read_only=True) as unit:
        assert [(member.user, member.role) for member in await spaces.members(unit)] == [(ben.user, Role.OWNER)]


async def test_two_owners_who_leave_at_once_leave_the_space_to_the_next(
    memory: Memory, family: Viewer, ben: Viewer, meet: Meet, superuser_url: str
) -> None:
    guests = [ben, await meet("eve")]
    there, eve = [await join(memory, guest, await code_for(memory, family)) for guest in guests]
    async with memory.unit(family) as unit:
        await spaces.make_owner(unit, there.person)

    async def leave() -> None:
        async with memory.unit(there) as unit:
            await spaces.leave_space(unit)

    async with memory.unit(family) as unit:
        await spaces.leave_space(unit)
        leaving = asyncio.create_task(leave())
        await asyncio.to_thread(wait_until_blocked, superuser_url)
    await leaving
    async with memory.unit(eve, read_only=True) as unit:
        assert [(member.user, member.role) for member in await spaces.members(unit)] == [(eve.user, Role.OWNER)]


async def test_what_is_remembered_in_a_group_is_the_groups_and_no_preference_is_kept_in_public(
    memory: Memory, ada: Viewer
) -> None:
    async with memory.unit(ada) as unit:
        await enter_group(unit.session, chat="chat:7", new_id="group:7", called="the team", is_admin=True, now=unit.now)
    aloud = replace(ada, space="group:7", channel=Channel.TEAM)
    async with memory.unit(aloud) as unit:
        await facts.remember(unit, FactDraft("the meeting is on Friday", Category.CONTEXT), Approval.ORDER)
    with pytest.raises(Refused, match="in public"):
        async with memory.unit(replace(aloud, channel=Channel.PUBLIC)) as unit:
            await facts.remember(unit, FactDraft("I like tea with milk", Category.PREFERENCE), Approval.ORDER)

    assert await read(memory, replace(aloud, user=None)) == ["the meeting is on Friday"]
