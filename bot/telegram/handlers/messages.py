"""A message: words that are answered, a file that is read, new words for a fact or a card, or something unreadable."""

import re
from functools import partial
from typing import Any

from bot import formatting
from bot.delivery.delivery import Delivery
from bot.delivery.incoming import ASKS, AnsweredMessage, Incoming
from bot.language import spoken, texts
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import files
from bot.telegram.sending.answers import answer_to, lines_answer
from bot.telegram.sending.keyboards import receipt_buttons
from bot.telegram.sending.preview import Preview
from memory import Approval, Category
from memory.errors import Refused
from memory.events.posts import event_at, event_of_update
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt
from memory.privacy.forgetting.blanking import quotable
from memory.turn.chat import Chat
from memory.turn.outcome import Outcome
from memory.turn.state import UserMessage
from memory.unit import Unit

# A question of ours for new words: only the program writes this mark, and it names what they are for.
ASKED = re.compile(rf"\A{ASKS}.*?\[([A-Za-z0-9]{{8}})\]", re.DOTALL)


async def message(context: HandlerContext, delivery: Delivery) -> None:
    incoming = delivery.incoming
    if incoming.unreadable and not incoming.text:
        await context.tell(delivery, texts.UNREADABLE.get(incoming.unreadable, texts.UNREADABLE["other"]))
        return
    chat = await context.enter(delivery)
    if (asked := _asked_for(incoming)) is not None:
        await take_new_words(delivery, chat, asked)
        return
    told, refs = await _told(chat, incoming)
    problem = ""
    if incoming.file is not None:
        read = await files.read(context, chat, incoming.file)
        if read.problem and not incoming.text:
            await context.tell(delivery, read.problem)
            return
        told, problem = told | read.told, read.problem
        words = incoming.text or f"({incoming.file.name})"
        delivery.incoming = incoming.model_copy(update={"text": "\n\n".join(filter(None, (words, read.excerpt)))})
    await say(context, delivery, chat, told, refs, problem, only_named=not incoming.text)


async def say(
    context: HandlerContext,
    delivery: Delivery,
    chat: Chat,
    told: dict[str, Any],
    refs: tuple[str, ...],
    problem: str,
    *,
    only_named: bool,
) -> None:
    """One turn, shown while it is made; its answer is kept in the transaction that writes the reply down."""
    incoming = delivery.incoming
    message = UserMessage(
        incoming.text,
        told,
        refs,
        update_id=incoming.update_id if chat.kept else None,
        recorded=await _recorded(delivery),
        sent_at=incoming.received_at,
        left_out=incoming.left_out,
        post=incoming.message_id,
        is_reply=incoming.reply is not None,
        only_named=only_named,
    )

    async def keep_outcome(unit: Unit | None, outcome: Outcome) -> None:
        await delivery.keep(unit, answer_to(delivery, outcome, *([problem] if problem else [])))

    number = incoming.update_id % 2**31 or 1
    async with Preview(
        context.sender, incoming.chat, incoming.thread, number, delivery.keep_preview, drafts=not incoming.in_group
    ) as preview:
        await chat.say(message, preview.show, keep_outcome)
    context.places.note(chat)


def _asked_for(incoming: Incoming) -> str | None:
    """The fact or the card for which these words are the answer; only one's own words can be."""
    reply = incoming.reply
    if reply is None or not reply.mine or incoming.forwarded_from or not incoming.text:
        return None
    asked = ASKED.match(reply.text)
    return asked[1] if asked else None


async def take_new_words(delivery: Delivery, chat: Chat, id: str) -> None:
    """The answer to our question how a fact, or a card, should read."""
    left_out = delivery.incoming.left_out
    told, receipts = [formatting.secrets_left_out(left_out)] if left_out else [], list[Receipt]()
    async with chat.together() as unit:
        try:
            receipts = [await chat.do(partial(_reworded, id=id, words=delivery.incoming.text))]
        except Refused as refusal:
            told.append(spoken(refusal))
        lines = [*(formatting.receipt_line(each, undo=False) for each in receipts), *told]
        buttons = receipt_buttons(receipts, delivery.incoming.user)
        await delivery.keep(unit, lines_answer(delivery, "\n".join(lines), buttons))


async def _reworded(unit: Unit, id: str, words: str) -> Receipt:
    card = await proposals.any_card(unit, id)
    if card is None:
        return await facts.revise(unit, id, FactDraft(words, Category.OTHER), Approval.COMMAND)
    return await proposals.accept(unit, id, card.content_hash, words=words)


async def _recorded(delivery: Delivery) -> str | None:
    """The event that this update became, when it was taken up before."""
    if not delivery.resumed or not delivery.holder:
        return None
    async with delivery.runtime.memory.unit(delivery.owner, read_only=True) as unit:
        return await event_of_update(unit, delivery.incoming.update_id)


async def _told(chat: Chat, incoming: Incoming) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What stands before the words for the model: who speaks in a group, whose words these are, what they answer."""
    told: dict[str, Any] = {}
    if incoming.in_group and incoming.name:
        told["by"] = incoming.name
    if incoming.forwarded_from:
        told["forwarded_from"] = incoming.forwarded_from
    if incoming.unreadable:
        told["file"] = incoming.unreadable
    if (reply := incoming.reply) is None or not reply.text:
        return told, ()
    words, event = await _answered(chat, incoming, reply)
    told["reply_to"] = {"by": texts.ASSISTANT if reply.mine else reply.by, "text": words}
    return told, (event,) if event else ()


async def _answered(chat: Chat, incoming: Incoming, reply: AnsweredMessage) -> tuple[str, str | None]:
    """What of the answered message may be said again, and its event."""
    if not chat.kept or chat.runtime.outage.is_on_for(chat.key):
        return reply.text, None

    async def look(unit: Unit) -> tuple[str, str | None]:
        event = await event_at(unit, incoming.place, reply.message_id)
        return await quotable(unit, reply.text), event

    return await chat.do(look)
