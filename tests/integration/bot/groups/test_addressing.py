"""When the bot answers in a group, and what is left of what was not meant for it."""

from bot import texts
from tests.integration.bot.groups.stage import ME, Make, Stage
from tests.telegram import Group, Person
from tests.waiting import eventually

NUMBERS = "SELECT row(user_id, chat_id, payload, answer, sent)::text FROM inbox WHERE tenant_id = %s ORDER BY update_id"
TRACES = """SELECT count(*) FROM (SELECT tenant_id FROM events UNION ALL SELECT tenant_id FROM users UNION ALL
            SELECT tenant_id FROM spaces UNION ALL SELECT tenant_id FROM conversations) AS t WHERE tenant_id = %s"""
ONLY_A_NUMBER = '(nobody,"",,,{})'


async def test_the_bot_answers_when_mentioned_replied_to_or_commanded(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    said = ann.say(f"hello {ME}", to=team)
    await stage.quiet()
    [answer] = team.answers()
    assert (answer.text, answer.reply_to) == ("All right.", said.message_id)
    assert "hello" in stage.asked[-1]
    assert ME not in stage.asked[-1]

    assert len(await stage.say(bob, f"well, {ME.upper()}, what now?", to=team)) == 1
    assert len(await stage.say(bob, "and then?", to=team, reply_to=answer)) == 1
    assert len(await stage.say(bob, "/new", to=team)) == 1
    assert len(await stage.say(bob, f"/new{ME}", to=team)) == 1
    ann.send_photo(f"{ME} look at this", to=team)
    await stage.quiet()
    assert "look at this" in stage.asked[-1]
    assert len(stage.asked) == 4


async def test_what_is_not_meant_for_the_bot_leaves_its_number_and_nothing_else(play: Make) -> None:
    async with play(reads_all=True) as stage:
        ann, bob = stage.telegram.person(11, "Ann"), stage.telegram.person(12, "Bob")
        team = stage.telegram.group(-100500, "Team", admins=[ann], members=[bob])
        said = ann.say("Bob, did you get the raise?", to=team)
        ann.edit(said, "Bob, did you get it?")
        bob.say("yes", to=team, reply_to=said)
        bob.say("/memory@other_bot", to=team)
        bob.say(f"/new@other_bot {ME}", to=team)
        bob.say("mail keepsake_test_bot or @keepsake_test_bot2", to=team)
        bob.send_sticker(to=team)
        bob.send_document("raise.txt", b"the raise", to=team)
        bob.forward("the raise", to=team)
        await stage.quiet()

        assert team.answers() == []
        assert stage.asked == []
        assert stage.rows(NUMBERS) == [ONLY_A_NUMBER] * 9
        assert stage.rows(TRACES) == [0]


async def test_a_mention_without_a_name_counts_by_who_is_meant(stage: Stage, ann: Person, bob: Person) -> None:
    team = stage.telegram.group(-100501, "Team", admins=[ann], members=[bob], bot="administrator")
    mention = {"type": "text_mention", "offset": 0, "length": 4}

    assert await stage.say(ann, "Bobs, hello", to=team, entities=[{**mention, "user": bob.user}]) == []
    assert (
        len(await stage.say(ann, "Keep, hello", to=team, entities=[{**mention, "user": stage.telegram.bot_user}])) == 1
    )


async def test_the_bot_can_be_set_to_answer_everything_that_is_said(play: Make) -> None:
    async with play(reads_all=True, KEEPSAKE_GROUP_ANSWERS="all") as stage:
        assert texts.BOT_PRIVACY_MODE not in stage.told
        ann = stage.telegram.person(11, "Ann")
        team = stage.telegram.group(-100500, "Team", admins=[ann])

        assert [each.text for each in await stage.say(ann, "what a day", to=team)] == ["All right."]
        assert await stage.say(ann, "/memory@other_bot", to=team) == []
        assert await stage.say(ann, "/weather", to=team) == []
        ann.send_sticker(to=team)
        await stage.quiet()
        assert len(team.answers()) == 1


async def test_the_start_says_that_privacy_mode_hides_what_should_be_answered(play: Make) -> None:
    async with play(KEEPSAKE_GROUP_ANSWERS="all") as stage:
        assert texts.BOT_PRIVACY_MODE in stage.told
    async with play() as stage:
        assert texts.BOT_PRIVACY_MODE not in stage.told


async def test_nobody_and_chats_that_speak_for_themselves_are_not_taken_for_a_person(
    stage: Stage, ann: Person, team: Group
) -> None:
    """Anonymous admins and linked channels share one number: what they say would be everybody's memory."""
    ann.send({"text": f"{ME} hello", "sender_chat": team.chat.shown}, to=team)
    await stage.quiet()

    assert team.answers() == []
    assert stage.rows(NUMBERS) == [ONLY_A_NUMBER]


async def test_a_stranger_is_told_so_once_and_by_a_button_only_over_the_chat(play: Make) -> None:
    async with play(KEEPSAKE_ALLOWED_USERS="11") as stage:
        ann, eve = stage.telegram.person(11, "Ann"), stage.telegram.person(13, "Eve")
        team = stage.telegram.group(-100500, "Team", admins=[ann], members=[eve])
        [answer] = await stage.say(ann, f"{ME} hello", to=team)
        before = stage.rows(TRACES)

        tap = eve.tap(answer, data="why|13|x|")
        shown = await eventually(lambda: stage.telegram.answer_to(tap))
        assert shown is not None
        assert shown["text"] == texts.STRANGER
        eve.say(f"{ME} hello", to=team)
        await eventually(lambda: len(team.answers()) == 2)
        await stage.say(eve, f"{ME} hello?", to=team)
        eve.leaves(team)
        await stage.quiet()
        assert [each.text for each in team.answers()] == ["All right.", texts.STRANGER]
        assert stage.rows(TRACES) == before
        assert stage.rows(NUMBERS)[1:] == [ONLY_A_NUMBER] * 4
