"""Handles button presses. A button belongs to one person, and approves exactly the words shown with it."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import combinations

from bot import formatting
from bot.commands import why
from bot.commands.privacy import ForgetDialog
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import texts, translate_error
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import commands, pages
from bot.telegram.message_links import link_to
from bot.telegram.sending import keyboards
from bot.telegram.sending.answers import card_messages, in_private, text_answer
from bot.telegram.sending.keyboards import ButtonData, encode_button, receipt_buttons
from memory import Approval, SpaceKind
from memory.errors import NotFound, Refused
from memory.facts import facts, history, proposals
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.people import spaces
from memory.refusals import Refusal
from memory.turn.chat import Chat
from memory.unit import Unit

ButtonAction = Callable[[Delivery, Chat, ButtonData], Awaitable[OutgoingAnswer]]


async def press(context: HandlerContext, delivery: Delivery) -> None:
    incoming = delivery.incoming
    button = keyboards.decode_button(incoming.data)
    if button is None or (incoming.in_group and button.action not in IN_GROUPS):
        return await _alert(context, delivery, texts.BUTTON_OLD)
    if button.owner != incoming.user:
        return await _alert(context, delivery, texts.BUTTON_NOT_YOURS)
    if button.action == "forget":
        return await forget(context, delivery, await context.open_chat(delivery), button)
    if (action := ACTIONS.get(button.action)) is None:
        return await _alert(context, delivery, texts.BUTTON_OLD)
    chat = await context.open_chat(delivery)
    try:
        async with chat.transaction() as unit:
            answer = await action(delivery, chat, button)
            await delivery.save_answer(unit, answer.model_copy(update={"query_id": incoming.query_id}))
    except NotFound:
        await _alert(context, delivery, texts.BUTTON_OLD)
    except Refused as refusal:
        await _alert(context, delivery, translate_error(refusal))
    return None


async def _alert(context: HandlerContext, delivery: Delivery, text: str) -> None:
    """Answer with a pop-up that only the user who pressed the button sees."""
    answer = OutgoingAnswer(query_id=delivery.incoming.query_id, alert=text)
    async with context.runtime.memory.unit(delivery.owner) as unit:
        await delivery.save_answer(unit, answer)


async def remember(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    others = await chat.do(lambda unit: _other_cards(unit, button))
    receipt = await chat.do(lambda unit: _accept(unit, button.subject, button.hash))
    line = formatting.receipt_line(receipt, undo=False)
    return _after_card(delivery, others, line, receipt_buttons([receipt], delivery.incoming.user))


async def remember_all(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    """Accept all cards of this message, if they are still the ones that were shown."""
    waiting = await chat.do(proposals.waiting_cards)
    cards = _cards_of_message(waiting, button.hash)
    receipts = []
    for card in cards:
        receipts.append(await chat.do(partial(_accept, card_id=card.row.id, hash=card.row.content_hash)))
    return _receipts_answer(delivery, receipts)


async def decline(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    others = await chat.do(lambda unit: _other_cards(unit, button))
    rejected = await chat.do(lambda unit: proposals.reject(unit, button.subject))
    return _after_card(delivery, others, texts.CARD_REJECTED[rejected.kind], [])


async def edit_card(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    card = await chat.do(lambda unit: proposals.waiting_card(unit, button.subject))
    return _edit_prompt(delivery, card.id, card.content or "")


async def edit_fact(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    row = await chat.do(lambda unit: facts.own_fact(unit, button.subject))
    return _edit_prompt(delivery, row.id, row.words)


def _edit_prompt(delivery: Delivery, id: str, words: str) -> OutgoingAnswer:
    """Ask for new words. The prompt contains the id of the fact or card that they are for."""
    return OutgoingAnswer(
        parts=[delivery.part(texts.EDIT_ASK.format(id=id, words=formatting.one_line(words)), force_reply=True)]
    )


async def turn_page(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    answer = await pages.fact_list(delivery, pages.private_chat(chat), _page_number(button.subject))
    return _replace_pressed(delivery, answer.model_copy(update={"parts": answer.parts[:1]}))


async def open_fact(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    return _replace_pressed(delivery, await pages.fact_page(delivery, chat, button.subject))


async def show_history(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    return _replace_pressed(delivery, await pages.history_page(delivery, chat, button.subject))


async def delete(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: facts.hide(unit, button.subject, Approval.COMMAND))
    chat.runtime.recent.forget_person(chat.viewer.person)
    return _replace_pressed(delivery, _receipts_answer(delivery, [receipt]))


async def undo(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: history.undo(unit, button.subject))
    return text_answer(delivery, formatting.receipt_line(receipt, undo=False))


async def share(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    """Show the spaces to choose from, or share with the one that this button names (`FACT@SPACE`)."""
    fact_id, _, space_id = button.subject.partition("@")
    mine = [each for each in await chat.do(spaces.own_spaces) if each.kind != SpaceKind.PERSONAL]
    if not mine:
        raise Refused(texts.SHARE_NOWHERE)
    if not space_id:
        rows = [
            [
                Button(
                    label=each.subject[:40] or each.id,
                    data=encode_button("share", button.owner, f"{fact_id}@{each.id}"),
                )
            ]
            for each in mine
        ]
        return _replace_pressed(delivery, text_answer(delivery, texts.SHARE_WHERE, rows[:20]))
    if all(each.id != space_id for each in mine):
        raise NotFound
    receipt = await chat.do(lambda unit: facts.share(unit, fact_id), viewer=chat.in_space(space_id))
    return _replace_pressed(delivery, _receipts_answer(delivery, [receipt]))


async def unshare(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: facts.unshare(unit, button.subject))
    return _replace_pressed(delivery, _receipts_answer(delivery, [receipt]))


async def show_why(delivery: Delivery, chat: Chat, button: ButtonData) -> OutgoingAnswer:
    text = await why.explain(chat, button.subject, link_to)
    return in_private(delivery, text_answer(delivery, text))


async def forget(context: HandlerContext, delivery: Delivery, chat: Chat, button: ButtonData) -> None:
    """Take the next step of `/forget everything`, if this button belongs to the current one."""
    before = context.forget_dialogs.pop(delivery.incoming.person, None)
    if before is None or str(before.step) != button.subject:
        return await _alert(context, delivery, texts.BUTTON_OLD)
    dialog = ForgetDialog(pages.private_chat(chat), before.step)
    text, is_erased = await dialog.command("yes" if before.step == 1 else "yes, everything")
    answer = _replace_pressed(delivery, text_answer(delivery, text))
    if is_erased:
        commands.finish_erasure(context, delivery, chat, text)
        delivery.answer = answer.model_copy(update={"query_id": delivery.incoming.query_id})
        return None
    context.forget_dialogs[delivery.incoming.person] = dialog
    again = [[Button(label=texts.BUTTON_FORGET, data=encode_button("forget", button.owner, "2"))]]
    answer = _replace_pressed(delivery, text_answer(delivery, text, again))
    answer = answer.model_copy(update={"query_id": delivery.incoming.query_id})
    await chat.do(lambda unit: delivery.save_answer(unit, answer))
    return None


async def _accept(unit: Unit, card_id: str, hash: str) -> Receipt:
    """Accept the card if its words are still those shown with the button."""
    card = await proposals.waiting_card(unit, card_id)
    if not hash or not card.content_hash.startswith(hash):
        raise NotFound(Refusal.CARD_NOT_FOUND)
    return await proposals.accept(unit, card_id, card.content_hash)


def _cards_of_message(waiting: Sequence[Card], hash: str) -> list[Card]:
    """Find the cards of one message by their common hash. They are consecutive cards of a reply, or of all."""
    replies = {card.row.reply_event_id for card in waiting}
    for cards in (*([c for c in waiting if c.row.reply_event_id == reply] for reply in replies), list(waiting)):
        for start, end in combinations(range(len(cards) + 1), 2):
            if hash and keyboards.cards_hash(cards[start:end]).startswith(hash):
                return cards[start:end]
    raise NotFound


def _after_card(delivery: Delivery, others: Sequence[Card], result: str, buttons: list[list[Button]]) -> OutgoingAnswer:
    """Replace the card's message with the result; its other cards stay open."""
    cards = card_messages(delivery, others, None) if others else []
    return _replace_pressed(delivery, OutgoingAnswer(parts=[*cards, delivery.part(result, buttons=buttons)]))


async def _other_cards(unit: Unit, button: ButtonData) -> list[Card]:
    """Return the other open cards of the button's message."""
    if not button.group:
        return []
    try:
        cards = _cards_of_message(await proposals.waiting_cards(unit), button.group)
    except NotFound:  # some of them were answered elsewhere
        return []
    return [card for card in cards if card.row.id != button.subject]


def _page_number(subject: str) -> int:
    """Parse a page number, or raise `NotFound` if the data is not ours."""
    if not subject.isdecimal():
        raise NotFound
    return int(subject)


def _receipts_answer(delivery: Delivery, receipts: Sequence[Receipt]) -> OutgoingAnswer:
    text = "\n".join(formatting.receipt_line(each, undo=False) for each in receipts)
    return _replace_pressed(delivery, text_answer(delivery, text, receipt_buttons(receipts, delivery.incoming.user)))


def _replace_pressed(delivery: Delivery, answer: OutgoingAnswer) -> OutgoingAnswer:
    """Return the answer with its first part replacing the message whose button was pressed."""
    first, *rest = answer.parts
    edits: OutgoingMessage = first.model_copy(update={"edits": delivery.incoming.message_id})
    return answer.model_copy(update={"parts": [edits, *rest]})


# The buttons shown in groups. The others belong to private pages.
IN_GROUPS = frozenset({"yes", "no", "own", "all", "undo", "why"})
ACTIONS: dict[str, ButtonAction] = {
    "yes": remember,
    "no": decline,
    "own": edit_card,
    "all": remember_all,
    "page": turn_page,
    "open": open_fact,
    "history": show_history,
    "edit": edit_fact,
    "delete": delete,
    "undo": undo,
    "share": share,
    "unshare": unshare,
    "why": show_why,
}
