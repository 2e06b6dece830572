"""Brings reminders into the private chats of Telegram: each once, by whichever process claims it first."""

import logging
from datetime import datetime, timedelta

from telegram.error import TelegramError

from bot.courier import Courier, Unreachable
from bot.incoming import PREFIX
from bot.language import speaking, texts
from bot.outgoing import Part
from db.queries import notices as queries
from db.queries.people import choices_of
from db.viewer import Viewer
from memory import notices
from memory.wiring import House

AT_ONCE = 20
HELD_FOR = timedelta(minutes=5)

log = logging.getLogger(__name__)


async def bring_reminders(house: House, courier: Courier, now: datetime) -> int:
    """Gives how many were sent. One that cannot be sent now is claimed again when its lease is over; who blocked the
    bot is not asked again."""
    tenant, sent = house.settings.tenant, 0
    async with house.memory.database.transaction(Viewer.nobody(tenant)) as session:
        due = await queries.claim_reminders(session, PREFIX, now, HELD_FOR, limit=AT_ONCE)
    for notice_id, user in due:
        owner = Viewer.in_private(tenant, user)
        try:
            sent += await _bring(house, courier, owner, notice_id, now)
        except Unreachable:
            log.info("a reminder found nobody")
        except TelegramError as error:
            log.warning("a reminder was not sent: %s", type(error).__name__)
            continue
        async with house.memory.unit(owner, now=now) as unit:
            await queries.mark_told(unit.session, owner, [notice_id], now)
    return sent


async def _bring(house: House, courier: Courier, owner: Viewer, notice_id: str, now: datetime) -> bool:
    async with house.memory.unit(owner, now=now, read_only=True) as unit:
        row = await queries.notice(unit.session, owner, notice_id)
        fact = await notices.reminded(unit, row) if row else None
        choices = await choices_of(unit.session, owner)
    if fact is None or not choices.reminders:
        return False
    with speaking(choices.language):
        text = texts.REMINDER.format(words=fact.words)
    await courier.carry(Part(chat=int(owner.person.removeprefix(PREFIX)), text=text))
    return True
