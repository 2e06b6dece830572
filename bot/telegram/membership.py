"""Who is what in a group, as Telegram says: whether they run it, and whether they are still in it."""

import logging

from telegram.error import TelegramError

from bot.telegram.receiving.parsing import is_outside
from bot.telegram.sending.sender import TelegramSender
from memory import personal_space
from memory.people import spaces
from memory.people.groups import chat_here, set_admin
from memory.turn.chat import Chat

ADMINS = {"administrator", "creator"}

log = logging.getLogger(__name__)


async def standing(sender: TelegramSender, user: int, group: int) -> str:
    """What somebody is in a group, as Telegram says; nothing, where it does not say."""
    try:
        member = await sender.bot.get_chat_member(group, user)
    except TelegramError as error:
        log.info("Telegram does not say who is what in a group: %s", type(error).__name__)
        return ""
    return "left" if is_outside(member) else str(member.status)


async def check_role(sender: TelegramSender, user: int, chat: Chat, space: str) -> None:
    """Who talks in a group's space by themselves may run it, and be in it, as long as they do in the group: Telegram
    does not always tell who leaves one."""
    there = chat.in_space(space)
    group = await chat.do(chat_here, viewer=there)
    if group is None:
        return
    is_now = await standing(sender, user, int(group.removeprefix("telegram:")))
    if is_now == "left":
        await chat.do(spaces.leave, viewer=there)
        if chat.viewer.place == space:
            await chat.begin_anew(space=personal_space(chat.viewer.person))
        raise spaces.SpaceGone
    admin = is_now in ADMINS
    await chat.do(
        lambda unit: set_admin(unit, group, is_admin=admin),
        viewer=there,
    )
