"""How a benchmark tells its figures: as one table, and as JSON in bench/results."""

import json
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Figure:
    what: str
    value: float
    unit: str
    note: str = ""


def report(benchmark: str, figures: Sequence[Figure]) -> None:
    """Peak memory is told with every benchmark: the most that this process ever held."""
    figures = [*figures, Figure("peak memory of this process", peak_megabytes(), "MB")]
    print(f"\n{benchmark}")
    for figure in figures:
        print(f"  {figure.what:<44}{figure.value:>10.2f} {figure.unit:<6}{figure.note}".rstrip())
    RESULTS.mkdir(exist_ok=True)
    told = {"at": datetime.now(UTC).isoformat(), "figures": [asdict(figure) for figure in figures]}
    (RESULTS / f"{benchmark}.json").write_text(json.dumps(told, indent=2) + "\n")


def peak_megabytes() -> float:
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
