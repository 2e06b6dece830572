"""`keepsake serve` as a process of its own, on a port of its own."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.e2e.conftest import PROGRAM, UNTRACED
from tests.e2e.program import free_port, until

SECONDS_TO_START, SECONDS_TO_END = 120, 30  # with a database to make, on a machine that has other things to do


@contextmanager
def serving(environment: dict[str, str], folder: Path, **settings: str) -> Iterator[str]:
    """From its start to its orderly end; gives where it answers."""
    with started(environment, folder, **settings) as (url, process):
        yield url
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS_TO_END) == 128 + signal.SIGTERM


@contextmanager
def started(
    environment: dict[str, str], folder: Path, **settings: str
) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """Where it answers, and the process, which may end as it likes."""
    port = settings.setdefault("KEEPSAKE_PORT", str(free_port()))
    url, printed = f"http://127.0.0.1:{port}", folder / f"daemon-{port}.log"
    with (
        printed.open("wb") as told,
        subprocess.Popen(
            [*PROGRAM, "serve"], env={**environment, **UNTRACED, **settings}, cwd=folder, stderr=told
        ) as process,
    ):
        try:
            until(lambda: process.poll() is not None or is_well(url), SECONDS_TO_START, printed.read_text)
            assert process.poll() is None, printed.read_text()
            yield url, process
        finally:
            process.kill()
            print(printed.read_text())  # for whoever reads a failed test
    assert "Traceback" not in printed.read_text()


def is_well(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/v1/healthz", timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False
