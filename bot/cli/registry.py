"""The subcommands of `keepsake` and their arguments.

The module of a subcommand is imported when it runs, so that `--help` answers at once.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from bot.language import texts
from memory import Scope
from memory.cleaning import clean, visible


def no_arguments(_: argparse.ArgumentParser) -> None:
    """For subcommands without arguments."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    name: str
    module: str
    """Its `run(settings, args, progress)` returns the exit status."""
    add_arguments: Callable[[argparse.ArgumentParser], None] = no_arguments


def keys_arguments(parser: argparse.ArgumentParser) -> None:
    options = texts.PROGRAM_OPTIONS
    actions = parser.add_subparsers(dest="action", required=True)
    new = actions.add_parser("new", help=options["keys new"])
    new.add_argument("--user", type=clean, help=options["key user"])
    new.add_argument("--agent", type=clean, help=options["key agent"])
    new.add_argument("--scope", default=f"{Scope.READ},{Scope.WRITE}", help=options["key scope"])
    new.add_argument("--name", type=visible, default="", help=options["key name"])
    listing = actions.add_parser("list", help=options["keys list"])
    listing.add_argument("--json", action="store_true", help=options["json"])
    revoking = actions.add_parser("revoke", help=options["keys revoke"])
    revoking.add_argument("id", type=clean, help=options["key id"])
    for action in (new, listing, revoking):
        action.add_argument("--tenant", type=clean, help=options["tenant"])


def mcp_arguments(parser: argparse.ArgumentParser) -> None:
    user_argument(parser)
    parser.add_argument("--agent", default="mcp", help=texts.PROGRAM_OPTIONS["agent"])
    parser.add_argument("--env-file", type=Path, metavar="PATH", help=texts.PROGRAM_OPTIONS["env_file"])
    parser.add_argument("--underscores", action="store_true", help=texts.PROGRAM_OPTIONS["underscores"])


def migrate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", default="head", help=texts.PROGRAM_OPTIONS["to"])


def export_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--markdown", action="store_true", help=texts.PROGRAM_OPTIONS["markdown"])
    user_argument(parser)


def erase_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help=texts.PROGRAM_OPTIONS["yes"])
    user_argument(parser)


def import_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help=texts.PROGRAM_OPTIONS["file"])
    parser.add_argument("--as", metavar="NAME", help=texts.PROGRAM_OPTIONS["as"])
    user_argument(parser)


def replay_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("call", nargs="?", help=texts.PROGRAM_OPTIONS["call"])
    user_argument(parser)


def stats_arguments(parser: argparse.ArgumentParser) -> None:
    options = texts.PROGRAM_OPTIONS
    parser.add_argument("--days", type=int, default=30, help=options["days"])
    parser.add_argument("--user", help=options["whose"])
    parser.add_argument("--json", action="store_true", help=options["json"])
    report = parser.add_mutually_exclusive_group()
    report.add_argument("--summaries", action="store_true", help=options["summaries"])
    report.add_argument("--audit", action="store_true", help=options["audit"])
    parser.add_argument("--conversation", help=options["conversation"])


def user_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--user", help=texts.PROGRAM_OPTIONS["user"])


# In the order in which `keepsake --help` lists them.
SUBCOMMANDS = (
    Subcommand("bot", "bot.cli.bot"),
    Subcommand("chat", "bot.cli.chat"),
    Subcommand("serve", "bot.cli.serve"),
    Subcommand("keys", "bot.cli.keys", keys_arguments),
    Subcommand("mcp", "bot.cli.mcp", mcp_arguments),
    Subcommand("migrate", "bot.cli.migrate", migrate_arguments),
    Subcommand("doctor", "bot.cli.doctor"),
    Subcommand("export", "bot.cli.export", export_arguments),
    Subcommand("erase", "bot.cli.erase", erase_arguments),
    Subcommand("import", "bot.cli.importing", import_arguments),
    Subcommand("rebuild", "bot.cli.rebuild", user_argument),
    Subcommand("replay", "bot.cli.replay", replay_arguments),
    Subcommand("stats", "bot.cli.stats", stats_arguments),
)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="keepsake", description=texts.PROGRAM)
    parser.add_argument("--version", action="version", version=f"keepsake {version('keepsake')}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    for each in SUBCOMMANDS:
        each.add_arguments(commands.add_parser(each.name, help=texts.PROGRAM_COMMANDS[each.name]))
    return parser
