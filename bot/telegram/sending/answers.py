"""From what came of a message to what is sent: the reply in parts, receipts with a way back, cards with buttons."""

from collections.abc import Sequence

from bot import formatting
from bot.delivery.delivery import Delivery
from bot.delivery.outgoing import Button, OutgoingAnswer, OutgoingMessage
from bot.language import texts
from bot.telegram.sending import keyboards
from bot.telegram.sending.markdown import LONGEST, formatted, plain, units
from memory.facts.proposals import Card
from memory.turn.outcome import Outcome

MOST_TOGETHER = 8  # cards in one message


def answer_to(delivery: Delivery, outcome: Outcome, *more: str) -> OutgoingAnswer:
    """The whole reply. What the program says, and what `more` there is to say, stands under the model's words, and
    cards under all of it."""
    owner = delivery.incoming.user
    told = [*formatting.outcome_lines(outcome, undo=False), *more]
    pieces = formatted(outcome.text) if outcome.text.strip() else []
    if not pieces and not told and not outcome.cards:
        told = [texts.NO_WORDS]
    # Only now: Markdown has ways to write a mark without typing it. A mark is as long as what it becomes.
    parts = [
        delivery.part(text.translate(texts.MARKS), entities=entities, event_id=outcome.event_id)
        for text, entities in pieces
    ]
    if told:
        parts = _with_lines(delivery, parts, "\n".join(told))
    if parts:
        reply_to = delivery.incoming.message_id if delivery.incoming.in_group else None
        parts[0] = parts[0].model_copy(update={"reply_to": reply_to})
        parts[-1] = parts[-1].model_copy(update={"buttons": _buttons(outcome, owner)})
    if outcome.cards:
        parts += cards_parts(delivery, outcome.cards, outcome.event_id)
    return OutgoingAnswer(parts=parts)


def _buttons(outcome: Outcome, owner: int) -> list[list[Button]]:
    rows = keyboards.receipt_buttons(outcome.receipts, owner)
    if outcome.event_id and outcome.recalled:
        rows.append([keyboards.why_button(outcome.event_id, owner)])
    return rows


def _with_lines(delivery: Delivery, parts: Sequence[OutgoingMessage], lines: str) -> list[OutgoingMessage]:
    """Under the last message where there is room, else in one of their own."""
    last = parts[-1] if parts else None
    if last is not None and units(last.text) + units(lines) + 2 <= LONGEST:
        return [*parts[:-1], last.model_copy(update={"text": f"{last.text.rstrip()}\n\n{lines}"})]
    return [*parts, *(delivery.part(piece) for piece in plain(lines))]


def cards_parts(delivery: Delivery, cards: Sequence[Card], event_id: str | None) -> list[OutgoingMessage]:
    """Questions with their buttons, several in one message as far as they fit: a button approves what stands above it
    and nothing else."""
    parts, fitting = list[OutgoingMessage](), list[Card]()
    for card in cards:
        if fitting and (len(fitting) == MOST_TOGETHER or units(_asked([*fitting, card])) > LONGEST):
            parts.append(_cards_part(delivery, fitting, event_id))
            fitting = []
        fitting.append(card)
    return [*parts, _cards_part(delivery, fitting, event_id)] if fitting else parts


def _cards_part(delivery: Delivery, cards: Sequence[Card], event_id: str | None) -> OutgoingMessage:
    return delivery.part(
        _asked(cards),
        buttons=keyboards.card_buttons(cards, delivery.incoming.user),
        event_id=event_id,
        cards=[card.row.id for card in cards],
    )


def _asked(cards: Sequence[Card]) -> str:
    lines = [formatting.card_line(card) for card in cards]
    return lines[0] if len(cards) == 1 else "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def lines_answer(delivery: Delivery, text: str, buttons: list[list[Button]] | None = None) -> OutgoingAnswer:
    """A text of the program's own, as long as it may be, with buttons under its end."""
    parts = [delivery.part(piece) for piece in plain(text)] or [delivery.part(texts.NO_WORDS)]
    parts[-1] = parts[-1].model_copy(update={"buttons": buttons or []})
    return OutgoingAnswer(parts=parts)


def in_private(delivery: Delivery, answer: OutgoingAnswer) -> OutgoingAnswer:
    """What is nobody else's business goes into the private chat; a group is only told that it did."""
    if not delivery.incoming.in_group:
        return answer
    parts = [delivery.in_private(part) for part in answer.parts]
    told = delivery.part(
        texts.ANSWERED_IN_PRIVATE, reply_to=delivery.incoming.message_id, otherwise=texts.WRITE_ME_FIRST
    )
    return answer.model_copy(update={"parts": [*parts, told]})
