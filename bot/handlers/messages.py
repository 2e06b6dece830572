"""A message: words that are answered, a file that is read, new words for a fact or a card, or something unreadable."""

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from bot import formatting
from bot.errand import Errand
from bot.handlers import files
from bot.incoming import Incoming, Reply
from bot.keyboards import receipt_buttons
from bot.language import spoken, texts
from bot.sending import answer_to, lines_answer
from bot.streaming import Preview
from bot.turn import Chat, Said, Words
from db.queries.events import event_of_update
from db.queries.posts import event_at
from db.vocabulary import Approval, Category
from memory import facts, proposals
from memory.errors import Refused
from memory.facts import Draft
from memory.privacy.blanking import quotable
from memory.receipts import Receipt
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.desk import Desk

# A question of ours for new words: only the program writes this mark, and it names what they are for.
ASKED = re.compile(r"\A✎ .*?\[([A-Za-z0-9]{8})\]", re.DOTALL)


async def message(desk: "Desk", errand: Errand) -> None:
    incoming = errand.incoming
    if incoming.unreadable and not incoming.text:
        await desk.tell(errand, texts.UNREADABLE.get(incoming.unreadable, texts.UNREADABLE["other"]))
        return
    chat = await desk.enter(errand)
    if (asked := _asked_for(incoming)) is not None:
        await take_new_words(errand, chat, asked)
        return
    told, refs = await _told(chat, incoming)
    problem = ""
    if incoming.file is not None:
        read = await files.read(errand, chat, incoming.file)
        if read.problem and not incoming.text:
            await desk.tell(errand, read.problem)
            return
        told, problem = told | read.told, read.problem
        words = incoming.text or f"({incoming.file.name})"
        errand.incoming = incoming.model_copy(update={"text": "\n\n".join(filter(None, (words, read.excerpt)))})
    await say(desk, errand, chat, told, refs, problem, only_named=not incoming.text)


async def say(
    desk: "Desk",
    errand: Errand,
    chat: Chat,
    told: dict[str, Any],
    refs: tuple[str, ...],
    problem: str,
    *,
    only_named: bool,
) -> None:
    """One turn, shown while it is made; its answer is kept in the transaction that writes the reply down."""
    incoming = errand.incoming
    words = Words(
        incoming.text,
        told,
        refs,
        update_id=incoming.update_id if chat.kept else None,
        recorded=await _recorded(errand),
        sent_at=incoming.received_at,
        left_out=incoming.left_out,
        post=incoming.message_id,
        is_reply=incoming.reply is not None,
        only_named=only_named,
    )

    async def finish(unit: Unit | None, said: Said) -> None:
        if problem and problem not in said.notices:
            said.notices.append(problem)
        await errand.keep(unit, answer_to(errand, said))

    number = incoming.update_id % 2**31 or 1
    async with Preview(
        errand.courier, incoming.chat, incoming.thread, number, errand.keep_preview, drafts=not incoming.in_group
    ) as preview:
        await chat.say(words, preview.show, finish)
    desk.places.note(chat)


def _asked_for(incoming: Incoming) -> str | None:
    """The fact or the card for which these words are the answer; only one's own words can be."""
    reply = incoming.reply
    if reply is None or not reply.mine or incoming.forwarded_from or not incoming.text:
        return None
    asked = ASKED.match(reply.text)
    return asked[1] if asked else None


async def take_new_words(errand: Errand, chat: Chat, id: str) -> None:
    """The answer to our question how a fact, or a card, should read."""
    left_out = errand.incoming.left_out
    told, receipts = [formatting.secrets_left_out(left_out)] if left_out else [], list[Receipt]()
    async with chat.together() as unit:
        try:
            receipts = [await chat.do(partial(_reworded, id=id, words=errand.incoming.text))]
        except Refused as refusal:
            told.append(spoken(refusal))
        lines = [*(formatting.receipt_line(each, undo=False) for each in receipts), *told]
        buttons = receipt_buttons(receipts, errand.incoming.user)
        await errand.keep(unit, lines_answer(errand, "\n".join(lines), buttons))


async def _reworded(unit: Unit, id: str, words: str) -> Receipt:
    card = await proposals.any_card(unit, id)
    if card is None:
        return await facts.revise(unit, id, Draft(words, Category.OTHER), Approval.COMMAND)
    return await proposals.accept(unit, id, card.content_hash, words=words)


async def _recorded(errand: Errand) -> str | None:
    """The event that this update became, when it was taken up before."""
    if not errand.resumed or not errand.holder:
        return None
    async with errand.house.memory.unit(errand.owner, read_only=True) as unit:
        return await event_of_update(unit.session, errand.owner, errand.incoming.update_id)


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


async def _answered(chat: Chat, incoming: Incoming, reply: Reply) -> tuple[str, str | None]:
    """What of the answered message may be said again, and its event."""
    if not chat.kept or chat.house.outage.is_on_for(chat.key):
        return reply.text, None

    async def look(unit: Unit) -> tuple[str, str | None]:
        event = await event_at(unit.session, unit.viewer, incoming.place, reply.message_id)
        return await quotable(unit, reply.text), event

    return await chat.do(look)
