"""Runs the program as a person does: as a process of its own, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Keepsake = Callable[..., "subprocess.CompletedProcess[bytes]"]
PROGRAM = (sys.executable, "-m", "bot")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Nothing of the machine's own settings, and an empty data folder."""
    kept = {name: value for name, value in os.environ.items() if name == "PATH" or name.startswith("COVERAGE")}
    return {**kept, "HOME": str(tmp_path), "KEEPSAKE_DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def keepsake(environment: dict[str, str], folder: Path) -> Keepsake:
    def run(
        *arguments: str, typed: bytes = b"", timeout: float = 60, **variables: str
    ) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [*PROGRAM, *arguments],
            input=typed,
            capture_output=True,
            env={**environment, **variables},
            cwd=folder,
            timeout=timeout,
        )

    return run
