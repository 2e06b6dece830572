"""The bot as a process of its own, against a fake Telegram: started, stopped, killed and started again."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil

from tests.e2e.conftest import UNTRACED
from tests.scripted_model import QUIETLY
from tests.telegram import FakeTelegram

HOUSE = Path(__file__).resolve().parents[2]
SECONDS_TO_START, SECONDS_TO_END = 40, 20
BEGUN = "keepsake_test_bot"


class Program:
    """`keepsake bot`, one process at a time. What it prints is kept, to be read when a test fails."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.printed: list[str] = []
        self.pid = 0
        self._begun = threading.Event()
        self._nursery = subprocess.Popen(
            [sys.executable, str(HOUSE / "tests" / "e2e" / "nursery.py")],
            env={**environment, **UNTRACED, "PTB_TIMEDELTA": "1"},
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._nursery.stderr
        threading.Thread(target=self._read, args=(self._nursery.stderr,), daemon=True).start()
        assert self._answer() == "ready"

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.printed.append(line.decode().rstrip())
            if BEGUN in self.printed[-1]:
                self._begun.set()

    def _answer(self) -> str:
        assert self._nursery.stdout
        return self._nursery.stdout.readline().decode().strip()

    def start(self, *, wait: bool = True) -> None:
        assert not self.pid
        assert self._nursery.stdin
        self._begun.clear()
        self._nursery.stdin.write(b"start\n")
        self._nursery.stdin.flush()
        self.pid = int(self._answer())
        if wait:
            until(lambda: self._begun.is_set() or not self.is_alive, SECONDS_TO_START, lambda: self.account)
            assert self.is_alive, self.account

    @property
    def is_alive(self) -> bool:
        return bool(self.pid) and psutil.pid_exists(self.pid)

    @property
    def account(self) -> str:
        return "\n".join(self.printed[-30:])

    def send(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def end(self, number: signal.Signals = signal.SIGTERM) -> float:
        """How long it takes to end."""
        began = time.monotonic()
        self.send(number)
        until(lambda: not self.is_alive, SECONDS_TO_END, lambda: self.account)
        self.pid = 0
        return time.monotonic() - began

    def kill(self) -> None:
        if self.is_alive:
            self.end(signal.SIGKILL)
        self.pid = 0

    def megabytes(self) -> float:
        return float(psutil.Process(self.pid).memory_info().rss) / 1e6

    def ensure_sound(self) -> None:
        """It never broke in a way that nobody had thought of."""
        assert not [line for line in self.printed if "Traceback" in line], self.account

    def close(self) -> None:
        self.kill()
        self._nursery.kill()
        self._nursery.communicate()


@contextmanager
def programs(count: int, folder: Path, *environments: dict[str, str]) -> Iterator[list[Program]]:
    """Not started yet."""
    made: list[Program] = []
    try:
        for number in range(count):
            made.append(Program(environments[number % len(environments)], folder))
        yield made
        for each in made:
            each.ensure_sound()
    finally:
        for each in made:
            each.close()
            print(each.account)  # for whoever reads a failed test


@contextmanager
def running(environment: dict[str, str], folder: Path, **settings: str) -> Iterator[Program]:
    with programs(1, folder, {**environment, **settings}) as [program]:
        program.start()
        yield program


def settings_for(telegram: FakeTelegram, model: str | None = None) -> dict[str, str]:
    """As a person would set them."""
    found = {
        "TELEGRAM_BOT_TOKEN": telegram.token,
        "TELEGRAM_BASE_URL": telegram.url,
        "KEEPSAKE_MESSAGES_PER_SECOND": "0",
    }
    return found if model is None else {**found, **QUIETLY, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(condition: Callable[[], object], seconds: float, told: Callable[[], str] = lambda: "") -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, told() or f"It did not happen in {seconds:g} s."
        time.sleep(0.01)
