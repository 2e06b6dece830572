"""Handles messages: runs a turn, reads attached files, and applies new words for a fact or card."""

import re
from functools import partial
from typing import Any

from bot import formatting
from bot.delivery.delivery import Delivery
from bot.delivery.incoming import EDIT_PROMPT_MARK, Incoming, RepliedMessage
from bot.language import texts, translate_error
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import files
from bot.telegram.sending.answers import text_answer, turn_answer
from bot.telegram.sending.keyboards import receipt_buttons
from bot.telegram.sending.preview import Preview
from memory import Approval, Category
from memory.errors import Refused
from memory.events.posts import event_at, event_id_of_update
from memory.facts import facts, proposals
from memory.facts.facts import FactDraft
from memory.facts.receipts import Receipt
from memory.privacy.forgetting.blanking import quotable_text
from memory.turn.chat import Chat
from memory.turn.outcome import Outcome
from memory.turn.state import UserMessage
from memory.unit import Unit

# Our own prompt for new words. It contains the id of the fact or card; nothing else can start with this mark.
EDIT_PROMPT = re.compile(rf"\A{EDIT_PROMPT_MARK}.*?\[([A-Za-z0-9]{{8}})\]", re.DOTALL)


async def message(context: HandlerContext, delivery: Delivery) -> None:
    incoming = delivery.incoming
    if incoming.unreadable and not incoming.text:
        await context.answer_with(delivery, texts.UNREADABLE.get(incoming.unreadable, texts.UNREADABLE["other"]))
        return
    chat = await context.open_chat(delivery)
    if (target := _edit_target(incoming)) is not None:
        await apply_new_words(delivery, chat, target)
        return
    details, refs = await _details(chat, incoming)
    problem = ""
    if incoming.file is not None:
        file = await files.read_file(context, chat, incoming.file)
        if file.problem and not incoming.text:
            await context.answer_with(delivery, file.problem)
            return
        details, problem = details | file.details, file.problem
        words = incoming.text or f"({incoming.file.name})"
        delivery.incoming = incoming.model_copy(update={"text": "\n\n".join(filter(None, (words, file.excerpt)))})
    await run_turn(context, delivery, chat, details, refs, problem, only_named=not incoming.text)


async def run_turn(
    context: HandlerContext,
    delivery: Delivery,
    chat: Chat,
    details: dict[str, Any],
    refs: tuple[str, ...],
    problem: str,
    *,
    only_named: bool,
) -> None:
    """Run one turn with a live preview. The answer is stored in the transaction that records the reply."""
    incoming = delivery.incoming
    message = UserMessage(
        incoming.text,
        details,
        refs,
        update_id=incoming.update_id if chat.kept else None,
        recorded=await _recorded_event(delivery),
        sent_at=incoming.received_at,
        left_out=incoming.left_out,
        post=incoming.message_id,
        is_reply=incoming.reply is not None,
        only_named=only_named,
    )

    async def keep_outcome(unit: Unit | None, outcome: Outcome) -> None:
        await delivery.save_answer(unit, turn_answer(delivery, outcome, *([problem] if problem else [])))

    number = incoming.update_id % 2**31 or 1
    async with Preview(
        context.sender, incoming.chat, incoming.thread, number, delivery.save_preview, drafts=not incoming.in_group
    ) as preview:
        await chat.say(message, preview.show, keep_outcome)
    context.chat_cache.add(chat)


def _edit_target(incoming: Incoming) -> str | None:
    """Return the id of the fact or card that this message gives new words for. A forwarded message never does."""
    reply = incoming.reply
    if reply is None or not reply.mine or incoming.forwarded_from or not incoming.text:
        return None
    prompt = EDIT_PROMPT.match(reply.text)
    return prompt[1] if prompt else None


async def apply_new_words(delivery: Delivery, chat: Chat, id: str) -> None:
    """Change the fact, or accept the card, with the words of this message."""
    left_out = delivery.incoming.left_out
    notices, receipts = [formatting.secrets_left_out(left_out)] if left_out else [], list[Receipt]()
    async with chat.transaction() as unit:
        try:
            receipts = [await chat.do(partial(_reword, id=id, words=delivery.incoming.text))]
        except Refused as refusal:
            notices.append(translate_error(refusal))
        lines = [*(formatting.receipt_line(each, undo=False) for each in receipts), *notices]
        buttons = receipt_buttons(receipts, delivery.incoming.user)
        await delivery.save_answer(unit, text_answer(delivery, "\n".join(lines), buttons))


async def _reword(unit: Unit, id: str, words: str) -> Receipt:
    card = await proposals.find_card(unit, id)
    if card is None:
        return await facts.revise(unit, id, FactDraft(words, Category.OTHER), Approval.COMMAND)
    return await proposals.accept(unit, id, card.content_hash, words=words)


async def _recorded_event(delivery: Delivery) -> str | None:
    """Return the event that an earlier attempt at this update recorded."""
    if not delivery.is_resumed or not delivery.holder:
        return None
    async with delivery.runtime.memory.unit(delivery.owner, read_only=True) as unit:
        return await event_id_of_update(unit, delivery.incoming.update_id)


async def _details(chat: Chat, incoming: Incoming) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Collect what the model is told about a message (speaker, origin, reply target), and the event replied to."""
    details: dict[str, Any] = {}
    if incoming.in_group and incoming.name:
        details["by"] = incoming.name
    if incoming.forwarded_from:
        details["forwarded_from"] = incoming.forwarded_from
    if incoming.unreadable:
        details["file"] = incoming.unreadable
    if (reply := incoming.reply) is None or not reply.text:
        return details, ()
    words, event_id = await _replied_text(chat, incoming, reply)
    details["reply_to"] = {"by": texts.ASSISTANT if reply.mine else reply.by, "text": words}
    return details, (event_id,) if event_id else ()


async def _replied_text(chat: Chat, incoming: Incoming, reply: RepliedMessage) -> tuple[str, str | None]:
    """Return the replied message without forgotten words, and the id of its event."""
    if not chat.kept or chat.runtime.outage.is_active_for(chat.key):
        return reply.text, None

    async def look(unit: Unit) -> tuple[str, str | None]:
        event = await event_at(unit, incoming.place, reply.message_id)
        return await quotable_text(unit, reply.text), event

    return await chat.do(look)
