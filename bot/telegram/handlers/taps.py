"""Buttons: each belongs to one person, and an approval holds for the words that were shown with it."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import combinations

from bot import formatting
from bot.commands import why
from bot.commands.privacy import Forgetting
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import spoken, texts
from bot.telegram.context import HandlerContext
from bot.telegram.handlers import commands, pages
from bot.telegram.message_links import link_to
from bot.telegram.sending import keyboards
from bot.telegram.sending.answers import cards_parts, in_private, lines_answer
from bot.telegram.sending.keyboards import Pressed, carried, receipt_buttons
from memory import Approval, SpaceKind
from memory.errors import NotFound, Refused
from memory.facts import facts, history, proposals
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.people import spaces
from memory.turn.chat import Chat
from memory.unit import Unit

Act = Callable[[HandlerContext, Delivery, Chat, Pressed], Awaitable[OutgoingAnswer]]


async def tap(context: HandlerContext, delivery: Delivery) -> None:
    incoming = delivery.incoming
    button = keyboards.pressed(incoming.data)
    if button is None or (incoming.in_group and button.verb not in ALOUD):
        return await _alert(context, delivery, texts.BUTTON_OLD)
    if button.owner != incoming.user:
        return await _alert(context, delivery, texts.BUTTON_NOT_YOURS)
    if button.verb == "forget":
        return await forget(context, delivery, await context.enter(delivery), button)
    if (act := ACTS.get(button.verb)) is None:
        return await _alert(context, delivery, texts.BUTTON_OLD)
    chat = await context.enter(delivery)
    try:
        async with chat.together() as unit:
            answer = await act(context, delivery, chat, button)
            await delivery.keep(unit, answer.model_copy(update={"query_id": incoming.query_id}))
    except NotFound:
        await _alert(context, delivery, texts.BUTTON_OLD)
    except Refused as refusal:
        await _alert(context, delivery, spoken(refusal))
    return None


async def _alert(context: HandlerContext, delivery: Delivery, text: str) -> None:
    """Said over the chat, to whoever pressed the button and nobody else."""
    answer = OutgoingAnswer(query_id=delivery.incoming.query_id, alert=text)
    async with context.runtime.memory.unit(delivery.owner) as unit:
        await delivery.keep(unit, answer)


async def remember(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    others = await chat.do(lambda unit: _others(unit, button))
    receipt = await chat.do(lambda unit: _accepted(unit, button.subject, button.hash))
    return _after_card(delivery, others, [receipt])


async def remember_all(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    """All that this message still asks; something else than was shown is not meant."""
    waiting = await chat.do(proposals.waiting)
    cards = _same(waiting, button.hash)
    receipts = []
    for card in cards:
        receipts.append(await chat.do(partial(_accepted, card_id=card.row.id, hash=card.row.content_hash)))
    return _receipts(delivery, receipts)


async def decline(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    others = await chat.do(lambda unit: _others(unit, button))
    await chat.do(lambda unit: proposals.reject(unit, button.subject))
    return _after_card(delivery, others, [])


async def edit_card(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    card = await chat.do(lambda unit: proposals.find(unit, button.subject))
    return _question(delivery, card.id, card.content or "")


async def edit_fact(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    row = await chat.do(lambda unit: facts.own_fact(unit, button.subject))
    return _question(delivery, row.id, row.words)


def _question(delivery: Delivery, id: str, words: str) -> OutgoingAnswer:
    """Whoever answers this message gives the words; it names what they are for."""
    return OutgoingAnswer(
        parts=[delivery.part(texts.ASK_WORDS.format(id=id, words=formatting.one_line(words)), asks=True)]
    )


async def turn_page(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    answer = await pages.listed(delivery, pages.alone(context, delivery, chat), _number(button.subject))
    return _instead(delivery, answer.model_copy(update={"parts": answer.parts[:1]}))


async def open_fact(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    return _instead(delivery, await pages.fact(delivery, chat, button.subject))


async def show_history(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    return _instead(delivery, await pages.fact_history(delivery, chat, button.subject))


async def delete(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: facts.hide(unit, button.subject, Approval.COMMAND))
    chat.runtime.recent.forget_person(chat.viewer.person)
    return _instead(delivery, _receipts(delivery, [receipt]))


async def undo(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: history.undo(unit, button.subject))
    return lines_answer(delivery, formatting.receipt_line(receipt, undo=False))


async def share(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    """The first button asks with whom, the next one names the space."""
    fact_id, _, space_id = button.subject.partition("@")
    mine = [each for each in await chat.do(spaces.mine) if each.kind != SpaceKind.PERSONAL]
    if not mine:
        raise Refused(texts.SHARE_NOWHERE)
    if not space_id:
        rows = [
            [Button(label=each.subject[:40] or each.id, data=carried("share", button.owner, f"{fact_id}@{each.id}"))]
            for each in mine
        ]
        return _instead(delivery, lines_answer(delivery, texts.SHARE_WHERE, rows[:20]))
    if all(each.id != space_id for each in mine):
        raise NotFound
    receipt = await chat.do(lambda unit: facts.share(unit, fact_id), viewer=chat.in_space(space_id))
    return _instead(delivery, _receipts(delivery, [receipt]))


async def unshare(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    receipt = await chat.do(lambda unit: facts.unshare(unit, button.subject))
    return _instead(delivery, _receipts(delivery, [receipt]))


async def tell_why(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> OutgoingAnswer:
    text = await why.explained(chat, button.subject, link_to)
    return in_private(delivery, lines_answer(delivery, text))


async def forget(context: HandlerContext, delivery: Delivery, chat: Chat, button: Pressed) -> None:
    """The two questions of `/forget everything`, answered by buttons: in direct succession, as with words."""
    before = context.forgetting.pop(delivery.incoming.person, None)
    if before is None or str(before.asked) != button.subject:
        return await _alert(context, delivery, texts.BUTTON_OLD)
    forgetting = Forgetting(pages.alone(context, delivery, chat), before.asked)
    text, gone = await forgetting.command("yes" if before.asked == 1 else "yes, everything")
    answer = _instead(delivery, lines_answer(delivery, text))
    if gone:
        commands.erased(context, delivery, chat, text)
        delivery.answer = answer.model_copy(update={"query_id": delivery.incoming.query_id})
        return None
    context.forgetting[delivery.incoming.person] = forgetting
    again = [[Button(label=texts.BUTTON_FORGET, data=carried("forget", button.owner, "2"))]]
    answer = _instead(delivery, lines_answer(delivery, text, again))
    await chat.do(lambda unit: delivery.keep(unit, answer.model_copy(update={"query_id": delivery.incoming.query_id})))
    return None


async def _accepted(unit: Unit, card_id: str, hash: str) -> Receipt:
    """Only what was shown with the button is approved."""
    card = await proposals.find(unit, card_id)
    if not hash or not card.content_hash.startswith(hash):
        raise NotFound(proposals.GONE)
    return await proposals.accept(unit, card_id, card.content_hash)


def _same(waiting: Sequence[Card], hash: str) -> list[Card]:
    """The cards of one message, known by the hash of all of them: a run of those of one reply, or of all that wait."""
    replies = {card.row.reply_event_id for card in waiting}
    for cards in (*([c for c in waiting if c.row.reply_event_id == reply] for reply in replies), list(waiting)):
        for start, end in combinations(range(len(cards) + 1), 2):
            if hash and keyboards.hash_of_all(cards[start:end]).startswith(hash):
                return cards[start:end]
    raise NotFound


def _after_card(delivery: Delivery, others: Sequence[Card], receipts: Sequence[Receipt]) -> OutgoingAnswer:
    """The message with the card says how it was answered; what else it asks, it still asks."""
    told = [formatting.receipt_line(each, undo=False) for each in receipts] or [texts.CARD_REJECTED]
    answered = delivery.part("\n".join(told), buttons=receipt_buttons(receipts, delivery.incoming.user))
    if not others:
        return _instead(delivery, OutgoingAnswer(parts=[answered]))
    return _instead(delivery, OutgoingAnswer(parts=[*cards_parts(delivery, others, None), answered]))


async def _others(unit: Unit, button: Pressed) -> list[Card]:
    """What else the message of this button asks."""
    if not button.group:
        return []
    try:
        together = _same(await proposals.waiting(unit), button.group)
    except NotFound:  # it was answered elsewhere; this card may still hold
        return []
    return [card for card in together if card.row.id != button.subject]


def _number(subject: str) -> int:
    """Nobody but us writes these; whatever else comes is out of date."""
    if not subject.isdecimal():
        raise NotFound
    return int(subject)


def _receipts(delivery: Delivery, receipts: Sequence[Receipt]) -> OutgoingAnswer:
    text = "\n".join(formatting.receipt_line(each, undo=False) for each in receipts)
    return _instead(delivery, lines_answer(delivery, text, receipt_buttons(receipts, delivery.incoming.user)))


def _instead(delivery: Delivery, answer: OutgoingAnswer) -> OutgoingAnswer:
    """In the place of the message whose button was pressed."""
    first, *rest = answer.parts
    edits: OutgoingMessage = first.model_copy(update={"edits": delivery.incoming.message_id})
    return answer.model_copy(update={"parts": [edits, *rest]})


# Buttons that stand under messages in groups; the others are about what a person sees alone.
ALOUD = frozenset({"yes", "no", "own", "all", "undo", "why"})
ACTS: dict[str, Act] = {
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
    "why": tell_why,
}
