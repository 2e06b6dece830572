"""How a benchmark tells its figures: as one table, and as JSON in bench/results."""

import json
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
    print(f"\n{benchmark}")
    for figure in figures:
        print(f"  {figure.what:<44}{figure.value:>10.2f} {figure.unit:<6}{figure.note}".rstrip())
    RESULTS.mkdir(exist_ok=True)
    told = {"at": datetime.now(UTC).isoformat(), "figures": [asdict(figure) for figure in figures]}
    (RESULTS / f"{benchmark}.json").write_text(json.dumps(told, indent=2) + "\n")
