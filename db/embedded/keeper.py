"""The keeper process: the parent of the embedded server, which stops it after its last user.

Every program holds a shared lock on `users.lock` as long as it lives; the kernel releases it even after kill -9.
Once the keeper gets that lock exclusively, no program is left. The keeper itself holds `keeper.lock`: so there is only
one, and a program can tell whether the server has a keeper. This module imports the standard library only.
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
    """Start a server with these orders (JSON) in the background and keep it. Without orders, keep the running one."""
    with (data / "keeper.lock").open("a") as duty:
        if not taken(duty) or os.fork():
            os._exit(0)
        os.setsid()
        child = start(json.loads(orders)) if orders else None
        keep(data, child)


def start(orders: dict[str, object]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(stdin=subprocess.DEVNULL, cwd="/", **orders)  # type: ignore[call-overload, no-any-return]


def keep(data: Path, child: "subprocess.Popen[bytes] | None") -> None:
    with (data / "users.lock").open("r") as users:
        while (pid := running(data, child)) is not None:
            if taken(users):
                stop(data, child, pid)
                return
            time.sleep(LOOK_EVERY)


def stop(data: Path, child: "subprocess.Popen[bytes] | None", pid: int) -> None:
    """Stop the server, fast or else at once. New programs wait for `users.lock` until it is over."""
    for shutdown in (signal.SIGINT, signal.SIGQUIT):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, shutdown)
        deadline = time.monotonic() + PATIENCE
        while running(data, child) == pid and time.monotonic() < deadline:
            time.sleep(0.02)
        if running(data, child) != pid:
            return


def running(data: Path, child: "subprocess.Popen[bytes] | None") -> int | None:
    """The pid of the running server: our child process, or for an adopted server the one in its pid file."""
    if child is not None:
        return child.pid if child.poll() is None else None
    pid = server_pid(data)
    return pid if is_alive(pid) else None


def taken(lock: IO[str]) -> bool:
    """Try to take the lock exclusively. Return False if another process holds it."""
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
