"""An embedded PostgreSQL that is made to end, or to hang."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from db.embedded import keeper
from tests.waiting import STUCK, until


def stop_server(data: Path, how: signal.Signals) -> None:
    """And wait until nothing of it answers any more."""
    pid = server_of(data)
    connected = psutil.Process(pid).children()
    os.kill(pid, how)
    _, alive = psutil.wait_procs(connected, STUCK)
    assert not alive


def server_of(data: Path) -> int:
    pid = keeper.server_pid(data)
    assert pid is not None
    return pid


def wait_until_revived(data: Path, before: int) -> None:
    """Until another one runs in its place."""
    until(lambda: keeper.server_pid(data) not in (before, None) and keeper.is_alive(keeper.server_pid(data)))


@contextmanager
def hanging(data: Path) -> Iterator[None]:
    """The server and all who serve for it."""
    _send(data, signal.SIGSTOP)
    try:
        yield
    finally:
        _send(data, signal.SIGCONT)


def _send(data: Path, number: signal.Signals) -> None:
    """While the server itself stands still, none comes or goes of those who serve for it."""
    server = psutil.Process(server_of(data))
    if number == signal.SIGSTOP:
        server.suspend()
        until(lambda: server.status() == psutil.STATUS_STOPPED)
    for each in server.children():
        with suppress(ProcessLookupError):
            os.kill(each.pid, number)
    if number == signal.SIGCONT:
        server.resume()
