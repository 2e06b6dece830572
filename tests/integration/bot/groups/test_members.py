"""Who comes and goes, who runs a group, and groups that move."""

from bot import texts
from memory.people.spaces import SpaceGone
from tests.integration.bot.groups.stage import ME, Make, Stage, tool
from tests.telegram import Group, Person
from tests.telegram.groups import announce
from tests.telegram.members import change_rank

MEMBERS = """SELECT row(m.user_id, m.role)::text FROM space_members AS m JOIN spaces AS s
             ON s.tenant_id = m.tenant_id AND s.id = m.space_id
             WHERE m.tenant_id = %s AND s.kind = 'group' ORDER BY 1"""
FACTS = "SELECT row(user_id, visibility, starts_with(space_id, 'personal:'))::text FROM facts WHERE tenant_id = %s"
GROUPS = "SELECT chat FROM spaces WHERE tenant_id = %s AND kind = 'group' ORDER BY created_at"


async def share(stage: Stage, person: Person, group: Group, words: str) -> None:
    stage.plays(tool("add_to_memory", content=words, category="context"))
    [answer] = await stage.say(person, f"{ME} remember that {words}", to=group)
    assert "✓ Remembered" in answer.text


async def test_only_those_who_run_a_group_choose_its_channel_and_only_while_they_do(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    [no] = await stage.say(bob, "/space channel team", to=team)
    assert no.text == texts.CHANNEL_ADMINS
    [yes] = await stage.say(ann, "/space channel team", to=team)
    assert yes.text == texts.CHANNELS["team"]
    [here] = await stage.say(bob, "/space", to=team)
    assert texts.CHANNELS["team"] in here.text
    team.chat.members |= {ann.id: "member", bob.id: "administrator"}
    [no] = await stage.say(ann, "/space channel public", to=team)
    assert no.text == texts.CHANNEL_ADMINS
    [yes] = await stage.say(bob, "/space channel public", to=team)
    assert yes.text == texts.CHANNELS["public"]
    assert stage.rows(MEMBERS) == ["(telegram:11,member)", "(telegram:12,owner)"]
    stage.telegram.fail("getChatMember", 1, 500)
    [no] = await stage.say(bob, "/space channel team", to=team)
    assert no.text == texts.CHANNEL_ADMINS
    [usage] = await stage.say(bob, "/space channel secret", to=team)
    assert usage.text == texts.CHANNEL_USAGE


async def test_alone_in_a_groups_space_one_may_do_what_one_may_in_the_group(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await stage.say(ann, "/space", to=team)
    await stage.say(bob, f"{ME} hello", to=team)
    await stage.say(ann, "/space use Team")
    [kept] = await stage.say(ann, "/space rules be brief")
    assert kept.text == texts.VIEW_SAVED.format(version=1)
    for command in ("/space invite", f"/space owner telegram:{bob.id}", f"/space remove telegram:{bob.id}"):
        [no] = await stage.say(ann, command)
        assert "everyone in the group is a member" in no.text
    await stage.say(bob, f"{ME} hello", to=team)
    assert "be brief" in stage.asked[-1]

    team.chat.members[ann.id] = "member"
    [no] = await stage.say(ann, "/space rules be long")
    assert "Only an owner" in no.text
    team.chat.members[ann.id] = "left"
    [gone] = await stage.say(ann, "/space members")
    assert gone.text == str(SpaceGone())
    assert stage.rows(MEMBERS) == ["(telegram:12,owner)"]


async def test_a_group_does_not_hear_of_the_other_spaces_of_its_members(stage: Stage, ann: Person, team: Group) -> None:
    other = stage.telegram.group(-100600, "Affair", admins=[ann])
    await stage.say(ann, f"{ME} hello", to=other)
    await stage.say(ann, "/space new Divorce")
    for command in ("/space", "/space list", "/space new X", "/space use Divorce", "/space help", "/space invite"):
        await stage.say(ann, command, to=team)
    await stage.say(ann, f"{ME} hello", to=team)
    shown = str([each.text for each in team.answers()])
    assert "Affair" not in shown + stage.asked[-1]
    assert "Divorce" not in shown + stage.asked[-1]


async def test_who_leaves_takes_home_what_they_shared(stage: Stage, ann: Person, bob: Person, team: Group) -> None:
    await share(stage, bob, team, "standup is at 9")
    await share(stage, ann, team, "lunch is at noon")
    bob.leaves(team)
    await stage.quiet()
    assert sorted(stage.rows(FACTS)) == ["(telegram:11,shared,f)", "(telegram:12,private,t)"]
    assert stage.rows(MEMBERS) == ["(telegram:11,owner)"]
    await stage.say(ann, f"{ME} hello", to=team)
    assert "standup is at 9 (shared)" not in stage.asked[-1]
    assert "lunch is at noon (shared)" in stage.asked[-1]
    await stage.say(bob, "hello")
    assert "standup is at 9" in stage.asked[-1]

    bob.joins(team)
    await stage.say(bob, f"{ME} hello again", to=team)
    assert stage.rows(MEMBERS) == ["(telegram:11,owner)", "(telegram:12,member)"]
    assert sorted(stage.rows(FACTS)) == ["(telegram:11,shared,f)", "(telegram:12,private,t)"]


async def test_who_is_put_out_by_somebody_else_takes_it_home_too(play: Make) -> None:
    """By an admin who may not talk to the bot, and heard of as a change of rank alone, as in large groups."""
    async with play(KEEPSAKE_ALLOWED_USERS="12") as stage:
        ann, bob = stage.telegram.person(11, "Ann"), stage.telegram.person(12, "Bob")
        team = stage.telegram.group(-100500, "Team", admins=[ann], members=[bob], bot="administrator")
        await share(stage, bob, team, "standup is at 9")
        with stage.telegram.lock:
            change_rank(stage.telegram, team.chat, bob.id, "kicked", by=ann.id)
        await stage.quiet()
        assert stage.rows(FACTS) == ["(telegram:12,private,t)"]
        assert [each.text for each in team.answers() if each.text == texts.STRANGER] == []


async def test_somebody_who_never_spoke_leaves_no_trace_by_leaving(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await stage.say(bob, "hello")
    bob.leaves(team)
    await stage.quiet()
    assert stage.rows(GROUPS) == []
    assert stage.rows("SELECT count(*) FROM conversations WHERE tenant_id = %s") == [1]


async def test_a_bot_that_was_removed_finds_its_space_again(stage: Stage, ann: Person, team: Group) -> None:
    await share(stage, ann, team, "standup is at 9")
    ann.removes_bot(team)
    await stage.quiet()
    ann.invites_bot(team)
    await stage.say(ann, f"{ME} hello", to=team)

    assert "standup is at 9" in stage.asked[-1]
    assert stage.rows(GROUPS) == [f"telegram:{team.id}"]


async def test_a_group_that_moves_keeps_its_space_its_facts_and_its_conversation(
    stage: Stage, ann: Person, bob: Person
) -> None:
    small = stage.telegram.group(-77, "Small", admins=[ann], members=[bob])
    await share(stage, ann, small, "standup is at 9")
    await stage.say(bob, f"{ME} we spoke of roses", to=small)
    large = stage.telegram.migrate(small, -10077)
    await stage.quiet()
    await stage.say(bob, f"{ME} hello", to=large)

    assert "standup is at 9" in stage.asked[-1]
    assert "we spoke of roses" in stage.asked[-1]
    assert stage.rows(GROUPS) == ["telegram:-10077"]
    assert stage.rows("SELECT count(*) FROM conversations WHERE tenant_id = %s AND chat IS NOT NULL") == [1]
    assert [each for each in await stage.replayed(bob) if not each.is_same] == []


async def test_a_group_that_was_spoken_in_before_we_heard_that_it_moved_is_still_one(
    stage: Stage, ann: Person, bob: Person
) -> None:
    small = stage.telegram.group(-77, "Small", admins=[ann])
    await share(stage, ann, small, "standup is at 9")
    large = stage.telegram.group(-10077, "Small", admins=[ann], members=[bob])
    await share(stage, bob, large, "lunch is at noon")
    assert len(stage.rows(GROUPS)) == 2
    with stage.telegram.lock:
        announce(stage.telegram, large.chat, ann.id, {"migrate_from_chat_id": -77})
        announce(stage.telegram, small.chat, ann.id, {"migrate_to_chat_id": -10077})
    await stage.quiet()
    await stage.say(bob, f"{ME} hello", to=large)

    assert "standup is at 9 (shared)" in stage.asked[-1]
    assert "lunch is at noon (shared)" in stage.asked[-1]
    assert stage.rows(GROUPS) == ["telegram:-10077", None]
    bob.leaves(large)
    await stage.quiet()
    await stage.say(ann, f"{ME} hello", to=large)
    assert "lunch is at noon (shared)" not in stage.asked[-1]


async def test_a_move_told_by_somebody_who_may_not_talk_is_heard(play: Make) -> None:
    async with play(KEEPSAKE_ALLOWED_USERS="12") as stage:
        ann, bob = stage.telegram.person(11, "Ann"), stage.telegram.person(12, "Bob")
        small = stage.telegram.group(-77, "Small", admins=[ann], members=[bob])
        await share(stage, bob, small, "standup is at 9")
        large = stage.telegram.migrate(small, -10077)
        await stage.quiet()
        await stage.say(bob, f"{ME} hello", to=large)
        assert "standup is at 9" in stage.asked[-1]
        assert stage.rows(GROUPS) == ["telegram:-10077"]


async def test_who_takes_another_name_is_called_by_it_at_once(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await stage.say(ann, f"{ME} hello", to=team)
    await stage.say(bob, f"{ME} hello", to=team)
    bob.user["first_name"] = "Robert"
    await stage.say(bob, f"{ME} hello again", to=team)

    assert sorted(stage.rows("SELECT name FROM users WHERE tenant_id = %s")) == ["Ann", "Robert"]
