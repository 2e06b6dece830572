"""The chat in the terminal, or over a pipe: reads lines, answers each, survives whatever a line may hold."""

import logging
import sys

from bot import formatting
from bot.commands import registry
from bot.commands.privacy import Forgetting
from bot.commands.registry import Where
from bot.language import spoken, texts
from bot.terminal.lines import Lines, open_lines
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Viewer
from memory.cleaning import clean
from memory.errors import DatabaseAway, KeyMissing, Refused, ServerTrouble, SettingsError, WriteRefused
from memory.model.choice import vendor_from
from memory.turn.chat import Chat
from memory.wiring import Runtime

log = logging.getLogger(__name__)


class Console:
    def __init__(self, runtime: Runtime, lines: Lines) -> None:
        self.name = user_name()
        self.chat = Chat(runtime, Viewer.in_private(runtime.settings.tenant, terminal_user()), is_local=True)
        self.forgetting = Forgetting(self.chat)
        self.limit = runtime.settings.message_bytes
        self.runtime = runtime
        self.lines = lines
        self.failures = 0
        self.is_over = False
        """Whether a command ended the chat."""

    async def run(self) -> int:
        """Answer line after line; the status tells whether all went well."""
        await self.chat.begin(name=self.name, timezone=timezone_name())
        self._greet()
        async for line in self.lines:
            try:
                await self._answer(line)
            except WriteRefused as trouble:
                log.warning("the database refused something: %s", trouble)
                self._fail(texts.WRITE_REFUSED)
            except (DatabaseAway, ServerTrouble) as trouble:
                log.warning("the database is away: %s", type(trouble).__name__)
                self._fail(texts.MEMORY_AWAY if line.startswith(b"/") else texts.NOT_KEPT)
            except (KeyMissing, Refused) as trouble:
                self._fail(spoken(trouble))
            except OSError:
                raise  # our own output is gone or full: there is nothing to go on with
            except Exception as fault:
                log.error("a turn broke: %s", type(fault).__name__)
                self._fail(texts.BROKEN)
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
            self._print(texts.MODEL_START.format(vendor=vendor.name, model=self.runtime.brain.name))
        else:
            self._print(texts.OFFLINE_START)
        if self.lines.interactive:
            self._print(texts.HINT)

    async def _answer(self, line: bytes) -> None:
        if len(line) > self.limit:
            self._fail(texts.TOO_LONG.format(limit=self.limit))
            return
        text = line.decode("utf-8", errors="replace").strip()
        if not text.startswith("/forget"):
            self.forgetting.asked = 0
        if not text:
            self._print(texts.EMPTY)
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
            if told := await registry.handler(command.terminal_handler)(self, words):
                self._print(told)
        elif command.answer:
            self._print(await command.answer(self.chat, words))

    async def _say(self, text: str, *, readable: bool) -> None:
        shown = False

        async def show(delta: str) -> None:
            nonlocal shown
            shown = True
            self._write(delta.translate(texts.MARKS))

        outcome = await self.chat.say(text, show)
        self.failures += outcome.failed
        if shown:
            self._write("\n")
        told = [*formatting.outcome_lines(outcome), *([] if readable else [texts.NOT_TEXT])]
        for line in [*told, *formatting.cards_shown(outcome.cards)]:
            self._print(line)
        await self.chat.shown(outcome.cards)

    def _print(self, line: str) -> None:
        self._write(line + "\n")

    def _write(self, text: str) -> None:
        """Whoever wrote it, a person or a model: no control character reaches the terminal."""
        sys.stdout.write(clean(text))
        sys.stdout.flush()


def open_console(runtime: Runtime) -> Console:
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    return Console(runtime, open_lines(runtime.settings.message_bytes))
