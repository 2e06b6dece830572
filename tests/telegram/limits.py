"""Telegram's flood limits: thirty messages a second in all, twenty a minute into one group."""

import math
from collections import defaultdict, deque
from collections.abc import Callable

from tests.telegram.request import Refused

A_SECOND, OVERALL = 1.0, 30
A_MINUTE, INTO_A_GROUP = 60.0, 20


class Flood:
    """Counts what was accepted; what was refused does not make the wait longer."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.overall: deque[float] = deque()
        self.groups: defaultdict[int, deque[float]] = defaultdict(deque)

    def count(self, chat_id: int) -> None:
        now = self.clock()
        wait = pause(self.overall, now, A_SECOND, OVERALL)
        if chat_id < 0:
            wait = max(wait, pause(self.groups[chat_id], now, A_MINUTE, INTO_A_GROUP))
        if wait:
            raise Refused(429, f"Too Many Requests: retry after {wait}", retry_after=wait)
        self.overall.append(now)
        if chat_id < 0:
            self.groups[chat_id].append(now)


def pause(times: deque[float], now: float, span: float, most: int) -> int:
    """Whole seconds until one more is welcome."""
    while times and times[0] <= now - span:
        times.popleft()
    return 0 if len(times) < most else max(1, math.ceil(times[0] + span - now))
