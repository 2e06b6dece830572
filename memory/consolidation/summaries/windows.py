"""Decides which messages the next version of a digest reads and covers. Pure; messages are numbered from 0.

There are two rules. `Steps`: once more than 30 messages are not summarised, the oldest 20 are; so the start of the
prompt changes only every 20 messages. `Sliding`: after each exchange, from a given message on, everything new, over a
window of 14. Neither splits an exchange, which starts where a person speaks after the assistant did.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Range:
    """A digest covers `start_seq` to `end_seq`; its version reads the messages from `new_seq` on."""

    start_seq: int
    new_seq: int
    end_seq: int


@dataclass(frozen=True, slots=True)
class ConversationState:
    message_count: int
    summarised_count: int
    exchange_starts: Sequence[int]
    is_answered: bool = True
    """Whether the last message is the assistant's."""
    is_closed: bool = False
    """Whether the conversation is over."""
    given_up_until: int = 0
    """The message up to which summaries were given up."""
    digest_from: int = 0
    """The first message that digests may cover."""
    next_version_start: int | None = None
    """The start of the following version, if one in the middle is remade."""

    @property
    def last_complete(self) -> int:
        """The last message of the last complete exchange."""
        if self.is_answered or self.is_closed:
            return self.message_count - 1
        return next((start - 1 for start in reversed(self.exchange_starts) if start < self.message_count), -1)

    def exchange_end_near(self, target: int, since: int) -> int:
        """The last end of an exchange between `since` and `target`, or else the first after `since`."""
        ends = [end for end in (*(start - 1 for start in self.exchange_starts), self.last_complete) if end >= since]
        return max((end for end in ends if end <= target), default=min(ends, default=-1))

    def exchange_start_from(self, target: int) -> int:
        """The first start of an exchange from `target` on."""
        return next((start for start in self.exchange_starts if start >= target), target)


@dataclass(frozen=True, slots=True)
class Steps:
    more_than: int = 30
    batch: int = 20
    window: int = 100

    def next(self, conversation: ConversationState) -> Range | None:
        since = max(conversation.summarised_count, conversation.given_up_until)
        if conversation.message_count - since > self.more_than:
            end = conversation.exchange_end_near(since + self.batch - 1, since)
        elif conversation.is_closed and conversation.message_count > since:
            end = conversation.last_complete
        else:
            return None
        return _range(conversation, end, self.window)


@dataclass(frozen=True, slots=True)
class Sliding:
    after: int = 5
    window: int = 14
    more_than: int = 0

    def next(self, conversation: ConversationState) -> Range | None:
        end = conversation.last_complete
        if end < max(conversation.summarised_count, conversation.given_up_until):
            return None
        if end < self.after and not conversation.is_closed:
            return None
        return _range(conversation, end, self.window)


WindowRule = Steps | Sliding


def _range(conversation: ConversationState, end: int, window: int) -> Range | None:
    if conversation.next_version_start is not None:
        end = min(end, conversation.next_version_start - 1)
    if end < conversation.summarised_count:
        return None
    start = conversation.exchange_start_from(max(conversation.digest_from, end - window + 1))
    return Range(min(start, end), max(conversation.summarised_count, min(start, end)), end)


def starts_of(turns: Sequence[tuple[int, bool]]) -> list[int]:
    """The starts of exchanges, from (number, by_human) pairs. If the assistant never answers, every message is one."""
    after_answer = [seq for (_, before), (seq, by_human) in pairwise(turns) if by_human > before]
    first = [turns[0][0]] if turns and turns[0][1] else []
    if all(by_human for _, by_human in turns):
        return [seq for seq, _ in turns]
    return [*first, *after_answer]


def past_gaps(summarised_count: int, known: Sequence[tuple[int, int]], given_up: Collection[tuple[int, int]]) -> int:
    """The number of messages that count as summarised if given-up ranges before known versions are skipped. Such a
    range cannot be retried as part of a longer one."""
    for first, _ in sorted(known):
        if (summarised_count, first - 1) in given_up:
            summarised_count = covered(known, first)
    return summarised_count


def covered(ranges: Sequence[tuple[int, int]], until: int) -> int:
    """The number of summarised messages if all before `until` are, extended by adjoining versions."""
    for first, last in sorted(ranges):
        if first <= until <= last:
            until = last + 1
    return until
