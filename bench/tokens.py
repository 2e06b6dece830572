"""How much the offline token estimate exceeds the true count, by kind of text, and how fast it is."""

import json
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

from bench.report import Figure, report
from memory.model.tokens import estimate

SAMPLE = Path(__file__).resolve().parent.parent / "tests" / "data" / "token_counts.jsonl"
MEGABYTE, ROUNDS = 10**6, 5


def main() -> None:
    kinds: dict[str, list[tuple[str, int]]] = defaultdict(list)
    with SAMPLE.open(encoding="utf-8") as lines:
        for line in map(json.loads, lines):
            kinds[line["kind"]].append((line["text"], line["tokens"]))
    figures = [tightness(kind, texts) for kind, texts in kinds.items()]
    prose = " ".join(text for text, _ in kinds["english prose"])
    hostile = "".join(text for kind in ("random letters", "glued tokens", "random case") for text, _ in kinds[kind])
    report("tokens", [*figures, speed("english prose", prose), speed("random letters", hostile)])


def tightness(kind: str, texts: list[tuple[str, int]]) -> Figure:
    ratios = [estimate(text) / tokens for text, tokens in texts]
    return Figure(f"estimate / true: {kind}", mean(ratios), "x", f"worst {max(ratios):.2f}, smallest {min(ratios):.2f}")


def speed(kind: str, text: str) -> Figure:
    long = (text * (MEGABYTE // len(text) + 1))[:MEGABYTE]
    spent = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        estimate(long)
        spent.append(time.perf_counter() - started)
    return Figure(f"speed: {kind}", 1 / median(spent), "MB/s")


if __name__ == "__main__":
    main()
