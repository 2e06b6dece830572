"""A small process beside the embedded server that stops it when the last program using it is gone.

Every program holds a shared lock on `users.lock` for as long as it lives; the kernel lets go of it even after kill -9.
When this process gets that lock for itself, nobody is left. It imports the standard library only, so it stays small.
"""

import contextlib
import fcntl
import os
import signal
import sys
import time
from pathlib import Path

LOOK_EVERY = 0.25
PATIENCE = 60.0


def watch(data: Path) -> None:
    with (data / "watch.lock").open("w") as duty, (data / "users.lock").open("r") as users:
        if not taken(duty):
            return
        while (pid := server_pid(data)) is not None and alive(pid):
            if taken(users):
                stop(data, pid)
                return
            time.sleep(LOOK_EVERY)


def taken(lock: object) -> bool:
    """Whether the lock is ours alone now."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # type: ignore[arg-type]
    except BlockingIOError:
        return False
    return True


def server_pid(data: Path) -> int | None:
    try:
        return int((data / "postgres" / "postmaster.pid").read_text().split("\n", 1)[0])
    except (OSError, ValueError):
        return None


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def stop(data: Path, pid: int) -> None:
    """A fast shutdown; new programs wait at `users.lock` until the server has removed its pid file."""
    for how, seconds in ((signal.SIGINT, PATIENCE), (signal.SIGQUIT, PATIENCE)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, how)
        deadline = time.monotonic() + seconds
        while server_pid(data) == pid and alive(pid):
            if time.monotonic() > deadline:
                break
            time.sleep(0.02)
        else:
            return


if __name__ == "__main__":
    watch(Path(sys.argv[1]))
