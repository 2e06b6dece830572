"""A function that reads a text, and a text of any length that is to be hard for it."""

from collections.abc import Callable
from dataclasses import dataclass

MANY_WORDS = "words that are all different"
SHORT = 400  # signs


@dataclass(frozen=True, slots=True)
class Reading:
    """Its text is an opening, a unit as often as it fits, and an end."""

    reads: Callable[[str], object]
    unit: str
    opening: str = ""
    end: str = ""
    cap: int | None = None  # where the function stops reading, if it does
    short: int = SHORT  # more, where nothing is in proportion below

    @property
    def signs(self) -> list[int]:
        """The lengths to try: three to see how the cost grows, and then far more than the function reads."""
        short = self.short if self.cap is None else min(self.short, self.cap // 5)
        longer = [] if self.cap is None else [self.cap, 10 * self.cap]
        return [short, 2 * short, 5 * short, *longer]

    def text(self, signs: int) -> str:
        middle = _words(signs) if self.unit == MANY_WORDS else self.unit * (signs // len(self.unit))
        return f"{self.opening}{middle}{self.end}"


def _words(signs: int) -> str:
    """Words that no shorter or longer text has, so that nothing about them is known from before."""
    return " ".join(f"ق{signs:o}q{at:o}" for at in range(signs // 8))[:signs]
