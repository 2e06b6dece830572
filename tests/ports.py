"""Ports for programs that must be told one: below those that the system hands out, and no two workers get the same."""

import fcntl
import socket
import tempfile
from itertools import count
from pathlib import Path
from typing import IO

FIRST, LAST = 15_000, 30_000  # whoever asks the system for any port gets one above
FOLDER = Path(tempfile.gettempdir()) / "keepsake-test-ports"

_ours: dict[int, IO[str]] = {}
_next = count()


def free_port() -> int:
    """It stays ours as long as this process lives, so that a program may take it, end, and take it again."""
    FOLDER.mkdir(exist_ok=True)
    for number in _next:
        assert number < LAST - FIRST, "all ports are taken"
        port = FIRST + number
        lock = (FOLDER / str(port)).open("a")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(("127.0.0.1", port))
        except OSError:
            lock.close()
            continue
        _ours[port] = lock
        return port
    raise AssertionError
