"""The chat in the terminal or over a pipe: reads lines and answers each, whatever it contains."""

import logging
import sys

from bot import formatting
from bot.commands import registry
from bot.commands.privacy import ForgetDialog
from bot.commands.registry import Where
from bot.language import texts, translate_error
from bot.terminal.lines import LineSource, open_line_source
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Viewer
from memory.cleaning import clean
from memory.errors import DatabaseAway, EmbeddedServerError, KeyMissing, Refused, SettingsError, WriteRefused
from memory.model.vendors import vendor_from
from memory.turn.chat import Chat
from memory.wiring import Runtime

log = logging.getLogger(__name__)


class Console:
    def __init__(self, runtime: Runtime, lines: LineSource) -> None:
        self.name = user_name()
        self.chat = Chat(runtime, Viewer.in_private(runtime.settings.tenant, terminal_user()), is_local=True)
        self.forget_dialog = ForgetDialog(self.chat)
        self.limit = runtime.settings.message_bytes
        self.runtime = runtime
        self.lines = lines
        self.failures = 0
        self.is_over = False
        """Set by a command that ends the chat."""

    async def run(self) -> int:
        """Answer all lines and return the exit status."""
        await self.chat.begin(name=self.name, timezone=timezone_name())
        self._greet()
        async for line in self.lines:
            try:
                await self._answer(line)
            except WriteRefused as trouble:
                log.warning("the database rejected a write: %s", trouble)
                self._fail(texts.MEMORY_REFUSED_WRITE)
            except (DatabaseAway, EmbeddedServerError) as trouble:
                log.warning("the database is away: %s", type(trouble).__name__)
                self._fail(texts.MEMORY_AWAY if line.startswith(b"/") else texts.MEMORY_AWAY_MESSAGE_LOST)
            except (KeyMissing, Refused) as trouble:
                self._fail(translate_error(trouble))
            except OSError:
                raise  # our own output is closed or its disk is full
            except Exception as fault:
                log.error("a turn failed: %s", type(fault).__name__)
                self._fail(texts.TURN_BROKE)
            if self.is_over:
                break
        if self.lines.interactive:
            self._print(texts.GOODBYE)
        return 1 if self.failures else 0

    def _fail(self, line: str) -> None:
        self.failures += 1
        self._print(line)

    def _greet(self) -> None:
        if vendor := vendor_from(self.runtime.settings):
            self._print(texts.START_WITH_MODEL.format(vendor=vendor.name, model=self.runtime.brain.name))
        else:
            self._print(texts.START_OFFLINE)
        if self.lines.interactive:
            self._print(texts.START_HINT)

    async def _answer(self, line: bytes) -> None:
        if len(line) > self.limit:
            self._fail(texts.LINE_TOO_LONG.format(limit=self.limit))
            return
        text = line.decode("utf-8", errors="replace").strip()
        if not text.startswith("/forget"):
            self.forget_dialog.step = 0
        if not text:
            self._print(texts.LINE_EMPTY)
        elif text.startswith("/"):
            await self._command(clean(text))
        else:
            await self._say(text, readable=b"\xef\xbf\xbd" in line or "\ufffd" not in text)

    async def _command(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        words = rest.strip()
        command = registry.find(name.removeprefix("/"), words, Where.TERMINAL)
        if command is None:
            self._print(texts.UNKNOWN_COMMAND.format(command=name[:40]))
        elif command.terminal_handler:
            if answer := await registry.handler(command.terminal_handler)(self, words):
                self._print(answer)
        elif command.answer:
            self._print(await command.answer(self.chat, words))

    async def _say(self, text: str, *, readable: bool) -> None:
        has_output = False

        async def show(delta: str) -> None:
            nonlocal has_output
            has_output = True
            self._write(delta.translate(texts.MARKS))

        outcome = await self.chat.say(text, show)
        self.failures += outcome.failed
        if has_output:
            self._write("\n")
        lines = [*formatting.outcome_lines(outcome), *([] if readable else [texts.LINE_NOT_TEXT])]
        for line in [*lines, *formatting.cards_lines(outcome.cards)]:
            self._print(line)
        await self.chat.mark_cards_shown(outcome.cards)

    def _print(self, line: str) -> None:
        self._write(line + "\n")

    def _write(self, text: str) -> None:
        """Write the text without control characters, whether a person or a model wrote it."""
        sys.stdout.write(clean(text))
        sys.stdout.flush()


def open_console(runtime: Runtime) -> Console:
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    return Console(runtime, open_line_source(runtime.settings.message_bytes))
