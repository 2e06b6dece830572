"""What is for one person's eyes goes into the private chat; the group reads one line."""

import re

from bot import texts
from tests.integration.bot.groups.stage import ME, Stage, tool
from tests.telegram import Group, Person
from tests.waiting import eventually


async def settle_in(stage: Stage, person: Person) -> None:
    stage.plays(tool("add_to_memory", content="my boss is called Alec", category="person"))
    await stage.say(person, "remember that my boss is called Alec")


async def test_commands_about_oneself_answer_in_the_private_chat(stage: Stage, ann: Person, team: Group) -> None:
    await settle_in(stage, ann)
    await stage.say(ann, f"{ME} hello", to=team)
    shown = {
        "/memory": "Alec",
        "/memory search boss": "Alec",
        "/memory mode": "confirm",
        "/memory web": texts.WEB_NOT_SERVED,
        "/why": texts.WHY_ONLY_CONVERSATION,
        "/help": texts.TELEGRAM_HELP_OPENING,
        "/forget": "for good",
        "/forget everything": texts.FORGET_ALL_FIRST,
    }
    for command, words in shown.items():
        before = len(ann.answers())
        [line] = await stage.say(ann, command, to=team)
        assert line.text == texts.ANSWERED_IN_PRIVATE
        assert words in "".join(each.text for each in ann.answers()[before:])
    before = len(ann.answers())
    await stage.say(ann, "/memory export", to=team)
    documents = [each.document for each in ann.answers()[before:] if each.document]
    assert [each.name.rpartition(".")[2] for each in documents] == ["json", "md"]
    assert b"Alec" in documents[0].content
    assert "Alec" not in stage.groups_see
    assert all(each.document is None for each in team.answers())


async def test_who_never_opened_the_private_chat_is_told_how(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    for command in ("/memory", "/why", "/help", "/memory export"):
        [line] = await stage.say(bob, command, to=team)
        assert line.text == texts.OPEN_PRIVATE_CHAT
    stage.telegram.fail("sendMessage", 1, 400, "Bad Request: chat not found", chat_id=bob.id)
    [line] = await stage.say(bob, "/memory", to=team)
    assert line.text == texts.OPEN_PRIVATE_CHAT
    bob.say("/start")
    await stage.quiet()
    [line] = await stage.say(bob, "/memory", to=team)
    assert line.text == texts.ANSWERED_IN_PRIVATE
    assert stage.rows("SELECT why FROM inbox WHERE tenant_id = %s AND failures > 0") == []


async def test_everything_is_forgotten_from_a_group_too_and_told_alone(
    stage: Stage, ann: Person, bob: Person, team: Group
) -> None:
    await settle_in(stage, ann)
    stage.plays(tool("add_to_memory", content="standup is at 9", category="context"))
    await stage.say(ann, f"{ME} remember that standup is at 9", to=team)
    await stage.say(bob, f"{ME} hello", to=team)
    for command in ("/forget everything", "/forget yes"):
        [line] = await stage.say(ann, command, to=team)
        assert line.text == texts.ANSWERED_IN_PRIVATE
    count = len(team.answers())
    ann.say("/forget yes, everything", to=team)
    await eventually(lambda: len(team.answers()) > count)
    assert ann.answers()[-1].text == texts.FORGET_ALL_DONE
    tables = ("users", "facts", "events", "space_members", "posts", "proposals")
    for table in tables:
        whose = "id" if table == "users" else "user_id"
        assert stage.rows(f"SELECT count(*) FROM {table} WHERE tenant_id = %s AND {whose} = 'telegram:11'") == [0]
    await stage.say(bob, f"{ME} and now?", to=team)
    assert "standup" not in stage.asked[-1]


async def test_why_tells_what_the_last_reply_to_me_rests_on_with_links(stage: Stage, ann: Person, bob: Person) -> None:
    forum = stage.telegram.group(-1001234567, "Forum", admins=[ann], members=[bob], forum=True)
    ann.say("/start")
    bob.say("/start")
    said = ann.say(f"{ME} the boiler needs a plumber from Ghent", to=forum, thread=7)
    general = bob.say(f"{ME} the plumber of the boiler is called Piet", to=forum)
    await stage.quiet()
    stage.plays(tool("add_to_memory", content="the boiler is new", category="context"))
    await stage.say(bob, f"{ME} remember that the boiler is new", to=forum, thread=8)
    [answer] = await stage.say(ann, f"{ME} what about the boiler and the plumber?", to=forum, thread=9)
    assert "Why?" in answer.labels
    await stage.say(bob, f"{ME} what a nice day", to=forum, thread=9)

    await stage.say(ann, "/why", to=forum, thread=9)
    told = ann.answers()[-1].text
    assert f"https://t.me/c/1234567/7/{said.message_id}" in told
    assert f"https://t.me/c/1234567/{general.message_id}" in told
    assert "you: “the boiler needs" in told
    assert "Bob: “the plumber" in told
    assert "the boiler is new" in told
    assert re.search(r"\d{4}-\d\d-\d\d", told)
    await stage.tap(ann, answer, "Why?")
    assert ann.answers()[-1].text == told
    await stage.say(bob, "/why", to=forum, thread=9, reply_to=answer)
    assert bob.answers()[-1].text == texts.WHY_NO_REPLY
    assert "plumber from Ghent" not in "".join(each.text for each in forum.answers())


async def test_a_basic_group_and_a_private_chat_have_no_links(stage: Stage, ann: Person) -> None:
    group = stage.telegram.group(-77, "Small", admins=[ann])
    await stage.say(ann, "the gardener is called Flora")
    await stage.say(ann, "/new")
    await stage.say(ann, "what about the gardener?")
    await stage.say(ann, "/why")
    assert "gardener is called Flora" in ann.answers()[-1].text
    assert "http" not in ann.answers()[-1].text
    await stage.say(ann, f"{ME} the boiler needs a plumber", to=group)
    await stage.say(ann, "/new", to=group)
    await stage.say(ann, f"{ME} what about the boiler?", to=group)
    await stage.say(ann, "/why", to=group)
    assert "boiler needs a plumber" in ann.answers()[-1].text
    assert "http" not in ann.answers()[-1].text
