"""Counts the steps of every reading in the module that is named, and prints them: a line of JSON for each reading.

It is a process of its own, because it counts in what it imports, and traces all that is run.
"""

import json
import sys
from functools import partial
from importlib import import_module

from tests.steps.counter import Counter
from tests.steps.patterns import count_patterns
from tests.steps.reading import Reading

ONCE = 2_000_000  # steps
MAX_A_SIGN = 1_000  # steps; what takes more is not waited for


def main(module: str) -> None:
    sys.setrecursionlimit(1_000_000)  # a round of a repeat is a few calls deep
    counter = Counter()
    counter.watch_slices()
    count_patterns(counter)
    readings: list[Reading] = import_module(module).READINGS
    import_module("memory.language.lexicon_cache").warm_lexicon()  # no reading is to count how patterns are made
    for reading in readings:
        first, *_ = reading.signs
        counter.count(partial(reading.reads, reading.text(first // 2)), ONCE)  # to make what is made only once
        steps: dict[int, int | None] = {}
        for text in map(reading.text, reading.signs):
            if len(text) not in steps:
                steps[len(text)] = counter.count(partial(reading.reads, text), MAX_A_SIGN * len(text))
        told = {"reads": reading.reads.__name__, "text": f"{reading.opening}{reading.unit}", "cap": reading.cap}
        print(json.dumps({**told, "steps": [*steps.items()]}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
