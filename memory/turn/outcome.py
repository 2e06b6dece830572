"""What came of a message: the reply, receipts, cards and notices. Codes and values; front ends make the sentences."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from memory.facts.proposals import Card
from memory.facts.receipts import Receipt
from memory.unit import Unit


class NoticeCode(StrEnum):
    """What the program itself tells, with the values that each code carries."""

    SECRETS_LEFT_OUT = "secrets_left_out"  # kinds
    CARD_REJECTED = "card_rejected"
    REFUSED = "refused"  # error
    MEMORY_AWAY = "memory_away"
    MODEL_AWAY = "model_away"  # error
    MODEL_AWAY_UNKEPT = "model_away_unkept"  # error
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
    """The words of the reply, and what the program tells besides."""

    text: str = ""
    event_id: str | None = None
    """The reply, where it is kept."""
    recalled: bool = False
    """Whether old messages were found for it."""
    receipts: list[Receipt] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    notices: list[TurnNotice] = field(default_factory=list)
    failed: bool = False

    def take_back(self, notices: Sequence[TurnNotice]) -> None:
        """Drop what a rolled-back attempt would have reported; before it there were only these notices."""
        self.receipts.clear()
        self.notices[:] = notices
        self.failed = False

    def notice(self, code: NoticeCode, **values: Any) -> None:
        self.notices.append(TurnNotice(code, values))

    def fail(self, code: NoticeCode, **values: Any) -> None:
        self.failed = True
        self.notice(code, **values)


KeepOutcome = Callable[[Unit | None, Outcome], Awaitable[None]]
"""The front end makes its answer of the whole outcome, and keeps it in this last transaction of the turn; called once,
without a transaction when the database is away."""


async def nothing_more(_: Unit | None, __: Outcome) -> None:
    """For a front end that shows the outcome at once and keeps nothing of it."""
