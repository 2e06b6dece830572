"""How strongly a fact stands: what is recalled gains, what nobody needs fades. Pure, and the same for the same `now`.

A fact that fades leaves the snapshot first, when there is no room for all; it never leaves the store, and a search that
finds it brings it back. Half of what a fact is worth was given when it was told, the other half it earns by being
recalled. All of it is halved in a while in which nobody recalls it; the oftener it was recalled, the longer that takes.
"""

from datetime import datetime, timedelta

HALVED_IN = timedelta(days=60)  # what was never recalled
SLOWER = 0.5  # how much longer each recall makes that
SLOWEST = timedelta(days=730)
HALF_EARNED = 4  # recalls that earn half of what can be earned


def strength(
    importance: float, recall_count: int, recalled_at: datetime | None, updated_at: datetime, now: datetime
) -> float:
    """From 0 to 1. A recall, and new words, begin the fading anew; a moment that is still to come is now."""
    last = updated_at if recalled_at is None else max(updated_at, recalled_at)
    idle = max(now - last, timedelta(0))
    worth = (importance + recall_count / (recall_count + HALF_EARNED)) / 2
    return worth * 2 ** -(idle / min(HALVED_IN * (1 + SLOWER * recall_count), SLOWEST))
