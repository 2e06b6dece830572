"""Reports the figures of a benchmark as a table, and as JSON in bench/results."""

import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    unit: str
    note: str = ""


def report(benchmark: str, figures: Sequence[Figure]) -> None:
    figures = [*figures, Figure("peak memory of this process", peak_megabytes(), "MB")]
    print(f"\n{benchmark}")
    for figure in figures:
        print(f"  {figure.what:<44}{figure.value:>10.2f} {figure.unit:<6}{figure.note}".rstrip())
    RESULTS.mkdir(exist_ok=True)
    results = {"at": datetime.now(UTC).isoformat(), "figures": [asdict(figure) for figure in figures]}
    (RESULTS / f"{benchmark}.json").write_text(json.dumps(results, indent=2) + "\n")


def goal(target: str, *, is_met: bool) -> str:
    return f"goal {target}: {'met' if is_met else 'MISSED'}"


def percentile(values: Sequence[float], rank: int) -> float:
    return quantiles(values, n=100, method="inclusive")[rank - 1] if len(values) > 1 else values[0]


def peak_megabytes() -> float:
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
