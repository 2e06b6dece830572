"""Whether the cost of a piece of work grows in proportion to its text, told so that a busy machine changes nothing.

What counts is the CPU time of this thread, the best of a few tries: whatever disturbs a measurement only ever adds.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

TIMES = 10
TRIES = 4
MOST = 4 * TIMES  # far above what is in proportion, far below the square of TIMES
NOTHING = 0.005  # seconds; what costs no more than that is quick, however it grows
FEW = 100  # characters, to have made what is made at the first call only


@dataclass(frozen=True, slots=True)
class Growth:
    """Seconds that a text took, and seconds that its first tenth took."""

    long: float
    short: float

    @property
    def is_in_proportion(self) -> bool:
        return self.long <= MOST * self.short + NOTHING


def growth(work: Callable[[str], object], text: str) -> Growth:
    """Measures both in turn, so that neither finds a cache that only the other one had to do without."""
    found = Growth(float("inf"), float("inf"))
    with _no_garbage_collected():
        work(text[:FEW])
        for _ in range(TRIES):
            short = min(found.short, _seconds(work, text[: len(text) // TIMES]))
            found = Growth(min(found.long, _seconds(work, text)), short)
            if found.is_in_proportion:
                break
    return found


def _seconds(work: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    work(text)
    return time.thread_time() - began


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """Otherwise this thread would also pay for what the tests before it left behind."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
