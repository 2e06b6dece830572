"""From what is said to what is sent: the reply in its parts, receipts with a way back, cards with their buttons."""

from collections.abc import Sequence

from bot import formatting, keyboards
from bot.errand import Errand
from bot.language import texts
from bot.outgoing import LONGEST, Answer, Button, Part, formatted, plain, units
from bot.turn import Said
from memory.proposals import Card

MOST_TOGETHER = 8  # cards in one message


def answer_to(errand: Errand, said: Said) -> Answer:
    """The whole reply. What the program says stands under the model's words, and cards under all of it."""
    owner = errand.incoming.user
    told = [*(formatting.receipt_line(each, undo=False) for each in said.receipts), *said.notices]
    pieces = formatted(said.text) if said.text.strip() else []
    if not pieces and not told and not said.cards:
        told = [texts.NO_WORDS]
    # Only now: Markdown has ways to write a mark without typing it. A mark is as long as what it becomes.
    parts = [
        errand.part(text.translate(texts.MARKS), entities=entities, event_id=said.event_id) for text, entities in pieces
    ]
    if told:
        parts = _with_lines(errand, parts, "\n".join(told))
    if parts:
        reply_to = errand.incoming.message_id if errand.incoming.in_group else None
        parts[0] = parts[0].model_copy(update={"reply_to": reply_to})
        parts[-1] = parts[-1].model_copy(update={"buttons": _buttons(said, owner)})
    if said.cards:
        parts += cards_parts(errand, said.cards, said.event_id)
    return Answer(parts=parts)


def _buttons(said: Said, owner: int) -> list[list[Button]]:
    rows = keyboards.receipt_buttons(said.receipts, owner)
    if said.event_id and said.recalled:
        rows.append([keyboards.why_button(said.event_id, owner)])
    return rows


def _with_lines(errand: Errand, parts: Sequence[Part], lines: str) -> list[Part]:
    """Under the last message where there is room, else in one of their own."""
    last = parts[-1] if parts else None
    if last is not None and units(last.text) + units(lines) + 2 <= LONGEST:
        return [*parts[:-1], last.model_copy(update={"text": f"{last.text.rstrip()}\n\n{lines}"})]
    return [*parts, *(errand.part(piece) for piece in plain(lines))]


def cards_parts(errand: Errand, cards: Sequence[Card], event_id: str | None) -> list[Part]:
    """Questions with their buttons, several in one message as far as they fit: a button approves what stands above it
    and nothing else."""
    parts, fitting = list[Part](), list[Card]()
    for card in cards:
        if fitting and (len(fitting) == MOST_TOGETHER or units(_asked([*fitting, card])) > LONGEST):
            parts.append(_cards_part(errand, fitting, event_id))
            fitting = []
        fitting.append(card)
    return [*parts, _cards_part(errand, fitting, event_id)] if fitting else parts


def _cards_part(errand: Errand, cards: Sequence[Card], event_id: str | None) -> Part:
    return errand.part(
        _asked(cards),
        buttons=keyboards.card_buttons(cards, errand.incoming.user),
        event_id=event_id,
        cards=[card.row.id for card in cards],
    )


def _asked(cards: Sequence[Card]) -> str:
    lines = [formatting.card_line(card) for card in cards]
    return lines[0] if len(cards) == 1 else "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def lines_answer(errand: Errand, text: str, buttons: list[list[Button]] | None = None) -> Answer:
    """A text of the program's own, as long as it may be, with buttons under its end."""
    parts = [errand.part(piece) for piece in plain(text)] or [errand.part(texts.NO_WORDS)]
    parts[-1] = parts[-1].model_copy(update={"buttons": buttons or []})
    return Answer(parts=parts)


def in_private(errand: Errand, answer: Answer) -> Answer:
    """What is nobody else's business goes into the private chat; a group is only told that it did."""
    if not errand.incoming.in_group:
        return answer
    parts = [errand.in_private(part) for part in answer.parts]
    told = errand.part(texts.ANSWERED_IN_PRIVATE, reply_to=errand.incoming.message_id, otherwise=texts.WRITE_ME_FIRST)
    return answer.model_copy(update={"parts": [*parts, told]})
