"""Buttons: each belongs to one person, and an approval holds for the words that were shown with it."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from bot import formatting, keyboards, why
from bot.commands.privacy import Forgetting
from bot.errand import Errand
from bot.handlers import commands, pages
from bot.keyboards import Pressed, carried, receipt_buttons
from bot.language import spoken, texts
from bot.outgoing import Answer, Button, Part
from bot.sending import cards_parts, in_private, lines_answer
from bot.turn import Chat
from db.vocabulary import Approval, SpaceKind
from memory import facts, history, proposals, spaces
from memory.errors import NotFound, Refused
from memory.proposals import Card
from memory.receipts import Receipt
from memory.unit import Unit

if TYPE_CHECKING:
    from bot.desk import Desk

Act = Callable[["Desk", Errand, Chat, Pressed], Awaitable[Answer]]


async def tap(desk: "Desk", errand: Errand) -> None:
    incoming = errand.incoming
    button = keyboards.pressed(incoming.data)
    if button is None or (incoming.in_group and button.verb not in ALOUD):
        return await _alert(desk, errand, texts.BUTTON_OLD)
    if button.owner != incoming.user:
        return await _alert(desk, errand, texts.BUTTON_NOT_YOURS)
    if button.verb == "forget":
        return await forget(desk, errand, await desk.enter(errand), button)
    if (act := ACTS.get(button.verb)) is None:
        return await _alert(desk, errand, texts.BUTTON_OLD)
    chat = await desk.enter(errand)
    try:
        async with chat.together() as unit:
            answer = await act(desk, errand, chat, button)
            await errand.keep(unit, answer.model_copy(update={"query_id": incoming.query_id}))
    except NotFound:
        await _alert(desk, errand, texts.BUTTON_OLD)
    except Refused as refusal:
        await _alert(desk, errand, spoken(refusal))
    return None


async def _alert(desk: "Desk", errand: Errand, text: str) -> None:
    """Said over the chat, to whoever pressed the button and nobody else."""
    answer = Answer(query_id=errand.incoming.query_id, alert=text)
    async with desk.house.memory.unit(errand.owner) as unit:
        await errand.keep(unit, answer)


async def remember(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    others = await chat.do(lambda unit: _others(unit, button))
    receipt = await chat.do(lambda unit: _accepted(unit, button.subject, button.hash))
    return _after_card(errand, others, [receipt])


async def remember_all(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    """All that this message still asks; something else than was shown is not meant."""
    waiting = await chat.do(proposals.waiting)
    cards = _same(waiting, button.hash)
    receipts = []
    for card in cards:
        receipts.append(await chat.do(partial(_accepted, card_id=card.row.id, hash=card.row.content_hash)))
    return _receipts(errand, receipts)


async def decline(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    others = await chat.do(lambda unit: _others(unit, button))
    await chat.do(lambda unit: proposals.reject(unit, button.subject))
    return _after_card(errand, others, [])


async def edit_card(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    card = await chat.do(lambda unit: proposals.find(unit, button.subject))
    return _question(errand, card.id, card.content or "")


async def edit_fact(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    row = await chat.do(lambda unit: facts.own_fact(unit, button.subject))
    return _question(errand, row.id, row.words)


def _question(errand: Errand, id: str, words: str) -> Answer:
    """Whoever answers this message gives the words; it names what they are for."""
    return Answer(parts=[errand.part(texts.ASK_WORDS.format(id=id, words=formatting.one_line(words)), asks=True)])


async def turn_page(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    answer = await pages.listed(errand, pages.alone(desk, errand, chat), _number(button.subject))
    return _instead(errand, answer.model_copy(update={"parts": answer.parts[:1]}))


async def open_fact(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    return _instead(errand, await pages.fact(errand, chat, button.subject))


async def show_history(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    return _instead(errand, await pages.fact_history(errand, chat, button.subject))


async def delete(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    receipt = await chat.do(lambda unit: facts.hide(unit, button.subject, Approval.COMMAND))
    chat.house.recent.forget_person(chat.viewer.person)
    return _instead(errand, _receipts(errand, [receipt]))


async def undo(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    receipt = await chat.do(lambda unit: history.undo(unit, button.subject))
    return lines_answer(errand, formatting.receipt_line(receipt, undo=False))


async def share(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
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
        return _instead(errand, lines_answer(errand, texts.SHARE_WHERE, rows[:20]))
    if all(each.id != space_id for each in mine):
        raise NotFound
    receipt = await chat.do(lambda unit: facts.share(unit, fact_id), viewer=chat.in_space(space_id))
    return _instead(errand, _receipts(errand, [receipt]))


async def unshare(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    receipt = await chat.do(lambda unit: facts.unshare(unit, button.subject))
    return _instead(errand, _receipts(errand, [receipt]))


async def tell_why(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> Answer:
    text = await why.explained(chat, errand.incoming, button.subject)
    return in_private(errand, lines_answer(errand, text))


async def forget(desk: "Desk", errand: Errand, chat: Chat, button: Pressed) -> None:
    """The two questions of `/forget everything`, answered by buttons: in direct succession, as with words."""
    before = desk.forgetting.pop(errand.incoming.person, None)
    if before is None or str(before.asked) != button.subject:
        return await _alert(desk, errand, texts.BUTTON_OLD)
    forgetting = Forgetting(pages.alone(desk, errand, chat), before.asked)
    text, gone = await forgetting.command("yes" if before.asked == 1 else "yes, everything")
    answer = _instead(errand, lines_answer(errand, text))
    if gone:
        commands.erased(desk, errand, chat, text)
        errand.answer = answer.model_copy(update={"query_id": errand.incoming.query_id})
        return None
    desk.forgetting[errand.incoming.person] = forgetting
    again = [[Button(label=texts.BUTTON_FORGET, data=carried("forget", button.owner, "2"))]]
    answer = _instead(errand, lines_answer(errand, text, again))
    await chat.do(lambda unit: errand.keep(unit, answer.model_copy(update={"query_id": errand.incoming.query_id})))
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


def _after_card(errand: Errand, others: Sequence[Card], receipts: Sequence[Receipt]) -> Answer:
    """The message with the card says how it was answered; what else it asks, it still asks."""
    told = [formatting.receipt_line(each, undo=False) for each in receipts] or [texts.CARD_REJECTED]
    answered = errand.part("\n".join(told), buttons=receipt_buttons(receipts, errand.incoming.user))
    if not others:
        return _instead(errand, Answer(parts=[answered]))
    return _instead(errand, Answer(parts=[*cards_parts(errand, others, None), answered]))


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


def _receipts(errand: Errand, receipts: Sequence[Receipt]) -> Answer:
    text = "\n".join(formatting.receipt_line(each, undo=False) for each in receipts)
    return _instead(errand, lines_answer(errand, text, receipt_buttons(receipts, errand.incoming.user)))


def _instead(errand: Errand, answer: Answer) -> Answer:
    """In the place of the message whose button was pressed."""
    first, *rest = answer.parts
    edits: Part = first.model_copy(update={"edits": errand.incoming.message_id})
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
