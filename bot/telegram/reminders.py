"""Brings reminders into the private chats of Telegram: each once, by whichever process claims it first."""

import logging
from datetime import datetime, timedelta

from telegram.error import TelegramError

from bot.delivery.messenger import MessengerAway, Unreachable
from bot.delivery.outgoing import OutgoingMessage
from bot.language import speaking, texts
from bot.telegram.sending.sender import TelegramSender
from memory import Viewer
from memory.people.people import choices_of
from memory.turn import background_notices
from memory.wiring import Runtime

AT_ONCE = 20
PREFIX = "telegram:"  # of the people whose private chat is in Telegram
HELD_FOR = timedelta(minutes=5)

log = logging.getLogger(__name__)


async def bring_reminders(runtime: Runtime, sender: TelegramSender, now: datetime) -> int:
    """Gives how many were sent. One that cannot be sent now is claimed again when its lease is over; who blocked the
    bot is not asked again."""
    tenant, sent = runtime.settings.tenant, 0
    due = await background_notices.claim_reminders(runtime.memory, tenant, PREFIX, now, HELD_FOR, limit=AT_ONCE)
    for notice_id, user in due:
        owner = Viewer.in_private(tenant, user)
        try:
            sent += await _bring(runtime, sender, owner, notice_id, now)
        except Unreachable:
            log.info("a reminder found nobody")
        except (MessengerAway, TelegramError) as error:
            log.warning("a reminder was not sent: %s", type(error.__cause__ or error).__name__)
            continue
        async with runtime.memory.unit(owner, now=now) as unit:
            await background_notices.mark_told(unit, notice_id)
    return sent


async def _bring(runtime: Runtime, sender: TelegramSender, owner: Viewer, notice_id: str, now: datetime) -> bool:
    async with runtime.memory.unit(owner, now=now, read_only=True) as unit:
        fact = await background_notices.reminder(unit, notice_id)
        choices = await choices_of(unit)
    if fact is None or not choices.reminders:
        return False
    with speaking(choices.language):
        text = texts.REMINDER.format(words=fact.words)
    await sender.carry(OutgoingMessage(chat=int(owner.person.removeprefix(PREFIX)), text=text))
    return True
