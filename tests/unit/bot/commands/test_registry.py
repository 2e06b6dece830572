"""The registry of commands: whatever it lists can be answered, and is told of in every place where it is listed."""

import inspect

from bot import texts
from bot.commands import registry, spaces
from bot.commands.registry import COMMANDS, SlashCommand, Where
from tests.tables import table


@table("command", COMMANDS)
def test_a_command_is_answered_wherever_it_may_be_used(command: SlashCommand) -> None:
    own = {
        Where.TERMINAL: command.terminal_handler,
        Where.TELEGRAM_PRIVATE: command.telegram_handler,
        Where.TELEGRAM_GROUP: command.telegram_handler,
    }

    assert [where for where in command.where if not own.get(where) and command.answer is None] == []
    for path, taken in ((command.terminal_handler, 2), (command.telegram_handler, 4)):
        if path:
            function = registry.handler(path)
            assert inspect.iscoroutinefunction(function)
            assert len(inspect.signature(function).parameters) == taken


def test_no_command_has_two_rows() -> None:
    names = [command.name for command in COMMANDS]

    assert len(names) == len(set(names))


def test_what_is_listed_has_its_lines_and_no_line_is_left_over() -> None:
    terminal, private = (
        {each.name for each in registry.listed(where)} for where in (Where.TERMINAL, Where.TELEGRAM_PRIVATE)
    )

    assert texts.TERMINAL_HELP_LINES.keys() == terminal - {"help"}  # who reads it knows that one
    assert texts.TELEGRAM_HELP_LINES.keys() == private - {"help"}
    assert texts.MENU_LINES.keys() == private


def test_every_line_of_help_begins_with_the_command_that_it_stands_under() -> None:
    for lines in (texts.TERMINAL_HELP_LINES, texts.TELEGRAM_HELP_LINES):
        for name, told in lines.items():
            assert all(line.split()[0] == f"/{name}" for line in told.splitlines())


def test_what_is_refused_in_groups_is_a_command_of_spaces() -> None:
    assert spaces.COMMANDS.keys() > spaces.PRIVATE_ONLY
