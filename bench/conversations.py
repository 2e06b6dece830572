"""Conversations to measure recall on: the files that lie beside the repository, or a small set of our own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
OWN = Path(__file__).parent / "data" / "conversations.jsonl"

Conversation = dict[str, Any]


def default_files() -> list[Path]:
    """What there is on this machine; the small set is everywhere."""
    return sorted(SHARED.glob("*.jsonl")) or [OWN]


def read(path: Path) -> Iterator[Conversation]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
