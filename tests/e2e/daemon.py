"""`keepsake serve` as a process of its own, on a port of its own."""

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.e2e.child import UNTRACED, Child
from tests.e2e.points import Arming
from tests.ports import free_port
from tests.waiting import STUCK, until


@contextmanager
def serving(environment: Mapping[str, str], folder: Path, *, changes: Mapping[str, Any] | None = None) -> Iterator[str]:
    """From its start to its orderly end; gives where it answers."""
    with started(environment, folder, changes=changes) as (url, process):
        yield url
        assert process.poll() is None
        assert process.end() == 128 + signal.SIGTERM


@contextmanager
def started(
    environment: Mapping[str, str],
    folder: Path,
    *,
    changes: Mapping[str, Any] | None = None,
    armed: Arming | None = None,
) -> Iterator[tuple[str, Child]]:
    """Where it answers, and the process, which may end as it likes."""
    environment = {"KEEPSAKE_PORT": str(free_port()), **environment, **UNTRACED}
    port = environment["KEEPSAKE_PORT"]
    url, printed = f"http://127.0.0.1:{port}", folder / f"daemon-{port}.log"
    try:
        with (
            printed.open("ab") as told,
            Child("serve", env=environment, cwd=folder, stderr=told.fileno(), changes=changes, armed=armed) as process,
        ):
            until(lambda: process.poll() is not None or is_well(url), printed.read_text)
            assert process.poll() is None, printed.read_text()
            yield url, process
    finally:
        print(printed.read_text())  # for whoever reads a failed test
    assert "Traceback" not in printed.read_text()


@contextmanager
def freshly_started(environment: Mapping[str, str], folder: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """By an interpreter of its own, for whoever measures it."""
    port = str(free_port())
    url, command = f"http://127.0.0.1:{port}", [sys.executable, "-m", "bot", "serve"]
    with subprocess.Popen(command, env={**environment, "KEEPSAKE_PORT": port}, cwd=folder) as process:
        try:
            until(lambda: process.poll() is not None or is_well(url))
            assert process.poll() is None
            yield url, process
        finally:
            process.kill()


def is_well(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/healthz", timeout=STUCK, trust_env=False, verify=False).is_success
    except httpx.TransportError:
        return False
