"""Every slash command: where it is available, which words can follow it, and what handles it.

The dispatchers of Telegram and the terminal, /help, Telegram's menu and the terminal's completion use it. The
descriptions are in `bot/texts.py`: TERMINAL_HELP_LINES, TELEGRAM_HELP_LINES and MENU_LINES, by command name.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any

from bot.commands import conversation, memory, privacy, spaces, why
from bot.language import texts
from memory.turn.chat import Chat


class Where(StrEnum):
    TERMINAL = "terminal"
    TELEGRAM_PRIVATE = "private"
    """A private chat with the bot in Telegram."""
    TELEGRAM_GROUP = "group"


CommandAnswer = Callable[[Chat, str], Awaitable[str]]
EVERYWHERE = frozenset(Where)
IN_GROUPS = frozenset({Where.TELEGRAM_GROUP})
TERMINAL = frozenset({Where.TERMINAL})


def no_words(_: Sequence[str]) -> Iterable[str]:
    """For commands followed by free text."""
    return ()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    name: str
    where: frozenset[Where]
    answer: CommandAnswer | None = None
    """Runs the command and returns the answer. Used by front ends without a handler of their own."""
    arguments: Callable[[Sequence[str]], Iterable[str]] = no_words
    """Returns the words that can follow those typed so far."""
    telegram_handler: str = ""
    """The Telegram handler, as a path so that the terminal does not import Telegram's library."""
    terminal_handler: str = ""
    """The terminal handler, as a path."""
    is_bare: bool = False
    """Whether it is only recognised without arguments."""
    unlisted: frozenset[Where] = frozenset()
    """Where it works but is hidden from menus, /help and completion."""


async def tell_help(_: Chat, __: str) -> str:
    """Return the help of the terminal. Telegram has its own handler, which answers in private."""
    return help_text(Where.TERMINAL)


HANDLERS = "bot.telegram.handlers.commands"

COMMANDS = (
    SlashCommand("memory", EVERYWHERE, memory.memory_command, memory.arguments, telegram_handler=f"{HANDLERS}:memory"),
    SlashCommand("why", EVERYWHERE, why.why_command, telegram_handler=f"{HANDLERS}:show_why"),
    SlashCommand("new", EVERYWHERE, conversation.new),
    SlashCommand(
        "private", EVERYWHERE, conversation.private, telegram_handler=f"{HANDLERS}:private", unlisted=IN_GROUPS
    ),
    SlashCommand("space", EVERYWHERE, spaces.space_command, spaces.arguments, telegram_handler=f"{HANDLERS}:space"),
    SlashCommand(
        "forget",
        EVERYWHERE,
        arguments=privacy.arguments,
        telegram_handler=f"{HANDLERS}:forget",
        terminal_handler="bot.terminal.commands:forget",
        unlisted=IN_GROUPS,
    ),
    SlashCommand("help", EVERYWHERE, tell_help, telegram_handler=f"{HANDLERS}:show_help"),
    SlashCommand("start", EVERYWHERE, tell_help, telegram_handler=f"{HANDLERS}:start", unlisted=EVERYWHERE),
    SlashCommand("quit", TERMINAL, terminal_handler="bot.terminal.commands:leave", is_bare=True),
    SlashCommand("exit", TERMINAL, terminal_handler="bot.terminal.commands:leave", is_bare=True, unlisted=EVERYWHERE),
)


def find(name: str, words: str, where: Where) -> SlashCommand | None:
    found = next((each for each in COMMANDS if each.name == name and where in each.where), None)
    return None if found and found.is_bare and words else found


def listed(where: Where) -> Iterator[SlashCommand]:
    return (each for each in COMMANDS if where in each.where - each.unlisted)


def help_text(where: Where) -> str:
    if where == Where.TERMINAL:
        opening, lines = texts.TERMINAL_HELP_OPENING, texts.TERMINAL_HELP_LINES
    else:
        opening, lines = texts.TELEGRAM_HELP_OPENING, texts.TELEGRAM_HELP_LINES
    return "\n".join([opening, *(line for _, line in _lines_for(lines, where))])


def menu(where: Where) -> list[tuple[str, str]]:
    """Return names and descriptions in the order in which Telegram shows them."""
    return _lines_for(texts.MENU_LINES, where)


def handler(path: str) -> Any:
    """Import the function with a path such as `bot.terminal.commands:forget`."""
    module, _, function = path.partition(":")
    return getattr(import_module(module), function)


def _lines_for(lines: dict[str, str], where: Where) -> list[tuple[str, str]]:
    names = {each.name for each in listed(where)}
    return [(name, line) for name, line in lines.items() if name in names]
