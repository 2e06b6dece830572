"""Which card a plain answer can mean: the only one, seen before, on a reply that asks nothing else."""

from datetime import datetime, timedelta
from typing import Any

from db.queries.facts.proposals import ProposalRow
from db.vocabulary import Category, ProposalKind, ProposalStatus, Sensitivity
from memory.turn.card_answers import card_at_issue
from tests.conftest import NOON
from tests.tables import table


def card(**given: Any) -> ProposalRow:
    usual: dict[str, Any] = {
        "id": "cccccccc",
        "kind": ProposalKind.ADD,
        "category": Category.PERSON,
        "content": "Alec is my boss",
        "sensitivity": Sensitivity.NONE,
        "content_hash": "hash",
        "author": "assistant",
        "shown_at": NOON,
        "status": ProposalStatus.WAITING,
        "expires_at": NOON + timedelta(days=7),
        "created_at": NOON,
    }
    empty = dict.fromkeys(ProposalRow.__dataclass_fields__)
    return ProposalRow(**{**empty, **usual, **given})


LATER = NOON + timedelta(minutes=1)


@table("reply", ["", "Got it.", "Would you like me to remember that Alec is your boss?", "Soll ich mir das merken?"])
def test_the_only_card_on_a_reply_that_asks_nothing_else_is_meant(reply: str) -> None:
    assert card_at_issue(reply, [card()], LATER) == card()


@table(
    "reply",
    [
        "Got it. Do you want pizza?",
        "Shall I remember that? And do you want pizza?",
        "Do you remember Alec?",
        "¿Quieres pizza?",
        "要比萨吗？",
    ],
)
def test_a_reply_that_asks_something_else_leaves_a_yes_to_the_brain(reply: str) -> None:
    assert card_at_issue(reply, [card()], LATER) is None


@table(
    ("cards", "sent_at"),
    [
        ([], LATER),
        ([card(), card(id="dddddddd")], LATER),
        ([card(), card(id="dddddddd", status=ProposalStatus.REJECTED)], LATER),
        ([card(status=ProposalStatus.ACCEPTED)], LATER),
        ([card(shown_at=None)], LATER),
        ([card(shown_at=LATER)], NOON),
        ([card(expires_at=LATER)], LATER),
    ],
)
def test_no_card_two_cards_and_cards_that_were_not_seen_in_time_are_not_meant(
    cards: list[ProposalRow], sent_at: datetime
) -> None:
    assert card_at_issue("Got it.", cards, sent_at) is None
