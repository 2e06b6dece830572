"""Which messages the next version of a digest reads, and how far back it reaches. Pure; numbers count messages from 0.

Two rules. `Steps`: once more than 30 messages are not summarised, the oldest 20 are; the beginning of the prompt then
changes once in 20 messages. `Sliding`: after every exchange from a message on, all that is new, over a window of 14.
Neither splits an exchange, which begins where a person speaks after the assistant did.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Range:
    """The digest reaches from `start_seq` to `end_seq`; from `new_seq` on it is read for this version."""

    start_seq: int
    new_seq: int
    end_seq: int


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation as far as it matters here."""

    said: int
    """How many messages there are."""
    read: int
    """How many are summarised."""
    starts: Sequence[int]
    """Where exchanges begin, in order."""
    is_answered: bool = True
    """Whether the last word is the assistant's."""
    is_closed: bool = False
    """Whether nothing more is expected."""
    parked: int = 0
    """Up to where it was given up."""
    begins: int = 0
    """What was said before is left out for good."""
    known_from: int | None = None
    """Where the next version begins, when one in the middle is to be made again."""

    @property
    def last(self) -> int:
        """The last message of the last exchange that is over."""
        if self.is_answered or self.is_closed:
            return self.said - 1
        return next((start - 1 for start in reversed(self.starts) if start < self.said), -1)

    def end_near(self, wanted: int, since: int) -> int:
        """The last exchange from there on that ends by then; of one that is longer its own end."""
        ends = [end for end in (*(start - 1 for start in self.starts), self.last) if end >= since]
        return max((end for end in ends if end <= wanted), default=min(ends, default=-1))

    def start_near(self, wanted: int) -> int:
        """The first exchange that begins from there on."""
        return next((start for start in self.starts if start >= wanted), wanted)


@dataclass(frozen=True, slots=True)
class Steps:
    more_than: int = 30
    batch: int = 20
    window: int = 100

    def next(self, talk: Talk) -> Range | None:
        since = max(talk.read, talk.parked)
        if talk.said - since > self.more_than:
            end = talk.end_near(since + self.batch - 1, since)
        elif talk.is_closed and talk.said > since:
            end = talk.last
        else:
            return None
        return _range(talk, end, self.window)


@dataclass(frozen=True, slots=True)
class Sliding:
    after: int = 5
    window: int = 14
    more_than: int = 0

    def next(self, talk: Talk) -> Range | None:
        if talk.last < max(talk.read, talk.parked) or (talk.last < self.after and not talk.is_closed):
            return None
        return _range(talk, talk.last, self.window)


Rule = Steps | Sliding


def _range(talk: Talk, end: int, window: int) -> Range | None:
    if talk.known_from is not None:
        end = min(end, talk.known_from - 1)
    if end < talk.read:
        return None
    start = talk.start_near(max(talk.begins, end - window + 1))
    return Range(min(start, end), max(talk.read, min(start, end)), end)


def starts_of(turns: Sequence[tuple[int, bool]]) -> list[int]:
    """Where exchanges begin, of messages with their numbers and whether a person said them. Where the assistant never
    answers, with every message of a person."""
    after_answer = [seq for (_, before), (seq, by_human) in pairwise(turns) if by_human > before]
    first = [turns[0][0]] if turns and turns[0][1] else []
    if all(by_human for _, by_human in turns):
        return [seq for seq, _ in turns]
    return [*first, *after_answer]


def past_gaps(read: int, known: Sequence[tuple[int, int]], given_up: Collection[tuple[int, int]]) -> int:
    """How many messages count as summarised, when what was given up up to the next known version is passed over: it
    could not be tried as part of a longer one."""
    for first, _ in sorted(known):
        if (read, first - 1) in given_up:
            read = covered(known, first)
    return read


def covered(ranges: Sequence[tuple[int, int]], until: int) -> int:
    """How many messages are summarised when all before `until` are: also those that known versions go on with."""
    for first, last in sorted(ranges):
        if first <= until <= last:
            until = last + 1
    return until
