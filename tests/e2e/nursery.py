"""Starts the program over and over without paying for its imports each time: a process that has read all the code, and
forks for whoever asks on its socket. It tells the pid, and at the end how that ended and how much room it took."""

import contextlib
import fcntl
import gc
import json
import os
import select
import signal
import socket
import sys
import termios
from pathlib import Path
from typing import Any, TextIO, cast

from bot.cli.registry import SUBCOMMANDS
from tests.e2e import points

LOADED = (
    "alembic.command",
    "anthropic.types",
    "api.mcp.stdio",
    "api.serving",
    "bot.telegram.app",
    *(each.module for each in SUBCOMMANDS),
    "bot.terminal.prompt",
    "db.migrate",
    "ijson",
    "psycopg",
    "sqlalchemy.dialects.postgresql.psycopg",
    "telegram.ext",
    "tornado.web",
    "uvicorn",
)


class Nursery:
    def __init__(self, path: str) -> None:
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen(100)
        self.woken, self._wakes = socket.socketpair()
        for each in (self.woken, self._wakes):
            each.setblocking(False)
        self.waiting: dict[int, socket.socket] = {}

    def until_forked(self) -> dict[str, Any] | None:
        """What a new process is to do; nothing, when whoever started the nursery is gone."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._wakes.fileno())
        while True:
            ready, _, _ = select.select([sys.stdin, self.listening, self.woken], [], [])
            if self.woken in ready:
                with contextlib.suppress(BlockingIOError):
                    self.woken.recv(1000)
                self.reap()
            if self.listening in ready and (request := self.fork(self.listening.accept()[0])) is not None:
                return request
            if sys.stdin in ready and not sys.stdin.readline():
                for pid in self.waiting:
                    os.kill(pid, signal.SIGKILL)
                return None

    def reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.wait4(-1, os.WNOHANG))[0]:
                pid, status, used = ended
                with self.waiting.pop(pid) as asker, contextlib.suppress(OSError):
                    asker.sendall(f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}\n".encode())

    def fork(self, asker: socket.socket) -> dict[str, Any] | None:
        length, descriptors, _, _ = socket.recv_fds(asker, 8, 3)
        request: dict[str, Any] = json.loads(asker.recv(int.from_bytes(length), socket.MSG_WAITALL))
        pid = os.fork()
        if pid:
            for each in descriptors:
                os.close(each)
            self.waiting[pid] = asker
            asker.sendall(f"{pid}\n".encode())
            return None
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for ours in (asker, self.listening, self.woken, self._wakes, *self.waiting.values()):
            ours.close()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        return request


def begin(request: dict[str, Any]) -> None:
    """As a new interpreter would."""
    if request["is_session"]:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w", line_buffering=True)
    points.change(request["changes"])
    if request["holder"]:
        points.hold_leases_as(request["holder"])
    if request["armed"]:
        points.install(Path(request["armed"]))


def _stream(number: int, mode: str, *, line_buffering: bool = False) -> TextIO:
    errors = "backslashreplace" if number == 2 else "surrogateescape"
    buffering = 1 if line_buffering or os.isatty(number) else -1
    return cast(TextIO, open(number, mode, buffering, encoding="utf-8", errors=errors, closefd=False))


def main() -> None:
    for name in LOADED:
        __import__(name)
    from bot.cli.main import run

    nursery = Nursery(sys.argv[1])
    gc.collect()
    gc.freeze()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    if (request := nursery.until_forked()) is None:
        return
    begin(request)
    try:
        sys.exit(run(request["arguments"]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
