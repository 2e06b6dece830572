"""The strength of a fact: it rises with recalls and decays over time. Pure.

When the snapshot has no room for all facts, it drops the weakest. They stay stored, and a search can recall them.
Half of a fact's strength is its importance; recalls earn the other half. The strength decays exponentially from the
last recall or change. Each recall lengthens the half-life.
"""

from datetime import datetime, timedelta

HALF_LIFE = timedelta(days=60)  # of a fact that was never recalled
HALF_LIFE_GAIN = 0.5  # share of HALF_LIFE that each recall adds
MAX_HALF_LIFE = timedelta(days=730)
RECALLS_FOR_HALF = 4  # recalls that earn half of the earnable strength


def strength(
    importance: float, recall_count: int, recalled_at: datetime | None, updated_at: datetime, now: datetime
) -> float:
    """Return the strength, from 0 to 1. A recall or change in the future counts as now."""
    last = updated_at if recalled_at is None else max(updated_at, recalled_at)
    idle = max(now - last, timedelta(0))
    half_life = min(HALF_LIFE * (1 + HALF_LIFE_GAIN * recall_count), MAX_HALF_LIFE)
    undecayed = (importance + recall_count / (recall_count + RECALLS_FOR_HALF)) / 2
    return undecayed * 2 ** -(idle / half_life)
