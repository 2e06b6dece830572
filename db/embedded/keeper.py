"""The small process that keeps the embedded server: its parent, and the one that stops it after its last user.

Every program holds a shared lock on `users.lock` for as long as it lives; the kernel lets go of it even after kill -9.
When the keeper gets that lock for itself, nobody is left. It holds `keeper.lock` while it lives, so that there is one,
and so that a program can tell whether the server still has a keeper. It imports the standard library only.
"""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

LOOK_EVERY = 0.25
PATIENCE = 60.0


def main(data: Path, orders: str) -> None:
    """Go to the background and keep the server that `orders` start; with none, keep the one that runs already."""
    with (data / "keeper.lock").open("a") as duty:
        if not taken(duty) or os.fork():
            os._exit(0)
        os.setsid()
        started = start(json.loads(orders)) if orders else None
        keep(data, started)


def start(orders: dict[str, object]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(stdin=subprocess.DEVNULL, cwd="/", **orders)  # type: ignore[call-overload, no-any-return]


def keep(data: Path, started: "subprocess.Popen[bytes] | None") -> None:
    with (data / "users.lock").open("r") as users:
        while (pid := running(data, started)) is not None:
            if taken(users):
                stop(data, started, pid)
                return
            time.sleep(LOOK_EVERY)


def stop(data: Path, started: "subprocess.Popen[bytes] | None", pid: int) -> None:
    """A fast shutdown; new programs wait at `users.lock` until it is over."""
    for how in (signal.SIGINT, signal.SIGQUIT):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
        deadline = time.monotonic() + PATIENCE
        while running(data, started) == pid and time.monotonic() < deadline:
            time.sleep(0.02)
        if running(data, started) != pid:
            return


def running(data: Path, started: "subprocess.Popen[bytes] | None") -> int | None:
    """The server's pid, while it runs: of our own child we know, of an adopted one its pid file tells."""
    if started is not None:
        return started.pid if started.poll() is None else None
    pid = server_pid(data)
    return pid if is_alive(pid) else None


def taken(lock: IO[str]) -> bool:
    """Whether the lock is ours alone now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def server_pid(data: Path) -> int | None:
    try:
        return int((data / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def is_alive(pid: int | None) -> bool:
    if pid is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
