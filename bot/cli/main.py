"""The `keepsake` program: reads the settings, runs one subcommand, and ends with a clear message and exit status."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from importlib import import_module
from pathlib import Path

from bot.cli.registry import SUBCOMMANDS, make_parser
from bot.language import terminal_language, texts, translate_error, use_language
from bot.logs import configure_logging
from memory.errors import KeepsakeError, SettingsError
from memory.translation import catalogue_trouble

ENV_FILE = Path(".env")

log = logging.getLogger(__name__)


def run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    with use_language(terminal_language()):
        return _run(make_parser().parse_args(arguments))


def _run(args: argparse.Namespace) -> int:
    try:
        from memory.settings.environment import (  # slow to import, and `--help` does not need it
            load_settings,
            unknown_variables,
        )

        env_file = _env_file(args)
        args.has_env_file = bool(env_file and env_file.exists())
        settings = load_settings(os.environ, env_file)
        for line in unknown_variables(os.environ, env_file):
            progress(line)
        if trouble := catalogue_trouble():
            progress(trouble)
        configure_logging(settings.log_level, settings.log_format)
        name = args.command or ("bot" if settings.telegram_bot_token else "chat")
        module = import_module(next(each.module for each in SUBCOMMANDS if each.name == name))
        return asyncio.run(_until_stopped(module.run(settings, args, progress)))
    except KeepsakeError as error:
        progress(translate_error(error))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _discard_output()
    except Exception as fault:
        _discard_output()
        log.debug("the program failed", exc_info=fault)
        known = fault.strerror if isinstance(fault, OSError) else None
        progress(texts.PROGRAM_BROKE.format(what=known or type(fault).__name__))
    return 1


def _env_file(args: argparse.Namespace) -> Path | None:
    """Return the file to read settings from. An agent starts `mcp` in the folder of some project, whose .env is not
    ours, so `mcp` takes its file by `--env-file` only."""
    if args.command != "mcp":
        return ENV_FILE
    path: Path | None = args.env_file
    if path and not path.is_file():
        raise SettingsError(texts.NO_ENV_FILE.format(path=path))
    return path


async def _until_stopped(work: Coroutine[None, None, int]) -> int:
    """Run the work and cancel it on SIGINT or SIGTERM. The loop handles the signals itself, because Python's default
    handling can miss one that arrives just as the loop goes to sleep."""
    task = asyncio.ensure_future(work)
    stopped_by: list[int] = []

    def stop(number: int) -> None:
        stopped_by.append(number)
        task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    try:
        return await task
    except asyncio.CancelledError:
        return 128 + stopped_by[0]


def _discard_output() -> None:
    """Discard what is left in the output buffer, because its reader is gone or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress(line: str) -> None:
    """Print a status line to standard error, so that a pipe gets answers only."""
    print(f"· {line}", file=sys.stderr, flush=True)  # noqa: T201
