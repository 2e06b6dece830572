"""A reply arrives without its looks rather than not at all."""

from telegram import Bot

from bot.delivery.outgoing import Button, OutgoingMessage
from bot.telegram.sending.sender import TelegramSender
from tests.telegram import FakeTelegram

REFUSED = ("can't parse entities: no", "reply markup is too long", "message thread not found", "no such reply")


async def test_a_reply_of_which_everything_is_refused_but_its_words_arrives_as_words(
    telegram: FakeTelegram, bot: Bot
) -> None:
    ada = telegram.person(11, "Ada")
    ada.say("hello")
    for why in REFUSED:
        telegram.fail("sendMessage", code=400, description=f"Bad Request: {why}")
    part = OutgoingMessage(
        chat=11,
        thread=7,
        reply_to=1,
        text="the answer",
        entities=[{"type": "bold", "offset": 0, "length": 3}],
        buttons=[[Button(label="Undo", data="undo")]],
    )
    number = await TelegramSender(bot).send(part)

    assert [(sent.message_id, sent.text) for sent in ada.answers()] == [(number, "the answer")]
