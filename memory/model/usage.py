"""Counts and stores the usage of model calls: one row per call, including failed ones, without any content."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from db.ids import timed_id
from db.queries.model.usage import Sums, UsageRow, add_usage, usage_of, usage_of_all
from db.viewer import Viewer
from memory.model.brain import AnswerStarted
from memory.model.prices import Price, TokenCounts, cost, price_of
from memory.unit import Memory, Unit

REPLY = "reply"


@dataclass(slots=True)
class CallUsage:
    """The usage of one model call, from its start to its end."""

    model: str
    started_at: float
    usage: Mapping[str, int]
    milliseconds: int | None = None

    def end(self, usage: Mapping[str, int] | None = None) -> None:
        """End the call, once. A broken call keeps the usage from its start."""
        if self.milliseconds is None:
            self.usage = self.usage if usage is None else usage
            self.milliseconds = round(1000 * (time.monotonic() - self.started_at))

    @property
    def tokens(self) -> TokenCounts:
        return TokenCounts(
            sent=self.usage.get("input_tokens", 0),
            cache_read=self.usage.get("cache_read_input_tokens", 0),
            cache_write=self.usage.get("cache_creation_input_tokens", 0),
            answered=self.usage.get("output_tokens", 0),
        )


def begin_call(attempts: list[CallUsage], started: AnswerStarted) -> None:
    """Note the start of a call. If the previous one has not ended, it broke off."""
    end_call(attempts)
    attempts.append(CallUsage(started.model, started.started_at, started.usage))


def end_call(attempts: Sequence[CallUsage], usage: Mapping[str, int] | None = None) -> None:
    if attempts:
        attempts[-1].end(usage)


async def keep_usage(
    unit: Unit,
    conversation_id: str | None,
    attempts: Sequence[CallUsage],
    prices: Mapping[str, Price],
    *,
    purpose: str = REPLY,
) -> None:
    end_call(attempts)
    await add_usage(
        unit.session, unit.viewer, conversation_id, [_row(unit, attempt, prices, purpose) for attempt in attempts]
    )


def _row(unit: Unit, call: CallUsage, prices: Mapping[str, Price], purpose: str) -> UsageRow:
    """A call without reported tokens has an unknown cost, not zero."""
    tokens, price = call.tokens, price_of(call.model, prices)
    return UsageRow(
        id=timed_id("use", unit.now),
        ts=unit.now,
        model=call.model[:200],
        purpose=purpose,
        input_tokens=tokens.sent,
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        output_tokens=tokens.answered,
        cost_microdollars=cost(tokens, price) if price and tokens != TokenCounts() else None,
        milliseconds=call.milliseconds or 0,
    )


async def usage_by_model(memory: Memory, viewer: Viewer, since: datetime, *, own: bool) -> Sequence[Sums]:
    """Return the usage of one person (`own`) or of the whole deployment. Only its user can see a single call."""
    nobody = Viewer.nobody(viewer.tenant)
    async with memory.database.transaction(viewer if own else nobody, read_only=True) as session:
        return await (usage_of(session, viewer, since) if own else usage_of_all(session, since))
