"""An editable prompt with history, search and completion, for a chat in a terminal.

The history stays in RAM, because what was typed may be private or secret.
"""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter, get_common_complete_suffix
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import has_focus
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import get_cwidth

from bot.language import texts
from bot.terminal.completion import next_words

FILE_COMMAND = "/space document "


class Prompt:
    interactive = True

    def __init__(self, source: Input, output: Output) -> None:
        self.source = source
        self.output = output
        self.session: PromptSession[str] = PromptSession(
            texts.PROMPT,
            input=source,
            output=output,
            history=InMemoryHistory(),
            completer=CommandCompleter(output),
            complete_style=CompleteStyle.READLINE_LIKE,
            key_bindings=key_bindings(),
            prompt_continuation=lambda width, _, wrapped: "" if wrapped else " " * width,
            enable_suspend=True,
        )

    @classmethod
    def at_terminal(cls) -> "Prompt":
        output = Vt100_Output.from_pty(sys.stdout, term=os.environ["TERM"])
        # We know that the cursor is at the start of a line. Asking takes seconds in a terminal that does not answer.
        output.enable_cpr = False
        return cls(create_input(sys.stdin), output)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            sys.stdout.write("\n")
            sys.stdout.flush()
            try:
                text = await self._ask()
            except EOFError:
                return
            except KeyboardInterrupt:
                if not self.session.default_buffer.text:
                    # Ctrl-C arrived as a key. Raise the signal, which the shutdown waits for.
                    signal.raise_signal(signal.SIGINT)
                    await asyncio.Event().wait()
            else:
                yield text.encode(errors="surrogateescape")

    async def _ask(self) -> str:
        self._read_typeahead()
        with create_app_session(self.source, self.output), output_above_prompt():
            return await self.session.prompt_async(handle_sigint=False, set_exception_handler=False)

    def _read_typeahead(self) -> None:
        """Read the lines typed so far before the terminal switches to single keys. A Ctrl-D among them, which the
        terminal has turned into an end of file, would be lost otherwise."""
        if self.source.closed:
            return
        keys = get_typeahead(self.source)
        while not self.source.closed and (more := self.source.read_keys()):
            keys += more
        if self.source.closed:
            if keys and keys[-1].key not in {Keys.ControlM, Keys.ControlJ}:
                keys.append(KeyPress(Keys.ControlM))
            keys.append(KeyPress(Keys.ControlD))
        store_typeahead(self.source, keys)


class CommandCompleter(Completer):
    """Completes commands, and file paths after `/space document`."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        before = document.text_before_cursor
        if before.startswith(FILE_COMMAND):
            path = Document(before.removeprefix(FILE_COMMAND))
            found = list(self.paths.get_completions(path, complete_event))
        else:
            prefix = before.rpartition(" ")[2]
            found = [Completion(f"{word} ", -len(prefix), display=word) for word in next_words(before)]
        if self._fits_screen(found):
            yield from found
        elif common := get_common_complete_suffix(document, found):
            yield Completion(common)

    def _fits_screen(self, found: list[Completion]) -> bool:
        """Whether the screen can show them all. If not, the library asks first and takes over our signal handlers."""
        size = self.output.get_size()
        widest = max((get_cwidth(each.display_text) for each in found), default=0) + 1
        return len(found) <= (size.rows - 1) * max(1, size.columns // widest)


def key_bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("escape", "enter", filter=has_focus(DEFAULT_BUFFER))
    def insert_line_break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings


@contextmanager
def output_above_prompt() -> Iterator[None]:
    """Show prints and log lines above the open prompt, and redraw it."""
    errors = sys.stderr
    with patch_stdout():
        if errors is None or not errors.isatty():
            sys.stderr = errors
            yield
            return
        logs = [each for each in logging.getLogger().handlers if isinstance(each, logging.StreamHandler)]
        ours = [each for each in logs if each.stream is errors]
        for log in ours:
            log.setStream(sys.stderr)
        try:
            yield
        finally:
            for log in ours:
                log.setStream(errors)
