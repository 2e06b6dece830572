"""Commands: done and answered in one transaction, so that after a crash none is done twice."""

import logging
from base64 import b64encode

from bot.commands import conversation, registry, why
from bot.commands.memory import export_files, memory_command
from bot.commands.privacy import Forgetting
from bot.commands.registry import Where
from bot.commands.spaces import ALONE_ONLY, space_command
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import texts
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import files, pages
from bot.telegram.membership import ADMINS, check_role, standing
from bot.telegram.message_links import link_to
from bot.telegram.sending.answers import in_private, lines_answer
from bot.telegram.sending.keyboards import carried
from memory import Channel
from memory.errors import Refused
from memory.events.posts import event_at
from memory.people import spaces
from memory.people.groups import choose_channel
from memory.turn.chat import Chat
from memory.unit import Unit

log = logging.getLogger(__name__)


async def command(context: HandlerContext, delivery: Delivery) -> None:
    assert delivery.incoming.command
    name, words = delivery.incoming.command
    known = registry.find(name, words, Where.TELEGRAM_GROUP if delivery.incoming.in_group else Where.TELEGRAM_PRIVATE)
    if known is None:
        if delivery.incoming.in_group:
            return  # another bot's
        await context.tell(delivery, texts.UNKNOWN_COMMAND.format(command=f"/{name}"))
        return
    admin = None
    if name == "space" and delivery.incoming.in_group:
        admin = await standing(context.sender, delivery.incoming.user, delivery.incoming.chat) in ADMINS
    chat = await context.enter(delivery, is_admin=admin)
    if known.telegram_handler:
        await registry.handler(known.telegram_handler)(context, delivery, chat, words)
    elif known.answer:
        await answered(context, delivery, chat, words, known.answer)


async def answered(
    context: HandlerContext, delivery: Delivery, chat: Chat, words: str, answer: registry.CommandAnswer
) -> None:
    """What the command says in every front end, where it was given."""
    async with chat.together() as unit:
        await delivery.keep(unit, lines_answer(delivery, await answer(chat, words)))
    context.places.note(chat)


async def start(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    await _keep(chat, delivery, lines_answer(delivery, texts.WELCOME.format(name=delivery.incoming.name)))


async def show_help(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    await _keep(
        chat, delivery, in_private(delivery, lines_answer(delivery, registry.help_text(Where.TELEGRAM_PRIVATE)))
    )


async def private(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    if delivery.incoming.in_group:
        raise Refused(texts.PRIVATE_NOT_HERE)
    await answered(context, delivery, chat, words, conversation.private)


async def memory(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    """What a person sees of their memory, they see alone."""
    alone = pages.alone(context, delivery, chat)
    name, _, rest = words.partition(" ")
    async with alone.together() as unit:
        match name:
            case "" | "list":
                answer = await pages.listed(delivery, alone, 0)
            case "show" if rest:
                answer = await pages.fact(delivery, alone, rest.strip())
            case "export":
                answer = await exported(delivery, unit)
            case "web":
                answer = await pages.review_page(delivery, unit)
            case _:
                answer = lines_answer(delivery, await memory_command(alone, words))
        await delivery.keep(unit, in_private(delivery, answer))


async def exported(delivery: Delivery, unit: Unit) -> OutgoingAnswer:
    """All data of a person as two files."""
    parts = [
        OutgoingMessage(chat=delivery.incoming.user, text=name, document=b64encode(text.encode()).decode())
        for name, text in (await export_files(unit)).items()
    ]
    return OutgoingAnswer(parts=[*parts, delivery.part(texts.EXPORT_HERE)])


async def tell_why(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    """Why the last reply, or the one that this answers, says what it says."""
    reply = delivery.incoming.reply
    answered = None
    if reply is not None and reply.mine:
        answered = await chat.do(lambda unit: event_at(unit, delivery.incoming.place, reply.message_id))
    if reply is not None and answered is None and chat.kept:
        text = texts.WHY_NOTHING
    else:
        text = await why.explained(chat, answered, link_to)
    await _keep(chat, delivery, in_private(delivery, lines_answer(delivery, text)))


async def forget(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    """Everything is asked twice, by words or by buttons."""
    alone = pages.alone(context, delivery, chat)
    asked = context.forgetting.pop(delivery.incoming.person, None)
    forgetting = Forgetting(alone, asked.asked if asked else 0)
    text, gone = await forgetting.command(words)
    if gone:
        return erased(context, delivery, chat, text)
    if forgetting.asked:
        context.forgetting[delivery.incoming.person] = forgetting
    owner = delivery.incoming.user
    sure = carried("forget", owner, str(forgetting.asked)) if forgetting.asked else ""
    buttons = [[Button(label=texts.BUTTON_FORGET, data=sure)]] if sure else []
    await _keep(alone, delivery, in_private(delivery, lines_answer(delivery, text, buttons)))
    return None


def erased(context: HandlerContext, delivery: Delivery, chat: Chat, text: str) -> None:
    """Nothing of them is left, not even the row of this update: what is said now is said once."""
    context.runtime.recent.forget(chat.conversation_id)
    delivery.erased = True
    delivery.answer = in_private(delivery, lines_answer(delivery, text))
    for place in (delivery.incoming.place, delivery.incoming.person):  # a person's own chat has their number
        context.places.forget(place)


async def space(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    name, _, rest = words.partition(" ")
    if delivery.incoming.in_group and name in ALONE_ONLY:
        raise Refused(texts.SPACE_IN_PRIVATE)
    if delivery.incoming.in_group and name in {"", "list"}:
        told = "\n".join((texts.CHANNELS[chat.viewer.channel], texts.SPACE_GROUP))
        return await _keep(chat, delivery, lines_answer(delivery, told))
    if not delivery.incoming.in_group:
        await check_role(context.sender, delivery.incoming.user, chat, chat.viewer.place)
        for each in await chat.do(spaces.mine) if name == "use" else ():
            if rest.strip() in {each.id, each.subject}:
                await check_role(context.sender, delivery.incoming.user, chat, each.id)
    if name == "channel":
        return await choose(context, delivery, chat, rest.strip())
    if name == "document":
        if delivery.incoming.file is None:
            raise Refused(texts.SPACE_SEND_FILE)
        chat.upload = (delivery.incoming.file.name, await files.download(context, delivery.incoming.file))
    async with chat.together() as unit:
        await delivery.keep(unit, lines_answer(delivery, await space_command(chat, words)))
    return context.places.note(chat)


async def choose(context: HandlerContext, delivery: Delivery, chat: Chat, wanted: str) -> None:
    """How private a group is, which those who run it may say."""
    if not delivery.incoming.in_group:
        raise Refused(texts.CHANNEL_NOT_HERE)
    if wanted not in {Channel.PUBLIC, Channel.TEAM}:
        raise Refused(texts.CHANNEL_USAGE)
    async with chat.together() as unit:
        if not await choose_channel(unit, Channel(wanted)):
            raise Refused(texts.CHANNEL_ADMINS)
        await delivery.keep(unit, lines_answer(delivery, texts.CHANNELS[wanted]))


async def _keep(chat: Chat, delivery: Delivery, answer: OutgoingAnswer) -> None:
    await chat.do(lambda unit: delivery.keep(unit, answer))
