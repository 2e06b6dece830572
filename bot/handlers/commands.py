"""Commands: done and answered in one transaction, so that after a crash none is done twice."""

import logging
from base64 import b64encode
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot import why
from bot.commands.memory import export_files, memory_command
from bot.commands.privacy import Forgetting
from bot.commands.spaces import space_command
from bot.errand import Errand
from bot.handlers import files, pages
from bot.keyboards import carried
from bot.language import texts
from bot.outgoing import Answer, Button, Part
from bot.reading import is_outside
from bot.sending import in_private, lines_answer
from bot.turn import Chat
from db.queries.posts import event_at
from db.queries.spaces import chat_here, choose_channel, enter_group
from db.viewer import personal_space
from db.vocabulary import Channel
from memory import spaces
from memory.errors import Refused
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.desk import Desk

Command = Callable[["Desk", Errand, Chat, str], Awaitable[None]]
ALONE_ONLY = {"new", "use", "join", "leave", "invite", "remove", "owner"}
ADMINS = {"administrator", "creator"}

log = logging.getLogger(__name__)


async def command(desk: "Desk", errand: Errand) -> None:
    assert errand.incoming.command
    name, words = errand.incoming.command
    act = COMMANDS.get(name)
    if act is None:
        if errand.incoming.in_group:
            return  # another bot's
        await desk.tell(errand, texts.UNKNOWN_COMMAND.format(command=f"/{name}"))
        return
    admin = None
    if name == "space" and errand.incoming.in_group:
        admin = await standing(errand, errand.incoming.chat) in ADMINS
    await act(desk, errand, await desk.enter(errand, is_admin=admin), words)


async def start(desk: "Desk", errand: Errand, chat: Chat, _: str) -> None:
    await _keep(chat, errand, lines_answer(errand, texts.WELCOME.format(name=errand.incoming.name)))


async def show_help(desk: "Desk", errand: Errand, chat: Chat, _: str) -> None:
    await _keep(chat, errand, in_private(errand, lines_answer(errand, texts.TELEGRAM_HELP)))


async def new(desk: "Desk", errand: Errand, chat: Chat, _: str) -> None:
    was_kept = chat.kept
    async with chat.together() as unit:
        await chat.begin_anew(kept=True)
        told = texts.NEW_CONVERSATION if was_kept else texts.PRIVATE_OVER
        await errand.keep(unit, lines_answer(errand, told))
    desk.places.note(chat)


async def private(desk: "Desk", errand: Errand, chat: Chat, _: str) -> None:
    """From here on nothing of this conversation is written down, until a new one is started."""
    if errand.incoming.in_group:
        raise Refused(texts.PRIVATE_NOT_HERE)
    async with chat.together() as unit:
        if chat.kept:
            await chat.begin_anew(kept=False)
        await errand.keep(unit, lines_answer(errand, texts.PRIVATE_BEGUN))
    desk.places.note(chat)


async def memory(desk: "Desk", errand: Errand, chat: Chat, words: str) -> None:
    """What a person sees of their memory, they see alone."""
    alone = pages.alone(desk, errand, chat)
    name, _, rest = words.partition(" ")
    async with alone.together() as unit:
        match name:
            case "" | "list":
                answer = await pages.listed(errand, alone, 0)
            case "show" if rest:
                answer = await pages.fact(errand, alone, rest.strip())
            case "export":
                answer = await exported(errand, unit)
            case "web":
                answer = await pages.review_page(errand, unit)
            case _:
                answer = lines_answer(errand, await memory_command(alone, words))
        await errand.keep(unit, in_private(errand, answer))


async def exported(errand: Errand, unit: Unit) -> Answer:
    """All data of a person as two files."""
    parts = [
        Part(chat=errand.incoming.user, text=name, document=b64encode(text.encode()).decode())
        for name, text in (await export_files(unit)).items()
    ]
    return Answer(parts=[*parts, errand.part(texts.EXPORT_HERE)])


async def tell_why(desk: "Desk", errand: Errand, chat: Chat, _: str) -> None:
    """Why the last reply, or the one that this answers, says what it says."""
    reply = errand.incoming.reply
    answered = None
    if reply is not None and reply.mine:
        answered = await chat.do(
            lambda unit: event_at(unit.session, unit.viewer, errand.incoming.place, reply.message_id)
        )
    if reply is not None and answered is None and chat.kept:
        text = texts.WHY_NOTHING
    else:
        text = await why.explained(chat, errand.incoming, answered)
    await _keep(chat, errand, in_private(errand, lines_answer(errand, text)))


async def forget(desk: "Desk", errand: Errand, chat: Chat, words: str) -> None:
    """Everything is asked twice, by words or by buttons."""
    alone = pages.alone(desk, errand, chat)
    asked = desk.forgetting.pop(errand.incoming.person, None)
    forgetting = Forgetting(alone, asked.asked if asked else 0)
    text, gone = await forgetting.command(words)
    if gone:
        return erased(desk, errand, chat, text)
    if forgetting.asked:
        desk.forgetting[errand.incoming.person] = forgetting
    owner = errand.incoming.user
    sure = carried("forget", owner, str(forgetting.asked)) if forgetting.asked else ""
    buttons = [[Button(label=texts.BUTTON_FORGET, data=sure)]] if sure else []
    await _keep(alone, errand, in_private(errand, lines_answer(errand, text, buttons)))
    return None


def erased(desk: "Desk", errand: Errand, chat: Chat, text: str) -> None:
    """Nothing of them is left, not even the row of this update: what is said now is said once."""
    desk.house.recent.forget(chat.conversation_id)
    errand.erased = True
    errand.answer = in_private(errand, lines_answer(errand, text))
    for place in (errand.incoming.place, errand.incoming.person):  # a person's own chat has their number
        desk.places.forget(place)


async def space(desk: "Desk", errand: Errand, chat: Chat, words: str) -> None:
    name, _, rest = words.partition(" ")
    if errand.incoming.in_group and name in ALONE_ONLY:
        raise Refused(texts.SPACE_IN_PRIVATE)
    if errand.incoming.in_group and name in {"", "list"}:
        told = "\n".join((texts.CHANNELS[chat.viewer.channel], texts.SPACE_GROUP))
        return await _keep(chat, errand, lines_answer(errand, told))
    if not errand.incoming.in_group:
        await check_role(errand, chat, chat.viewer.place)
        for each in await chat.do(spaces.mine) if name == "use" else ():
            if rest.strip() in {each.id, each.subject}:
                await check_role(errand, chat, each.id)
    if name == "channel":
        return await choose(desk, errand, chat, rest.strip())
    if name == "document":
        if errand.incoming.file is None:
            raise Refused(texts.SPACE_SEND_FILE)
        chat.upload = (errand.incoming.file.name, await files.download(errand, errand.incoming.file))
    async with chat.together() as unit:
        await errand.keep(unit, lines_answer(errand, await space_command(chat, words)))
    return desk.places.note(chat)


async def choose(desk: "Desk", errand: Errand, chat: Chat, wanted: str) -> None:
    """How private a group is, which those who run it may say."""
    if not errand.incoming.in_group:
        raise Refused(texts.CHANNEL_NOT_HERE)
    if wanted not in {Channel.PUBLIC, Channel.TEAM}:
        raise Refused(texts.CHANNEL_USAGE)
    async with chat.together() as unit:
        if not await choose_channel(unit.session, wanted):
            raise Refused(texts.CHANNEL_ADMINS)
        await errand.keep(unit, lines_answer(errand, texts.CHANNELS[wanted]))


async def standing(errand: Errand, group: int) -> str:
    """What the sender is in a group, as Telegram says; nothing, where it does not say."""
    try:
        member = await errand.courier.bot.get_chat_member(group, errand.incoming.user)
    except TelegramError as error:
        log.info("Telegram does not say who is what in a group: %s", type(error).__name__)
        return ""
    return "left" if is_outside(member) else str(member.status)


async def check_role(errand: Errand, chat: Chat, space: str) -> None:
    """Who talks in a group's space by themselves may run it, and be in it, as long as they do in the group: Telegram
    does not always tell who leaves one."""
    there = chat.in_space(space)
    group = await chat.do(lambda unit: chat_here(unit.session, unit.viewer), viewer=there)
    if group is None:
        return
    is_now = await standing(errand, int(group.removeprefix("telegram:")))
    if is_now == "left":
        await chat.do(spaces.leave, viewer=there)
        if chat.viewer.place == space:
            await chat.begin_anew(space=personal_space(chat.viewer.person))
        raise Refused(texts.SPACE_GONE)
    admin = is_now in ADMINS
    await chat.do(
        lambda unit: enter_group(unit.session, chat=group, new_id="", called="", is_admin=admin, now=unit.now),
        viewer=there,
    )


async def _keep(chat: Chat, errand: Errand, answer: Answer) -> None:
    await chat.do(lambda unit: errand.keep(unit, answer))


COMMANDS: dict[str, Command] = {
    "start": start,
    "help": show_help,
    "new": new,
    "memory": memory,
    "why": tell_why,
    "private": private,
    "forget": forget,
    "space": space,
}
