"""The outcome of a message: reply, receipts, cards and notices, as codes and values that front ends put into words."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.unit import Unit


class NoticeCode(StrEnum):
    """What the program itself reports, with the values of each code."""

    SECRETS_LEFT_OUT = "secrets_left_out"  # kinds
    CARD_REJECTED = "card_rejected"  # kind
    REFUSED = "refused"  # error
    MEMORY_AWAY = "memory_away"
    MODEL_AWAY = "model_away"  # error
    MODEL_AWAY_UNSAVED = "model_away_unsaved"  # error
    ANSWER_NOT_KEPT = "answer_not_kept"
    TOO_MANY_STEPS = "too_many_steps"
    MODEL_REFUSED = "model_refused"
    CUT_OFF = "cut_off"
    REMINDER = "reminder"  # words
    CARDS_WAIT = "cards_wait"  # count


@dataclass(frozen=True, slots=True)
class TurnNotice:
    code: NoticeCode
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Outcome:
    """The text of the reply, and what the program reports beside it."""

    text: str = ""
    event_id: str | None = None
    """The event of the reply, where it is stored."""
    recalled: bool = False
    """Whether old messages were recalled for it."""
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    notices: list[TurnNotice] = field(default_factory=list)
    failed: bool = False

    def reset(self, notices: Sequence[TurnNotice]) -> None:
        """Drop what a rolled-back attempt would have reported, except these earlier notices."""
        self.receipts.clear()
        self.notices[:] = notices
        self.failed = False

    def notice(self, code: NoticeCode, **values: Any) -> None:
        self.notices.append(TurnNotice(code, values))

    def fail(self, code: NoticeCode, **values: Any) -> None:
        self.failed = True
        self.notice(code, **values)


KeepOutcome = Callable[[Unit | None, Outcome], Awaitable[None]]
"""Lets the front end store its answer in the last transaction of the turn. Called once per turn, with None for the unit
while the database is away."""


async def discard_outcome(_: Unit | None, __: Outcome) -> None:
    """For a front end that shows the outcome at once and stores nothing."""
