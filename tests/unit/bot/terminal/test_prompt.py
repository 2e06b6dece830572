"""The prompt without a terminal: keys come from a pipe, and what is drawn goes into a text."""

import asyncio
import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from bot.terminal.prompt import CommandCompleter, Prompt
from tests.waiting import eventually

HOUSE = Path(__file__).resolve().parents[4]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def output_on(screen: io.StringIO, *, rows: int = 24) -> Vt100_Output:
    return Vt100_Output(screen, lambda: Size(rows=rows, columns=80), term="xterm", enable_cpr=False)


async def drawn(screen: io.StringIO, words: str) -> None:
    await eventually(lambda: words in screen.getvalue(), screen.getvalue)


def completed(before: str, *, rows: int = 24) -> list[str]:
    completer = CommandCompleter(output_on(io.StringIO(), rows=rows))
    return [each.text for each in completer.get_completions(Document(before), CompleteEvent())]


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe:
        yield pipe


async def test_what_is_logged_while_a_line_is_open_stands_above_it(
    keys: PipeInput, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, errors = io.StringIO(), Terminal()
    monkeypatch.setattr(sys, "stderr", errors)
    handler = logging.StreamHandler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    keys.send_text("half a ")
    asking = asyncio.ensure_future(anext(aiter(Prompt(keys, output_on(screen)))))
    await drawn(screen, "half a")
    logging.getLogger("test").warning("something came up")
    await drawn(screen, "something came up")
    keys.send_text("line\r")

    assert await asking == b"half a line"
    above, _, below = screen.getvalue().partition("something came up")
    assert "half a" in above
    assert "half a" in below
    assert handler.stream is sys.stderr is errors
    assert errors.getvalue() == ""


async def test_errors_that_go_elsewhere_still_go_there(keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    screen, errors = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stderr", errors)
    keys.send_text("hel")
    asking = asyncio.ensure_future(anext(aiter(Prompt(keys, output_on(screen)))))
    await drawn(screen, "hel")
    sys.stderr.write("something came up\n")
    keys.send_text("lo\r")

    assert await asking == b"hello"
    assert errors.getvalue() == "something came up\n"


def test_a_file_is_completed_where_one_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "report.md").touch()

    assert completed(f"/space document {tmp_path}/rep") == ["ort.md"]


def test_words_that_the_screen_does_not_hold_are_completed_as_far_as_they_agree() -> None:
    assert completed("/memory s") == ["search ", "share ", "show "]
    assert completed("/memory s", rows=1) == []
    assert completed("/space d", rows=1) == []
    assert completed("/space doc", rows=1) == ["ument"]


@pytest.mark.slow
def test_a_run_without_a_terminal_does_not_load_the_library() -> None:
    loaded = "import sys, bot.cli.main; sys.exit('prompt_toolkit' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", loaded], cwd=HOUSE).returncode == 0
