"""Counts what model calls take, and keeps it: one row a call, also for one that broke off. No word is in it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from db.ids import timed_id
from db.queries.model.usage import Sums, UsageRow, add_usage, usage_of, usage_of_all
from db.viewer import Viewer
from memory.model.brain import Began
from memory.model.prices import Price, Tokens, cost, price_of
from memory.unit import Memory, Unit

REPLY = "reply"


@dataclass(slots=True)
class Spending:
    """One call of a model: begun, and ended as far as is known."""

    model: str
    asked_at: float
    usage: Mapping[str, int]
    milliseconds: int | None = None

    def end(self, usage: Mapping[str, int] | None = None) -> None:
        """Once; what broke off keeps what was counted when it began."""
        if self.milliseconds is None:
            self.usage = self.usage if usage is None else usage
            self.milliseconds = round(1000 * (time.monotonic() - self.asked_at))

    @property
    def tokens(self) -> Tokens:
        return Tokens(
            sent=self.usage.get("input_tokens", 0),
            cache_read=self.usage.get("cache_read_input_tokens", 0),
            cache_write=self.usage.get("cache_creation_input_tokens", 0),
            answered=self.usage.get("output_tokens", 0),
        )


def begin(spent: list[Spending], began: Began) -> None:
    """Another call has begun; the one before it, if it did not end, broke off."""
    end(spent)
    spent.append(Spending(began.model, began.asked_at, began.usage))


def end(spent: Sequence[Spending], usage: Mapping[str, int] | None = None) -> None:
    if spent:
        spent[-1].end(usage)


async def keep_usage(
    unit: Unit,
    conversation_id: str | None,
    spent: Sequence[Spending],
    prices: Mapping[str, Price],
    *,
    purpose: str = REPLY,
) -> None:
    end(spent)
    await add_usage(unit.session, unit.viewer, conversation_id, [_row(unit, each, prices, purpose) for each in spent])


def _row(unit: Unit, spending: Spending, prices: Mapping[str, Price], purpose: str) -> UsageRow:
    """A call whose tokens nobody counted costs something unknown, not nothing."""
    tokens, price = spending.tokens, price_of(spending.model, prices)
    return UsageRow(
        id=timed_id("use", unit.now),
        ts=unit.now,
        model=spending.model[:200],
        purpose=purpose,
        input_tokens=tokens.sent,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        output_tokens=tokens.answered,
        cost_microdollars=cost(tokens, price) if price and tokens != Tokens() else None,
        milliseconds=spending.milliseconds or 0,
    )


async def usage_by_model(memory: Memory, viewer: Viewer, since: datetime, *, own: bool) -> Sequence[Sums]:
    """Of one person, who alone can see them one by one, or of the whole deployment."""
    nobody = Viewer.nobody(viewer.tenant)
    async with memory.database.transaction(viewer if own else nobody, read_only=True) as session:
        return await (usage_of(session, viewer, since) if own else usage_of_all(session, since))
