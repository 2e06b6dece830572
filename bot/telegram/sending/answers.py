"""Turns the outcome of a turn into messages: the reply, receipts with undo buttons, and cards with buttons."""

from collections.abc import Sequence

from bot import formatting
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import texts
from bot.telegram.sending import keyboards
from bot.telegram.sending.markdown import MAX_UTF16_LENGTH, split_markdown, split_text, utf16_length
from memory.facts.proposals import Card
from memory.turn.outcome import Outcome

MAX_CARDS = 8  # cards in one message


def turn_answer(delivery: Delivery, outcome: Outcome, *more: str) -> OutgoingAnswer:
    """Build the complete answer: the model's reply, then receipts, notices and the `more` lines, then cards."""
    owner = delivery.incoming.user
    lines = [*formatting.outcome_lines(outcome, undo=False), *more]
    pieces = split_markdown(outcome.text) if outcome.text.strip() else []
    if not pieces and not lines and not outcome.cards:
        lines = [texts.REPLY_EMPTY]
    # Replaced after the Markdown conversion, because Markdown can spell a mark indirectly. The length stays the same.
    parts = [
        delivery.part(text.translate(texts.MARKS), entities=entities, event_id=outcome.event_id)
        for text, entities in pieces
    ]
    if lines:
        parts = _with_lines(delivery, parts, "\n".join(lines))
    if parts:
        reply_to = delivery.incoming.message_id if delivery.incoming.in_group else None
        parts[0] = parts[0].model_copy(update={"reply_to": reply_to})
        parts[-1] = parts[-1].model_copy(update={"buttons": _buttons(outcome, owner)})
    if outcome.cards:
        parts += card_messages(delivery, outcome.cards, outcome.event_id)
    return OutgoingAnswer(parts=parts)


def _buttons(outcome: Outcome, owner: int) -> list[list[Button]]:
    rows = keyboards.receipt_buttons(outcome.receipts, owner)
    if outcome.event_id and outcome.recalled:
        rows.append([keyboards.why_button(outcome.event_id, owner)])
    return rows


def _with_lines(delivery: Delivery, parts: Sequence[OutgoingMessage], lines: str) -> list[OutgoingMessage]:
    """Append the lines to the last message, or add a message if they do not fit."""
    last = parts[-1] if parts else None
    if last is not None and utf16_length(last.text) + utf16_length(lines) + 2 <= MAX_UTF16_LENGTH:
        return [*parts[:-1], last.model_copy(update={"text": f"{last.text.rstrip()}\n\n{lines}"})]
    return [*parts, *(delivery.part(piece) for piece in split_text(lines))]


def card_messages(delivery: Delivery, cards: Sequence[Card], event_id: str | None) -> list[OutgoingMessage]:
    """Build the messages with cards and their buttons, with as many cards in a message as fit."""
    parts, fitting = list[OutgoingMessage](), list[Card]()
    for card in cards:
        if fitting and (len(fitting) == MAX_CARDS or utf16_length(_cards_text([*fitting, card])) > MAX_UTF16_LENGTH):
            parts.append(_cards_message(delivery, fitting, event_id))
            fitting = []
        fitting.append(card)
    return [*parts, _cards_message(delivery, fitting, event_id)] if fitting else parts


def _cards_message(delivery: Delivery, cards: Sequence[Card], event_id: str | None) -> OutgoingMessage:
    return delivery.part(
        _cards_text(cards),
        buttons=keyboards.card_buttons(cards, delivery.incoming.user),
        event_id=event_id,
        cards=[card.row.id for card in cards],
    )


def _cards_text(cards: Sequence[Card]) -> str:
    lines = [formatting.card_line(card) for card in cards]
    return lines[0] if len(cards) == 1 else "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def text_answer(delivery: Delivery, text: str, buttons: list[list[Button]] | None = None) -> OutgoingAnswer:
    """Build an answer from plain text of any length, with buttons under its last message."""
    parts = [delivery.part(piece) for piece in split_text(text)] or [delivery.part(texts.REPLY_EMPTY)]
    parts[-1] = parts[-1].model_copy(update={"buttons": buttons or []})
    return OutgoingAnswer(parts=parts)


def in_private(delivery: Delivery, answer: OutgoingAnswer) -> OutgoingAnswer:
    """Redirect an answer from a group to the private chat, and leave a note about it in the group."""
    if not delivery.incoming.in_group:
        return answer
    parts = [delivery.in_private(part) for part in answer.parts]
    note = delivery.part(
        texts.ANSWERED_IN_PRIVATE, reply_to=delivery.incoming.message_id, undelivered_text=texts.OPEN_PRIVATE_CHAT
    )
    return answer.model_copy(update={"parts": [*parts, note]})
