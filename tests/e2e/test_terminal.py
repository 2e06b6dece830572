"""The chat in a real terminal: what the keys do, and what stays behind."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest

from bot import texts
from tests.e2e.child import Child
from tests.waiting import until

pytestmark = pytest.mark.slow

LEFT, UP, TAB, META_ENTER = "\x1b[D", "\x1b[A", "\t", "\x1b\r"
CONTROL_C, CONTROL_D, CONTROL_R = "\x03", "\x04", "\x12"
PASTE = "\x1b[200~{}\x1b[201~"
NOBODY_READS = 120  # Python's own, of a program that ended by itself before the signal and had no screen to flush to
READY = "\x1b[?2004h"  # a line that wants to hear of pastes is open
DRIVING = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\].*?(\x07|\x1b\\)|[@-Z\\^_=>])")


class Screen:
    """A terminal and the program in it. It remembers all that was ever drawn, not where."""

    process: Child

    def __init__(self, keyboard: int, terminal: int, *, dumb: bool) -> None:
        self.keyboard = keyboard
        self.terminal = terminal
        self.dumb = dumb
        self.modes_before = self.modes()
        self.closed = False
        self.drawn = b""
        self.read_up_to = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while not self.closed:
            if select.select([self.keyboard], [], [], 0.05)[0]:
                self.drawn += os.read(self.keyboard, 65536)

    def close(self) -> None:
        """As when a person closes the window."""
        if not self.closed:
            self.closed = True
            self.reader.join()
            os.close(self.terminal)
            os.close(self.keyboard)

    @property
    def text(self) -> str:
        drawn = self.drawn.decode(errors="replace").replace(READY, "⌨")
        return DRIVING.sub("", drawn).replace("\r", "")

    def type(self, keys: str | bytes) -> None:
        os.write(self.keyboard, keys.encode() if isinstance(keys, str) else keys)

    def see(self, words: str) -> str:
        """Waits for words that come after what was seen last, and tells what came before them."""

        def drawn() -> bool:
            return words in self.text[self.read_up_to :]

        until(drawn, lambda: f"{words!r} is not in {self.text[self.read_up_to :]!r}")
        found = self.text.find(words, self.read_up_to)
        before = self.text[self.read_up_to : found]
        self.read_up_to = found + len(words)
        return before

    def say(self, keys: str, answer: str) -> str:
        """Types a line when it is asked for, and waits for the answer."""
        self.see(texts.PROMPT if self.dumb else "⌨")
        self.type(keys)
        return self.see(answer)

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def redrawn(self, change: Callable[[], None]) -> None:
        """Waits until the program has drawn something after it."""
        before = len(self.drawn)
        change()
        until(lambda: len(self.drawn) > before)

    def modes(self) -> int:
        flags: int = termios.tcgetattr(self.terminal)[3]
        return flags & (termios.ECHO | termios.ICANON | termios.ISIG)

    def end(self) -> int:
        return self.process.wait()


Terminal = Callable[..., AbstractContextManager[Screen]]


@pytest.fixture
def terminal(environment: dict[str, str], own_database: dict[str, str], folder: Path) -> Terminal:
    @contextmanager
    def start(ahead: str = "", term: str = "xterm-256color", **variables: str) -> Iterator[Screen]:
        keyboard, end = pty.openpty()
        os.write(keyboard, ahead.encode())
        screen = Screen(keyboard, end, dumb=term == "dumb")
        screen.resize(24, 80)
        settings = {**environment, **own_database, **variables, "TERM": term}
        with Child(env=settings, cwd=folder, stdin=end, stdout=end, stderr=end, is_session=True) as screen.process:
            screen.see(texts.START_HINT)
            yield screen
        screen.close()
        assert "Traceback" not in screen.text

    return start


@pytest.fixture
def messages(superuser_url: str, tenant: str) -> Callable[[], list[str]]:
    def read() -> list[str]:
        with psycopg.connect(superuser_url) as admin:
            rows = admin.execute(
                "SELECT content ->> 'text' FROM events WHERE tenant_id = %s AND actor_type = 'human' ORDER BY seq",
                (tenant,),
            ).fetchall()
        return [words for (words,) in rows]

    return read


def test_a_line_is_corrected_with_the_arrow_keys_and_comes_back_from_history(terminal: Terminal) -> None:
    with terminal() as screen:
        screen.say(f"remember that Alc is my boss{LEFT * 12}e\r", ": Alec is my boss")
        screen.say(UP + "\x7f" * 4 + "chef\r", ": Alec is my chef")
        screen.say("hello\r", texts.OFFLINE.greeting)
        screen.say(f"{CONTROL_R}boss\r\r", "I already knew that")


def test_control_c_clears_a_half_line_and_on_an_empty_one_leaves(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    with terminal() as screen:
        screen.say(f"half a line{CONTROL_C}", "\n")
        screen.say("hello\r", texts.OFFLINE.greeting)
        screen.say(CONTROL_C, "\n")

        assert screen.end() == 128 + signal.SIGINT
        assert screen.modes() == screen.modes_before
        assert texts.GOODBYE not in screen.text
        assert messages() == ["hello"]


def test_control_d_leaves_with_a_goodbye_but_not_in_the_middle_of_a_line(terminal: Terminal) -> None:
    with terminal() as screen:
        screen.say(f"helloo{LEFT}{CONTROL_D}\r", texts.OFFLINE.greeting)
        screen.say(CONTROL_D, texts.GOODBYE)

        assert screen.end() == 0


def test_pasted_lines_and_lines_broken_with_a_key_are_one_message(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    with terminal() as screen:
        screen.say(PASTE.format("first\rsecond\nthird") + "\r", texts.OFFLINE.heard)
        screen.say(f"one{META_ENTER}two\r", texts.OFFLINE.heard)
        screen.say(UP + " more\r", texts.OFFLINE.heard)

        assert messages() == ["first\nsecond\nthird", "one\ntwo", "one\ntwo more"]


def test_a_long_paste_is_taken_and_one_over_the_limit_refused(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    with terminal(KEEPSAKE_MESSAGE_BYTES="50000") as screen:
        screen.say(PASTE.format("a long story\n" * 3_000) + "\r", texts.OFFLINE.heard)
        screen.say(PASTE.format("a long story\n" * 4_000) + "\r", texts.LINE_TOO_LONG.format(limit=50_000))

        assert [len(message) for message in messages()] == [13 * 3_000 - 1]


def test_tab_completes_commands_and_lists_what_is_possible(terminal: Terminal) -> None:
    with terminal() as screen:
        screen.say(f"/mem{TAB}\r", texts.MEMORY_LIST_EMPTY)
        screen.say(f"/memory s{TAB}", "search")
        screen.see("show")
        screen.type(f"ea{TAB}tea\r")
        screen.see(texts.SEARCH_NOTHING)


def test_what_is_typed_stands_in_no_file(terminal: Terminal, tmp_path: Path) -> None:
    with terminal() as screen:
        screen.say("remember that canary words are private\r", "✓ Remembered")
        screen.say("password=canary-words\r", "left out")
        screen.say(f"half of the canary words{CONTROL_C}", "\n")
        screen.say(f"{CONTROL_R}canary words{CONTROL_C}{CONTROL_D}", texts.GOODBYE)
        assert screen.end() == 0

    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if b"canary" in path.read_bytes()] == []


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_what_was_typed_ahead_is_read_up_to_control_d(
    terminal: Terminal, messages: Callable[[], list[str]], term: str
) -> None:
    with terminal(f"hello\nthank you\n{CONTROL_D}", term=term) as screen:
        screen.see(texts.PROMPT)
        screen.see(texts.OFFLINE.greeting)
        screen.see(texts.GOODBYE)

        assert screen.end() == 0
        assert messages() == ["hello", "thank you"]


def test_a_last_line_without_an_end_that_was_typed_ahead_counts(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    with terminal(f"hello\nlast words{CONTROL_D}{CONTROL_D}") as screen:
        screen.see(texts.GOODBYE)

        assert screen.end() == 0
        assert messages() == ["hello", "last words"]


def test_what_is_typed_while_an_answer_comes_is_the_next_line(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    with terminal() as screen:
        screen.say("hello\rthank you\rha", texts.OFFLINE.greeting)
        screen.see(texts.OFFLINE.welcome)
        screen.say("lf\r", texts.OFFLINE.heard)

        assert messages() == ["hello", "thank you", "half"]


def test_a_terminal_that_is_closed_ends_the_chat(terminal: Terminal) -> None:
    with terminal() as screen:
        screen.see("⌨")
        screen.close()

        assert screen.end() in {-signal.SIGHUP, NOBODY_READS}


def test_a_dumb_terminal_is_not_driven(terminal: Terminal) -> None:
    with terminal(term="dumb") as screen:
        screen.say("hello\r", texts.OFFLINE.greeting)
        screen.say(CONTROL_D, texts.GOODBYE)

        assert screen.end() == 0
        assert b"\x1b" not in screen.drawn


def test_any_script_and_broken_bytes_survive_a_terminal_that_changes_its_size(
    terminal: Terminal, messages: Callable[[], list[str]]
) -> None:
    wide, arabic, family = "我的老板叫亚历克 ", "مديري اسمه أليك ", "👨‍👩‍👧 Zoë é "
    with terminal() as screen:
        screen.see("⌨")
        for text, size in [(wide, (24, 9)), (arabic, (3, 4)), (family, (1, 1)), (wide, (40, 200))]:
            screen.redrawn(partial(screen.type, text))
            screen.redrawn(partial(screen.resize, *size))
        screen.type("\r")
        screen.see(texts.OFFLINE.heard)
        screen.say("hello\r", texts.OFFLINE.greeting)
        screen.see("⌨")
        screen.type(b"broken \xff\xfe bytes\r")
        screen.see(texts.LINE_NOT_TEXT)

        assert messages() == [(wide + arabic + family + wide).strip(), "hello", "broken �� bytes"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_chat_in_the_middle_of_a_line(
    terminal: Terminal, number: signal.Signals, status: int
) -> None:
    with terminal() as screen:
        screen.say("half a line", "line")

        assert screen.process.end(number) == status
        assert screen.modes() == screen.modes_before
