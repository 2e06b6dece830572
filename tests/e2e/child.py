"""Processes of the program, forked by a nursery: what `subprocess` gives, as far as tests ask for it."""

import contextlib
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from tests.e2e.points import PATIENT, Arming
from tests.waiting import STUCK

HOUSE = Path(__file__).resolve().parents[2]
TRACED = ("COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG")
# For runs whose lines are counted by other tests: the tracer doubles the time of a run.
UNTRACED = dict.fromkeys(TRACED, "")
PIPE = subprocess.PIPE

Completed = subprocess.CompletedProcess[bytes]


class Nursery:
    """One for all tests of a worker; a second one where lines are counted."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="nursery-"))
        self.path = self._folder / "socket"
        kept = {name: environment.get(name, "") for name in TRACED}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.nursery", self.path],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(HOUSE), "PTB_TIMEDELTA": "1", **kept},
            cwd=HOUSE,
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
        )
        assert self._process.stdout
        assert self._process.stdout.readline() == b"ready\n"

    def close(self) -> None:
        self._process.communicate()
        shutil.rmtree(self._folder)


_nurseries: dict[bool, Nursery] = {}


def nursery_for(environment: Mapping[str, str]) -> Nursery:
    is_traced = any(environment.get(name) for name in TRACED)
    if is_traced not in _nurseries:
        _nurseries[is_traced] = Nursery(environment)
    return _nurseries[is_traced]


def close_nurseries() -> None:
    while _nurseries:
        _nurseries.popitem()[1].close()


class Child:
    """One run of the program. `changes` are constants of it; `armed` is where a test names a point to end it at,
    `holder` the name under which it holds leases."""

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str],
        cwd: Path,
        stdin: int | None = None,
        stdout: int | None = None,
        stderr: int | None = None,
        is_session: bool = False,
        changes: Mapping[str, Any] | None = None,
        armed: Arming | None = None,
        holder: str = "",
    ) -> None:
        self.args = arguments
        self.returncode: int | None = None
        self.megabytes = 0.0
        """The most that it took, once it has ended."""
        request = {
            "arguments": arguments,
            "environment": dict(env),
            "folder": str(cwd),
            "is_session": is_session,
            "changes": {**PATIENT, **(changes or {})},
            "armed": str(armed.path) if armed else "",
            "holder": holder,
        }
        with contextlib.ExitStack() as theirs:
            self.stdin, first = _ends(stdin, "wb", theirs)
            self.stdout, second = _ends(stdout, "rb", theirs)
            self.stderr, third = _ends(stderr, "rb", theirs)
            self._line = socket.socket(socket.AF_UNIX)
            self._line.settimeout(STUCK)
            self._line.connect(str(nursery_for(env).path))
            written = json.dumps(request).encode()
            socket.send_fds(self._line, [len(written).to_bytes(8)], [first, second, third])
            self._line.sendall(written)
        self._told = self._line.makefile("r")
        self.pid = int(self._told.readline())

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.wait()
        self.close()

    def close(self) -> None:
        for each in (self.stdin, self.stdout, self.stderr, self._told, self._line):
            if each is not None:
                with contextlib.suppress(BrokenPipeError):
                    each.close()

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._line], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self) -> int:
        """How it ended: its status, or below zero the signal that ended it."""
        if self.returncode is None:
            status, kilobytes = self._told.readline().split()
            self.returncode, self.megabytes = int(status), int(kilobytes) / 1000
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.send_signal(number)
        return self.wait()

    def communicate(self, typed: bytes = b"") -> tuple[bytes, bytes]:
        """All that it prints, to its end."""
        found = {stream: list[bytes]() for stream in (self.stdout, self.stderr) if stream is not None}
        readers = [threading.Thread(target=_read, args=(stream, pieces)) for stream, pieces in found.items()]
        for reader in readers:
            reader.start()
        if self.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.stdin.write(typed)
            with contextlib.suppress(BrokenPipeError):
                self.stdin.close()
        self.wait()
        for reader in readers:
            reader.join()
        printed, told = (b"".join(found.get(each, [])) if each else b"" for each in (self.stdout, self.stderr))
        return printed, told


def _read(stream: IO[bytes], pieces: list[bytes]) -> None:
    pieces.append(stream.read())


def _ends(wanted: int | None, mode: str, theirs: contextlib.ExitStack) -> tuple[IO[bytes] | None, int]:
    """Ours, where it is a pipe, and the number of theirs."""
    if wanted is None or wanted == subprocess.DEVNULL:
        wanted = os.open(os.devnull, os.O_RDWR)
        theirs.callback(os.close, wanted)
        return None, wanted
    if wanted != PIPE:
        return None, wanted
    reading, writing = os.pipe()
    ours, other = (writing, reading) if mode == "wb" else (reading, writing)
    theirs.callback(os.close, other)
    return open(ours, mode), other


def run(*arguments: str, typed: bytes = b"", **more: Any) -> Completed:
    """To its end, as `subprocess.run` does."""
    with Child(*arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE, **more) as child:
        printed, told = child.communicate(typed)
        return Completed(arguments, child.wait(), printed, told)
