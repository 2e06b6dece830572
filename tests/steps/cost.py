"""What readings cost, and what is wrong with that. The steps are counted in a child."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[2]
MINUTES = 60.0
SLACK = 1.05  # a text of twice the length would make a square cost well above that
BEYOND = 1.25  # what is not read is still cut off and copied


@dataclass(frozen=True, slots=True)
class Cost:
    """Steps for texts of some lengths; None if they were too many to wait for."""

    reads: str
    text: str
    cap: int | None
    steps: list[tuple[int, int | None]]

    @property
    def a_sign(self) -> float:
        """Of the dearest text."""
        return max(float("inf") if steps is None else steps / signs for signs, steps in self.steps)

    @property
    def misses(self) -> list[str]:
        """A line for everything that is wrong: one further sign has to cost what the signs before it did."""
        return [f"{self.reads} of {self.text[:30]!r}: {miss}" for miss in self._misses()]

    def _misses(self) -> Iterator[str]:
        counted = [(signs, steps) for signs, steps in self.steps if steps is not None]
        if len(counted) < len(self.steps):
            yield "takes so many steps that nobody waited for the end"
            return
        before, after = ((to[1] - since[1]) / (to[0] - since[0]) for since, to in pairwise(counted[:3]))
        if after > SLACK * before:
            yield f"a sign costs {before:.1f} steps and in a longer text {after:.1f}"
        if self.cap and counted[-1][1] > BEYOND * counted[-2][1]:
            yield f"{counted[-2][1]} steps for all that is read, but {counted[-1][1]} for a longer text"


def costs(module: str) -> list[Cost]:
    """Of the READINGS in this module."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}  # it traces, too
    ran = subprocess.run(
        [sys.executable, "-m", "tests.steps", module],
        cwd=ROOT,
        env={**environment, "PYTHONHASHSEED": "0"},  # the order of a set is a matter of steps
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30 * MINUTES,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    rows = map(json.loads, ran.stdout.splitlines())
    return [
        Cost(row["reads"], row["text"], row["cap"], [(signs, steps) for signs, steps in row["steps"]]) for row in rows
    ]
