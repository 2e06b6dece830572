"""What a bot hears in the fake Telegram's chats: privacy mode, topics, comings and goings, all kinds of messages."""

import pytest
from telegram import Bot, Message, MessageOriginHiddenUser, MessageOriginUser, Update
from telegram.error import BadRequest, ChatMigrated, Forbidden

from tests.tables import table
from tests.telegram import FakeTelegram, Person, fake_telegram


@pytest.fixture(autouse=True)
async def all_kinds(bot: Bot) -> None:
    await bot.get_updates(timeout=0, allowed_updates=Update.ALL_TYPES)


@pytest.fixture
def ada(telegram: FakeTelegram) -> Person:
    return telegram.person(11, "Ada", username="ada_l", language="de")


@pytest.fixture
def ben(telegram: FakeTelegram) -> Person:
    return telegram.person(12, "Ben")


async def heard(bot: Bot) -> list[Message]:
    updates = await bot.get_updates(timeout=0)
    return [update.message for update in updates if update.message is not None]


async def test_in_a_group_the_bot_hears_only_what_is_meant_for_it(
    telegram: FakeTelegram, bot: Bot, ada: Person, ben: Person
) -> None:
    team = telegram.group(-100500, "Team", members=[ada, ben])
    said = ada.say("hi all", to=team)
    ada.say("hi @keepsake_test_bot", to=team)
    ada.say("/memory", to=team)
    ada.say("/memory@other_bot", to=team)
    ada.say("well, @Keepsake_Test_Bot.", to=team)
    await bot.send_message(team.id, "yes?")
    [answer] = team.answers()
    ben.say("thanks", to=team, reply_to=answer)
    ben.say("no, thank you", to=team, reply_to=said)
    ben.send_photo("look", to=team)

    assert [message.text for message in await heard(bot)] == [
        "hi @keepsake_test_bot",
        "/memory",
        "well, @Keepsake_Test_Bot.",
        "thanks",
    ]
    assert said.update_id is None


@table(("reads_all", "rank"), [(True, "member"), (False, "administrator")])
async def test_an_administrator_or_a_bot_without_privacy_hears_everything(reads_all: bool, rank: str) -> None:
    async with fake_telegram(reads_all=reads_all) as telegram:
        ada = telegram.person(11, "Ada")
        team = telegram.group(-5, "Team", members=[ada], bot=rank)

        assert ada.say("hi", to=team).update_id == 1000


async def test_a_message_in_a_topic_carries_its_thread(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    team = telegram.group(-100500, "Team", admins=[ada], forum=True)
    ada.say("/memory", to=team, thread=7)
    ada.say("/memory", to=team)
    inside, outside = await heard(bot)
    assert (inside.message_thread_id, inside.is_topic_message) == (7, True)
    assert inside.reply_to_message is not None
    assert inside.reply_to_message.forum_topic_created is not None
    assert (outside.message_thread_id, outside.is_topic_message) == (None, None)

    await bot.send_message(team.id, "here", message_thread_id=7)
    await bot.send_message(team.id, "there", reply_to_message_id=inside.message_id)
    await bot.send_message(team.id, "outside")
    with pytest.raises(BadRequest, match="thread not found"):
        await bot.send_message(team.id, "nowhere", message_thread_id=8)
    assert [(answer.text, answer.thread) for answer in team.answers()] == [
        ("here", 7),
        ("there", 7),
        ("outside", None),
    ]


async def test_a_reply_in_a_supergroup_without_topics_has_a_thread_that_is_no_topic(
    telegram: FakeTelegram, bot: Bot, ada: Person
) -> None:
    team = telegram.group(-100500, "Team", members=[ada])
    said = ada.say("/memory", to=team)
    ada.say("/memory", to=team, reply_to=said)
    _, reply = await heard(bot)

    assert (reply.message_thread_id, reply.is_topic_message) == (said.message_id, None)
    with pytest.raises(BadRequest, match="thread not found"):
        await bot.send_message(team.id, "nowhere", message_thread_id=reply.message_thread_id)


async def test_comings_and_goings_are_told(telegram: FakeTelegram, bot: Bot, ada: Person, ben: Person) -> None:
    team = telegram.group(-100500, "Team", admins=[ada], bot="administrator")
    ben.joins(team)
    assert (await bot.get_chat_member(team.id, ben.id)).status == "member"
    ben.leaves(team)
    with pytest.raises(AssertionError, match="Ben is not in that group"):
        ben.say("bye", to=team)

    first, second, third, fourth = await bot.get_updates(timeout=0)
    assert first.chat_member is not None
    assert (first.chat_member.old_chat_member.status, first.chat_member.new_chat_member.status) == ("left", "member")
    assert second.message is not None
    assert [user.first_name for user in second.message.new_chat_members] == ["Ben"]
    assert third.chat_member is not None
    assert fourth.message is not None
    assert fourth.message.left_chat_member is not None
    assert (await bot.get_chat_member(team.id, ben.id)).status == "left"
    assert {one.user.id for one in await bot.get_chat_administrators(team.id)} == {ada.id, telegram.bot.id}
    assert (await bot.get_chat(team.id)).title == "Team"


async def test_the_bot_is_invited_and_put_out(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    team = telegram.group(-100500, "Team", admins=[ada], bot="left")
    with pytest.raises(Forbidden, match="not a member"):
        await bot.send_message(team.id, "hello?")
    ada.invites_bot(team)
    await bot.send_message(team.id, "hello!")
    ada.removes_bot(team)
    with pytest.raises(Forbidden, match="was kicked from the supergroup"):
        await bot.send_message(team.id, "hello?")
    ada.invites_bot(team)
    await bot.leave_chat(team.id)
    with pytest.raises(Forbidden, match="not a member"):
        await bot.send_message(team.id, "hello?")

    changes = [update.my_chat_member for update in await bot.get_updates(timeout=0)]
    assert [change.new_chat_member.status for change in changes if change] == ["member", "kicked", "member", "left"]


async def test_a_group_moves_to_another_id(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    old = telegram.group(-500, "Team", members=[ada])
    new = telegram.migrate(old, -100500)
    left, entered = await heard(bot)
    assert (left.chat.type, left.migrate_to_chat_id) == ("group", new.id)
    assert (entered.chat.type, entered.migrate_from_chat_id) == ("supergroup", old.id)

    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(old.id, "where are you?")
    assert moved.value.new_chat_id == new.id
    await bot.send_message(new.id, "here")
    assert [answer.text for answer in new.answers()] == ["here"]


async def test_all_kinds_of_messages_are_read_by_the_client(
    telegram: FakeTelegram, bot: Bot, ada: Person, ben: Person
) -> None:
    said = ada.say("I like green tea")
    ada.say("this one", reply_to=said, quote="green")
    ada.forward("words of Bob", origin="Bob")
    ada.forward("words of Ben", origin=ben)
    ada.send_photo("a photo")
    ada.send_voice()
    ada.send_sticker("👍")
    ada.send({"location": {"latitude": 1.5, "longitude": 2.5}})
    text, reply, hidden, named, photo, voice, sticker, place = await heard(bot)

    assert text.from_user is not None
    assert (text.from_user.language_code, text.chat.type, text.chat.username) == ("de", "private", "ada_l")
    assert reply.quote is not None
    assert (reply.quote.text, reply.quote.position) == ("green", 7)
    assert reply.reply_to_message is not None
    assert reply.reply_to_message.text == "I like green tea"
    assert isinstance(hidden.forward_origin, MessageOriginHiddenUser)
    assert isinstance(named.forward_origin, MessageOriginUser)
    assert (len(photo.photo), photo.caption) == (2, "a photo")
    assert voice.voice is not None
    assert sticker.sticker is not None
    assert place.location is not None
    assert [message.message_id for message in (text, reply, hidden)] == [1, 2, 3]


async def test_edits_and_reactions_reach_the_bot(telegram: FakeTelegram, bot: Bot, ada: Person) -> None:
    said = ada.say("tee")
    ada.edit(said, "tea #green")
    await bot.send_message(ada.id, "noted")
    ada.react(ada.answers()[0], "👍")
    await bot.set_message_reaction(ada.id, said.message_id, "👀")
    await bot.send_chat_action(ada.id, "typing")
    first, second, third = await bot.get_updates(timeout=0)

    assert first.message is not None
    assert first.message.text == "tee"
    assert second.edited_message is not None
    assert (second.edited_message.text, second.edited_message.message_id) == ("tea #green", said.message_id)
    assert third.message_reaction is not None
    assert [str(one.to_dict()["emoji"]) for one in third.message_reaction.new_reaction] == ["👍"]
    assert telegram.reactions(ada.id) == {said.message_id: ["👀"]}
    assert telegram.actions(ada.id) == ["typing"]
