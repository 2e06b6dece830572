"""The conversations that benchmarks replay: data sets beside the repository, or a small one of our own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
OWN = Path(__file__).parent / "data" / "conversations.jsonl"
FORMAT_HELP = "in the format of bench/data/conversations.jsonl"

Conversation = dict[str, Any]


def default_files() -> list[Path]:
    return sorted(SHARED.glob("*.jsonl")) or [OWN]


def default_file() -> Path:
    """The first LoCoMo file, if there is one."""
    return min(default_files(), key=lambda path: ("locomo" not in path.name, path))


def read(path: Path) -> Iterator[Conversation]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
