"""Buttons, and what they carry: at most 64 bytes, for whom they are, and a piece of the hash of what was shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from bot.delivery.outgoing import Button, rows_of
from bot.language import texts
from memory import FactRow, ProposalKind, Visibility
from memory.facts.proposals import Card
from memory.facts.receipts import Receipt

HASH, GROUP = 12, 8
LONGEST_DATA = 64  # bytes, as Telegram counts
ON_A_PAGE = 6


@dataclass(frozen=True, slots=True)
class Pressed:
    """`verb` with its `subject`; `owner` is who may press it."""

    verb: str
    owner: int
    subject: str = ""
    hash: str = ""
    group: str = ""
    """Of the cards of one message, where it asks several things."""


def carried(verb: str, owner: int, subject: str = "", hash: str = "", group: str = "") -> str:
    return f"{verb}|{owner}|{subject}|{hash[:HASH]}|{group[:GROUP]}"


def pressed(data: str) -> Pressed | None:
    """Nothing, where it is not ours or older than this way of writing."""
    parts = data.split("|")
    if len(parts) != 5 or not parts[1].isdecimal() or len(data.encode()) > LONGEST_DATA:
        return None
    return Pressed(parts[0], int(parts[1]), parts[2], parts[3], parts[4])


def card_buttons(cards: Sequence[Card], owner: int) -> list[list[Button]]:
    """One question has its three answers; several are numbered, and can be answered together."""
    if len(cards) == 1:
        return [_answers(cards[0], owner)]
    group = hash_of_all(cards)
    numbered = [_answers(card, owner, f" {number}", group) for number, card in enumerate(cards, 1)]
    every = Button(label=texts.BUTTON_ALL, data=carried("all", owner, "", group))
    return [*numbered, [every]]


def hash_of_all(cards: Sequence[Card]) -> str:
    return sha256("".join(sorted(card.row.content_hash for card in cards)).encode()).hexdigest()


def _answers(card: Card, owner: int, number: str = "", group: str = "") -> list[Button]:
    """What is to be forgotten is not remembered by a yes, and needs no words."""
    hash = card.row.content_hash
    yes = [("yes", texts.BUTTON_REMEMBER), ("own", texts.BUTTON_EDIT)]
    if card.row.kind == ProposalKind.FORGET:
        yes = [("yes", texts.BUTTON_DELETE)]
    return [
        Button(label=label + number, data=carried(verb, owner, card.row.id, hash, group))
        for verb, label in (*yes, ("no", texts.BUTTON_NO))
    ]


def receipt_buttons(receipts: Sequence[Receipt], owner: int) -> list[list[Button]]:
    """The way back from what was just done."""
    undone = [receipt for receipt in receipts if receipt.can_be_undone]
    label = texts.BUTTON_UNDO if len(undone) == 1 else f"{texts.BUTTON_UNDO} [{{id}}]"
    buttons = [
        Button(label=label.format(id=receipt.row.id), data=carried("undo", owner, receipt.row.id)) for receipt in undone
    ]
    return rows_of(buttons, 3)


def why_button(event_id: str, owner: int) -> Button:
    return Button(label=texts.BUTTON_WHY, data=carried("why", owner, event_id))


def page_buttons(facts: Sequence[FactRow], page: int, owner: int) -> list[list[Button]]:
    """A button for each fact on the page, and the way to the other pages."""
    shown = facts[page * ON_A_PAGE : (page + 1) * ON_A_PAGE]
    opened = [Button(label=_label(row), data=carried("open", owner, row.id)) for row in shown]
    turns = []
    if page > 0:
        turns.append(Button(label="‹", data=carried("page", owner, str(page - 1))))
    if (page + 1) * ON_A_PAGE < len(facts):
        turns.append(Button(label="›", data=carried("page", owner, str(page + 1))))
    return [*rows_of(opened, 1), *([turns] if turns else [])]


def fact_buttons(row: FactRow, owner: int, *, mine: bool) -> list[list[Button]]:
    shared = row.visibility == Visibility.SHARED
    own = [
        ("edit", texts.BUTTON_EDIT),
        ("unshare", texts.BUTTON_UNSHARE) if shared else ("share", texts.BUTTON_SHARE),
        ("delete", texts.BUTTON_DELETE),
    ]
    verbs = [("history", texts.BUTTON_HISTORY), *(own if mine else [])]
    buttons = [Button(label=label, data=carried(verb, owner, row.id)) for verb, label in verbs]
    return [*rows_of(buttons, 2), [Button(label=texts.BUTTON_BACK, data=carried("page", owner, "0"))]]


def _label(row: FactRow) -> str:
    words = " ".join(row.words.split())
    return words if len(words) <= 40 else f"{words[:39]}…"
