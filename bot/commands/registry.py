"""Every slash command: where it may be used, which words may follow it, and what answers it.

The dispatchers of Telegram and of the terminal, /help, Telegram's menu and the terminal's completion read it. What is
said of a command stands under its name in `bot/texts.py`: TERMINAL_HELP_LINES, TELEGRAM_HELP_LINES and MENU_LINES.
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
    """A person's own chat with the bot in Telegram."""
    TELEGRAM_GROUP = "group"


CommandAnswer = Callable[[Chat, str], Awaitable[str]]
EVERYWHERE = frozenset(Where)
IN_GROUPS = frozenset({Where.TELEGRAM_GROUP})
TERMINAL = frozenset({Where.TERMINAL})


def no_words(_: Sequence[str]) -> Iterable[str]:
    """What follows is written freely."""
    return ()


@dataclass(frozen=True, slots=True)
class SlashCommand:
    name: str
    where: frozenset[Where]
    answer: CommandAnswer | None = None
    """Does it and tells that in one text: for a front end without a handler of its own for it."""
    arguments: Callable[[Sequence[str]], Iterable[str]] = no_words
    """The words that may come next, after those that were typed behind the command."""
    telegram_handler: str = ""
    """The handler that answers it in Telegram: named and not imported, so that a chat in the terminal does not load
    Telegram's library."""
    terminal_handler: str = ""
    """The handler that answers it in the terminal."""
    is_bare: bool = False
    """Whether it is understood only without words behind it."""
    unlisted: frozenset[Where] = frozenset()
    """Where it is understood, and shown neither in a menu nor in /help nor by completion."""


async def tell_help(_: Chat, __: str) -> str:
    """For the terminal; Telegram has a handler of its own, which tells it in private."""
    return help_text(Where.TERMINAL)


HANDLERS = "bot.telegram.handlers.commands"

COMMANDS = (
    SlashCommand("memory", EVERYWHERE, memory.memory_command, memory.arguments, telegram_handler=f"{HANDLERS}:memory"),
    SlashCommand("why", EVERYWHERE, why.why_command, telegram_handler=f"{HANDLERS}:tell_why"),
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
    return "\n".join([opening, *(told for _, told in _said(lines, where))])


def menu(where: Where) -> list[tuple[str, str]]:
    """Names and what is said of them, in the order in which Telegram shows them."""
    return _said(texts.MENU_LINES, where)


def handler(named: str) -> Any:
    """The function of this name, such as `bot.terminal.commands:forget`."""
    module, _, function = named.partition(":")
    return getattr(import_module(module), function)


def _said(lines: dict[str, str], where: Where) -> list[tuple[str, str]]:
    names = {each.name for each in listed(where)}
    return [(name, told) for name, told in lines.items() if name in names]
