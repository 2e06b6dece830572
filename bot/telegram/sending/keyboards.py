"""Builds buttons and encodes their data: the action, whose button it is, and part of the hash of the words shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from bot.delivery.outgoing import Button, rows_of
from bot.language import texts
from memory import FactRow, ProposalKind, Visibility
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt

HASH_LENGTH, GROUP_LENGTH = 12, 8
MAX_DATA = 64  # bytes, as Telegram counts
PAGE_SIZE = 6


@dataclass(frozen=True, slots=True)
class ButtonData:
    """An action on a `subject`. Only `owner` may press the button; `hash` identifies the words that it approves."""

    action: str
    owner: int
    subject: str = ""
    hash: str = ""
    group: str = ""
    """The common hash of all cards in the message, if it has several."""


def encode_button(action: str, owner: int, subject: str = "", hash: str = "", group: str = "") -> str:
    return f"{action}|{owner}|{subject}|{hash[:HASH_LENGTH]}|{group[:GROUP_LENGTH]}"


def decode_button(data: str) -> ButtonData | None:
    """Return None if the data is not ours or has an older format."""
    parts = data.split("|")
    if len(parts) != 5 or not parts[1].isdecimal() or len(data.encode()) > MAX_DATA:
        return None
    return ButtonData(parts[0], int(parts[1]), parts[2], parts[3], parts[4])


def card_buttons(cards: Sequence[Card], owner: int) -> list[list[Button]]:
    """Return the answer buttons of each card. Several cards are numbered and get a button for all of them."""
    if len(cards) == 1:
        return [_answers(cards[0], owner)]
    group = cards_hash(cards)
    numbered = [_answers(card, owner, f" {number}", group) for number, card in enumerate(cards, 1)]
    every = Button(label=texts.BUTTON_ALL, data=encode_button("all", owner, "", group))
    return [*numbered, [every]]


def cards_hash(cards: Sequence[Card]) -> str:
    return sha256("".join(sorted(card.row.content_hash for card in cards)).encode()).hexdigest()


def _answers(card: Card, owner: int, number: str = "", group: str = "") -> list[Button]:
    """Return the buttons for one card. A card that proposes to forget has no edit button."""
    hash = card.row.content_hash
    yes = [("yes", texts.CARD_YES[card.row.kind])]
    if card.row.kind != ProposalKind.FORGET:
        yes.append(("own", texts.BUTTON_EDIT))
    return [
        Button(label=label + number, data=encode_button(action, owner, card.row.id, hash, group))
        for action, label in (*yes, ("no", texts.BUTTON_NO))
    ]


def receipt_buttons(receipts: Sequence[Receipt], owner: int) -> list[list[Button]]:
    """Return an undo button for each receipt that can be undone."""
    undone = [receipt for receipt in receipts if receipt.can_be_undone]
    label = texts.BUTTON_UNDO if len(undone) == 1 else f"{texts.BUTTON_UNDO} [{{id}}]"
    buttons = [
        Button(label=label.format(id=receipt.row.id), data=encode_button("undo", owner, receipt.row.id))
        for receipt in undone
    ]
    return rows_of(buttons, 3)


def why_button(event_id: str, owner: int) -> Button:
    return Button(label=texts.BUTTON_WHY, data=encode_button("why", owner, event_id))


def page_buttons(facts: Sequence[FactRow], page: int, owner: int) -> list[list[Button]]:
    """Return a button for each fact on the page, and those that turn the page."""
    shown = facts[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]
    buttons = [Button(label=_label(row), data=encode_button("open", owner, row.id)) for row in shown]
    turns = []
    if page > 0:
        turns.append(Button(label="‹", data=encode_button("page", owner, str(page - 1))))
    if (page + 1) * PAGE_SIZE < len(facts):
        turns.append(Button(label="›", data=encode_button("page", owner, str(page + 1))))
    return [*rows_of(buttons, 1), *([turns] if turns else [])]


def fact_buttons(row: FactRow, owner: int, *, mine: bool) -> list[list[Button]]:
    shared = row.visibility == Visibility.SHARED
    own = [
        ("edit", texts.BUTTON_EDIT),
        ("unshare", texts.BUTTON_UNSHARE) if shared else ("share", texts.BUTTON_SHARE),
        ("delete", texts.BUTTON_DELETE),
    ]
    actions = [("history", texts.BUTTON_HISTORY), *(own if mine else [])]
    buttons = [Button(label=label, data=encode_button(action, owner, row.id)) for action, label in actions]
    return [*rows_of(buttons, 2), [Button(label=texts.BUTTON_BACK, data=encode_button("page", owner, "0"))]]


def _label(row: FactRow) -> str:
    words = " ".join(row.words.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
