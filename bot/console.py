"""The chat in the terminal, or over a pipe: reads lines, answers each, survives whatever a line may hold."""

import getpass
import logging
import os
import sys
from zoneinfo import ZoneInfo

from tzlocal import get_localzone_name

from bot import formatting
from bot.commands.memory import memory_command
from bot.commands.privacy import Forgetting
from bot.commands.spaces import space_command
from bot.language import spoken, texts
from bot.lines import Lines, open_lines
from bot.turn import Chat
from bot.why import explained
from db.viewer import Viewer
from memory.errors import DatabaseAway, KeyMissing, Refused, ServerTrouble, SettingsError, WriteRefused
from memory.text import clean
from memory.wiring import House

log = logging.getLogger(__name__)


class Console:
    def __init__(self, house: House, lines: Lines) -> None:
        self.name = user_name()
        self.chat = Chat(house, Viewer.in_private(house.settings.tenant, terminal_user()), is_local=True)
        self.forgetting = Forgetting(self.chat)
        self.limit = house.settings.message_bytes
        self.house = house
        self.lines = lines
        self.failures = 0

    async def run(self) -> int:
        """Answer line after line; the status tells whether all went well."""
        await self.chat.begin(name=self.name, timezone=timezone_name())
        self._greet()
        async for line in self.lines:
            try:
                if not await self._answer(line):
                    break
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
        if self.lines.interactive:
            self._print(texts.GOODBYE)
        return 1 if self.failures else 0

    def _fail(self, line: str) -> None:
        self.failures += 1
        self._print(line)

    def _greet(self) -> None:
        offline = self.house.brain.name == "offline"
        self._print(texts.OFFLINE_START if offline else texts.CLAUDE_START.format(model=self.house.brain.name))
        if self.lines.interactive:
            self._print(texts.HINT)

    async def _answer(self, line: bytes) -> bool:
        """Whether the chat goes on."""
        if len(line) > self.limit:
            self._fail(texts.TOO_LONG.format(limit=self.limit))
            return True
        text = line.decode("utf-8", errors="replace").strip()
        if not text.startswith("/forget"):
            self.forgetting.asked = 0
        if not text:
            self._print(texts.EMPTY)
        elif text in {"/quit", "/exit"}:
            return False
        elif text.startswith("/"):
            return await self._command(clean(text))
        else:
            await self._say(text, readable=b"\xef\xbf\xbd" in line or "\ufffd" not in text)
        return True

    async def _command(self, text: str) -> bool:
        """Whether the chat goes on."""
        command, _, rest = text.partition(" ")
        match command, rest.strip():
            case ("/help" | "/start", _):
                self._print(texts.HELP)
            case "/new", _:
                told = texts.NEW_CONVERSATION if self.chat.kept else texts.PRIVATE_OVER
                await self.chat.begin_anew(kept=True)
                self._print(told)
            case "/private", _:
                if self.chat.kept:
                    await self.chat.begin_anew(kept=False)
                self._print(texts.PRIVATE_BEGUN)
            case "/why", _:
                self._print(await explained(self.chat))
            case "/memory", words:
                self._print(await memory_command(self.chat, words))
            case "/space", words:
                self._print(await space_command(self.chat, words))
            case "/forget", words:
                answer, gone = await self.forgetting.command(words)
                self._print(answer)
                return not gone
            case _:
                self._print(texts.UNKNOWN_COMMAND.format(command=command[:40]))
        return True

    async def _say(self, text: str, *, readable: bool) -> None:
        shown = False

        async def show(delta: str) -> None:
            nonlocal shown
            shown = True
            self._write(delta.translate(texts.MARKS))

        said = await self.chat.say(text, show)
        self.failures += said.failed
        if shown:
            self._write("\n")
        told = [*map(formatting.receipt_line, said.receipts), *said.notices, *([] if readable else [texts.NOT_TEXT])]
        for line in [*told, *formatting.cards_shown(said.cards)]:
            self._print(line)
        await self.chat.shown(said.cards)

    def _print(self, line: str) -> None:
        self._write(line + "\n")

    def _write(self, text: str) -> None:
        """Whoever wrote it, a person or a model: no control character reaches the terminal."""
        sys.stdout.write(clean(text))
        sys.stdout.flush()


def user_name() -> str:
    """In a container the user may have a number and no name."""
    try:
        return clean(getpass.getuser())
    except (KeyError, OSError):
        return f"uid-{os.getuid()}"


def terminal_user() -> str:
    """The id of whoever sits at this terminal."""
    return f"terminal:{user_name()}"


def timezone_name() -> str:
    """The machine's time zone, where it is one that can be looked up again."""
    try:
        name = get_localzone_name() or "UTC"
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return "UTC"
    return str(name)


def open_console(house: House) -> Console:
    if sys.stdout is None:
        raise SettingsError(texts.NO_OUTPUT)
    return Console(house, open_lines(house.settings.message_bytes))
