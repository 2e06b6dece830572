"""What a new user waits for: install size and time, the first start and the second one."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.report import Figure, report

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        clone, data = Path(place) / "clone", Path(place) / "data"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        install, _ = timed(["make", "-s", "setup"], clone, data)
        floor, _ = timed([sys.executable, "-c", "pass"], clone, data)
        cold, _ = timed(["make", "-s", "run"], clone, data)
        time.sleep(1)
        warm, peak = timed(["make", "-s", "run"], clone, data)
        figures = [
            Figure("install size (.venv)", folder_size(clone / ".venv"), "MB", largest(clone)),
            Figure("install time (make setup)", install, "s", "depends on the network"),
            Figure("data folder after the first start", folder_size(data), "MB"),
            Figure("first start to the end of the chat", cold, "s", f"{cold / floor:.0f} x the start of Python"),
            Figure("second start to the end of the chat", warm, "s", f"{warm / floor:.0f} x the start of Python"),
            Figure("peak memory of the program", peak, "MB"),
        ]
        time.sleep(1)
    report("start", figures)


def timed(command: list[str], folder: Path, data: Path) -> tuple[float, float]:
    """Run a command that answers a greeting and ends. Return its seconds and its peak memory in megabytes."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "KEEPSAKE_DATA_DIR": str(data)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin
    process.stdin.write(b"hello\n")
    process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    unit = 1_000_000 if sys.platform == "darwin" else 1000
    return time.perf_counter() - started, usage.ru_maxrss / unit


def folder_size(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_symlink()) / 1e6


def largest(clone: Path) -> str:
    """Name the three largest packages."""
    [packages] = (clone / ".venv" / "lib").glob("python*/site-packages")
    weights = sorted(((folder_size(path), path.name) for path in packages.iterdir() if path.is_dir()), reverse=True)
    return ", ".join(f"{name} {weight:.0f}" for weight, name in weights[:3])


if __name__ == "__main__":
    main()
