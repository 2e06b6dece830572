"""Asks Telegram for a person's status in a group, and updates their role in its space."""

import logging

from telegram.error import TelegramError

from bot.telegram.receiving.parsing import is_outside
from bot.telegram.sending.sender import TelegramSender
from memory import personal_space
from memory.people import spaces
from memory.people.groups import chat_of_space, set_admin
from memory.turn.chat import Chat

ADMINS = {"administrator", "creator"}

log = logging.getLogger(__name__)


async def member_status(sender: TelegramSender, user: int, group: int) -> str:
    """Return a user's status in a group, or "" if Telegram does not say."""
    try:
        member = await sender.bot.get_chat_member(group, user)
    except TelegramError as error:
        log.info("Telegram did not give a group member's status: %s", type(error).__name__)
        return ""
    return "left" if is_outside(member) else str(member.status)


async def check_membership(sender: TelegramSender, user: int, chat: Chat, space: str) -> None:
    """Update the person's role in a group's space, and raise `SpaceGone` if they have left the group.

    Telegram does not always report who leaves a group.
    """
    group_viewer = chat.in_space(space)
    group = await chat.do(chat_of_space, viewer=group_viewer)
    if group is None:
        return
    status = await member_status(sender, user, int(group.removeprefix("telegram:")))
    if status == "left":
        await chat.do(spaces.leave_space, viewer=group_viewer)
        if chat.viewer.place == space:
            await chat.new_conversation(space=personal_space(chat.viewer.person))
        raise spaces.SpaceGone
    is_admin = status in ADMINS
    await chat.do(lambda unit: set_admin(unit, group, is_admin=is_admin), viewer=group_viewer)
