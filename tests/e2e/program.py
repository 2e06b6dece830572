"""The bot as a process of its own, against a fake Telegram: started, stopped, killed and started again."""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import psutil

from tests.e2e.child import PIPE, UNTRACED, Child
from tests.e2e.points import Arming
from tests.ports import free_port
from tests.scripted_model import QUIETLY
from tests.telegram import FakeTelegram
from tests.waiting import until

__all__ = ["Program", "free_port", "programs", "running", "settings_for"]

BEGUN = "keepsake_test_bot"


class Program:
    """`keepsake bot`, one process at a time. What it prints is kept, to be read when a test fails."""

    def __init__(
        self,
        environment: Mapping[str, str],
        folder: Path,
        *,
        changes: Mapping[str, Any] | None = None,
        armed: Arming | None = None,
        holder: str = "",
    ) -> None:
        self.holder = holder
        self.printed: list[str] = []
        self.environment = {**environment, **UNTRACED}
        self.changes = changes
        self._folder = folder
        self.armed = armed
        self._begun = threading.Event()
        self._process: Child | None = None
        self._reader: threading.Thread | None = None

    def start(self, *, wait: bool = True) -> None:
        assert not self.is_alive
        self._close()
        self._begun.clear()
        self._process = Child(
            "bot",
            env=self.environment,
            cwd=self._folder,
            stderr=PIPE,
            changes=self.changes,
            armed=self.armed,
            holder=self.holder,
        )
        self._reader = threading.Thread(target=self._read, args=(self._process.stderr,))
        self._reader.start()
        if wait:
            self.wait_until_begun()

    def wait_until_begun(self) -> None:
        until(lambda: self._begun.is_set() or not self.is_alive, lambda: self.account)
        assert self._begun.is_set(), self.account

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.printed.append(line.decode().rstrip())
            if BEGUN in self.printed[-1]:
                self._begun.set()

    @property
    def process(self) -> Child:
        assert self._process
        return self._process

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def account(self) -> str:
        return "\n".join(self.printed[-30:])

    def lines(self, words: str) -> int:
        """How many of the lines that it printed hold these words."""
        return sum(words in line for line in self.printed)

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """How it ended."""
        return self.process.end(number)

    def kill(self) -> None:
        if self.is_alive:
            self.end(signal.SIGKILL)

    def wait_until_dead(self) -> None:
        """At the point that a test named."""
        assert self.process.wait() == -signal.SIGKILL, self.account

    def megabytes(self) -> float:
        return float(psutil.Process(self.process.pid).memory_info().rss) / 1e6

    def ensure_sound(self) -> None:
        """It never broke in a way that nobody had thought of."""
        assert not self.lines("Traceback"), self.account

    def _close(self) -> None:
        if self._process is not None and self._reader is not None:
            self._reader.join()
            self._process.close()

    def close(self) -> None:
        self.kill()
        self._close()


@contextmanager
def programs(made: list[Program]) -> Iterator[list[Program]]:
    """Not started yet."""
    try:
        yield made
        for each in made:
            each.ensure_sound()
    finally:
        for each in made:
            each.close()
            print(each.account)  # for whoever reads a failed test


@contextmanager
def running(
    environment: Mapping[str, str],
    folder: Path,
    *,
    changes: Mapping[str, Any] | None = None,
    armed: Arming | None = None,
) -> Iterator[Program]:
    with programs([Program(environment, folder, changes=changes, armed=armed)]) as [program]:
        program.start()
        yield program


def settings_for(telegram: FakeTelegram, model: str | None = None) -> dict[str, str]:
    """As a person would set them."""
    found = {
        "TELEGRAM_BOT_TOKEN": telegram.token,
        "TELEGRAM_BASE_URL": telegram.url,
        "KEEPSAKE_MESSAGES_PER_SECOND": "0",
        "KEEPSAKE_LEASE_SECONDS": "600",
        "KEEPSAKE_MODEL_SECONDS": "600",
    }
    return found if model is None else {**found, **QUIETLY, "ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": model}
