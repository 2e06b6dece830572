"""Sends due reminders to private Telegram chats. The process that claims a reminder sends it."""

import logging
from datetime import datetime, timedelta

from telegram.error import TelegramError

from bot.delivery.messenger import MessengerAway, Unreachable
from bot.delivery.outgoing import OutgoingMessage
from bot.language import texts, use_language
from bot.telegram.sending.sender import TelegramSender
from memory import Viewer
from memory.people.people import choices_of
from memory.turn import background_notices
from memory.wiring import Runtime

BATCH = 20
PREFIX = "telegram:"  # of the ids of Telegram users
LEASE = timedelta(minutes=5)

log = logging.getLogger(__name__)


async def send_reminders(runtime: Runtime, sender: TelegramSender, now: datetime) -> int:
    """Send due reminders and return how many were sent.

    A reminder that fails is claimed again when its lease ends; one to a person who blocked the bot counts as done.
    """
    tenant, sent = runtime.settings.tenant, 0
    due = await background_notices.claim_reminders(runtime.memory, tenant, PREFIX, now, LEASE, limit=BATCH)
    for notice_id, user in due:
        owner = Viewer.in_private(tenant, user)
        try:
            sent += await _send(runtime, sender, owner, notice_id, now)
        except Unreachable:
            log.info("the recipient of a reminder has blocked the bot")
        except (MessengerAway, TelegramError) as error:
            log.warning("a reminder was not sent: %s", type(error.__cause__ or error).__name__)
            continue
        async with runtime.memory.unit(owner, now=now) as unit:
            await background_notices.mark_delivered(unit, notice_id)
    return sent


async def _send(runtime: Runtime, sender: TelegramSender, owner: Viewer, notice_id: str, now: datetime) -> bool:
    async with runtime.memory.unit(owner, now=now, read_only=True) as unit:
        fact = await background_notices.find_reminder(unit, notice_id)
        choices = await choices_of(unit)
    if fact is None or not choices.reminders:
        return False
    with use_language(choices.language):
        text = texts.REMINDER_TODAY.format(words=fact.words)
    await sender.send(OutgoingMessage(chat=int(owner.person.removeprefix(PREFIX)), text=text))
    return True
