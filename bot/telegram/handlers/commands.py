"""Handles slash commands. A command and its answer share one transaction, so a crash cannot run it twice."""

import logging
from base64 import b64encode

from bot.commands import conversation, registry, why
from bot.commands.memory import export_files, memory_command
from bot.commands.privacy import ForgetDialog
from bot.commands.registry import Where
from bot.commands.spaces import PRIVATE_ONLY, space_command
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import texts
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import files, pages
from bot.telegram.membership import ADMINS, check_membership, member_status
from bot.telegram.message_links import link_to
from bot.telegram.sending.answers import in_private, text_answer
from bot.telegram.sending.keyboards import encode_button
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
    found = registry.find(name, words, Where.TELEGRAM_GROUP if delivery.incoming.in_group else Where.TELEGRAM_PRIVATE)
    if found is None:
        if delivery.incoming.in_group:
            return  # it is meant for another bot
        await context.answer_with(delivery, texts.UNKNOWN_COMMAND.format(command=f"/{name}"))
        return
    is_admin = None
    if name == "space" and delivery.incoming.in_group:
        is_admin = await member_status(context.sender, delivery.incoming.user, delivery.incoming.chat) in ADMINS
    chat = await context.open_chat(delivery, is_admin=is_admin)
    if found.telegram_handler:
        await registry.handler(found.telegram_handler)(context, delivery, chat, words)
    elif found.answer:
        await run_shared(context, delivery, chat, words, found.answer)


async def run_shared(
    context: HandlerContext, delivery: Delivery, chat: Chat, words: str, answer: registry.CommandAnswer
) -> None:
    """Run a command as in every front end, and answer in the chat where it was given."""
    async with chat.transaction() as unit:
        await delivery.save_answer(unit, text_answer(delivery, await answer(chat, words)))
    context.chat_cache.add(chat)


async def start(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    await _save(chat, delivery, text_answer(delivery, texts.WELCOME.format(name=delivery.incoming.name)))


async def show_help(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    await _save(chat, delivery, in_private(delivery, text_answer(delivery, registry.help_text(Where.TELEGRAM_PRIVATE))))


async def private(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    if delivery.incoming.in_group:
        raise Refused(texts.PRIVATE_NOT_HERE)
    await run_shared(context, delivery, chat, words, conversation.private)


async def memory(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    """Always answer in the private chat: a person's memory is for their eyes only."""
    own_chat = pages.private_chat(chat)
    name, _, rest = words.partition(" ")
    async with own_chat.transaction() as unit:
        match name:
            case "" | "list":
                answer = await pages.fact_list(delivery, own_chat, 0)
            case "show" if rest:
                answer = await pages.fact_page(delivery, own_chat, rest.strip())
            case "export":
                answer = await export_answer(delivery, unit)
            case "web":
                answer = await pages.review_link(delivery, unit)
            case _:
                answer = text_answer(delivery, await memory_command(own_chat, words))
        await delivery.save_answer(unit, in_private(delivery, answer))


async def export_answer(delivery: Delivery, unit: Unit) -> OutgoingAnswer:
    """Return all data of the person as two files."""
    parts = [
        OutgoingMessage(chat=delivery.incoming.user, text=name, document=b64encode(text.encode()).decode())
        for name, text in (await export_files(unit)).items()
    ]
    return OutgoingAnswer(parts=[*parts, delivery.part(texts.EXPORT_SENT)])


async def show_why(context: HandlerContext, delivery: Delivery, chat: Chat, _: str) -> None:
    """Show the sources of the last reply, or of the reply that this command replies to."""
    reply = delivery.incoming.reply
    event_id = None
    if reply is not None and reply.mine:
        event_id = await chat.do(lambda unit: event_at(unit, delivery.incoming.place, reply.message_id))
    if reply is not None and event_id is None and chat.kept:
        text = texts.WHY_NO_REPLY
    else:
        text = await why.explain(chat, event_id, link_to)
    await _save(chat, delivery, in_private(delivery, text_answer(delivery, text)))


async def forget(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    """Forget what is named. `/forget everything` needs two confirmations, by words or by buttons."""
    own_chat = pages.private_chat(chat)
    before = context.forget_dialogs.pop(delivery.incoming.person, None)
    dialog = ForgetDialog(own_chat, before.step if before else 0)
    text, is_erased = await dialog.command(words)
    if is_erased:
        return finish_erasure(context, delivery, chat, text)
    if dialog.step:
        context.forget_dialogs[delivery.incoming.person] = dialog
    owner = delivery.incoming.user
    data = encode_button("forget", owner, str(dialog.step)) if dialog.step else ""
    buttons = [[Button(label=texts.BUTTON_FORGET, data=data)]] if data else []
    await _save(own_chat, delivery, in_private(delivery, text_answer(delivery, text, buttons)))
    return None


def finish_erasure(context: HandlerContext, delivery: Delivery, chat: Chat, text: str) -> None:
    """Drop the erased person from RAM. Their inbox row is gone too, so this answer is sent only once."""
    context.runtime.recent.forget(chat.conversation_id)
    delivery.is_erased = True
    delivery.answer = in_private(delivery, text_answer(delivery, text))
    for place in (delivery.incoming.place, delivery.incoming.person):  # a private chat's id is the person's id
        context.chat_cache.remove(place)


async def space(context: HandlerContext, delivery: Delivery, chat: Chat, words: str) -> None:
    name, _, rest = words.partition(" ")
    if delivery.incoming.in_group and name in PRIVATE_ONLY:
        raise Refused(texts.SPACE_IN_PRIVATE)
    if delivery.incoming.in_group and name in {"", "list"}:
        text = "\n".join((texts.CHANNELS[chat.viewer.channel], texts.SPACE_GROUP))
        return await _save(chat, delivery, text_answer(delivery, text))
    if not delivery.incoming.in_group:
        await check_membership(context.sender, delivery.incoming.user, chat, chat.viewer.place)
        for each in await chat.do(spaces.own_spaces) if name == "use" else ():
            if rest.strip() in {each.id, each.subject}:
                await check_membership(context.sender, delivery.incoming.user, chat, each.id)
    if name == "channel":
        return await set_channel(context, delivery, chat, rest.strip())
    if name == "document":
        if delivery.incoming.file is None:
            raise Refused(texts.DOCUMENT_SEND_FILE)
        chat.upload = (delivery.incoming.file.name, await files.download(context, delivery.incoming.file))
    async with chat.transaction() as unit:
        await delivery.save_answer(unit, text_answer(delivery, await space_command(chat, words)))
    return context.chat_cache.add(chat)


async def set_channel(context: HandlerContext, delivery: Delivery, chat: Chat, channel: str) -> None:
    """Set how private a group is. Only its admins may."""
    if not delivery.incoming.in_group:
        raise Refused(texts.CHANNEL_NOT_HERE)
    if channel not in {Channel.PUBLIC, Channel.TEAM}:
        raise Refused(texts.CHANNEL_USAGE)
    async with chat.transaction() as unit:
        if not await choose_channel(unit, Channel(channel)):
            raise Refused(texts.CHANNEL_ADMINS)
        await delivery.save_answer(unit, text_answer(delivery, texts.CHANNELS[channel]))


async def _save(chat: Chat, delivery: Delivery, answer: OutgoingAnswer) -> None:
    await chat.do(lambda unit: delivery.save_answer(unit, answer))
