"""The program `keepsake`: reads the settings, runs one subcommand, ends with a clear line and a status."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Coroutine
from importlib import import_module
from pathlib import Path

from bot.cli.registry import SUBCOMMANDS, parser_of_all
from bot.language import speaking, spoken, terminal_language, texts
from bot.logs import log_from
from memory.errors import KeepsakeError, SettingsError

ENV_FILE = Path(".env")

log = logging.getLogger(__name__)


def run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    with speaking(terminal_language()):
        return _run(parser_of_all().parse_args(arguments))


def _run(chosen: argparse.Namespace) -> int:
    try:
        from memory.settings.environment import load_settings, unknown_variables  # `--help` needs none

        env_file = _env_file(chosen)
        chosen.has_env_file = bool(env_file and env_file.exists())
        settings = load_settings(os.environ, env_file)
        for line in unknown_variables(os.environ, env_file):
            progress(line)
        log_from(settings.log_level, settings.log_format)
        name = chosen.command or ("bot" if settings.telegram_bot_token else "chat")
        module = import_module(next(each.module for each in SUBCOMMANDS if each.name == name))
        return asyncio.run(_until_stopped(module.run(settings, chosen, progress)))
    except KeepsakeError as error:
        progress(spoken(error))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BrokenPipeError:
        _write_no_more()
    except Exception as fault:
        _write_no_more()
        log.debug("the program broke", exc_info=fault)
        known = fault.strerror if isinstance(fault, OSError) else None
        progress(texts.PROGRAM_BROKE.format(what=known or type(fault).__name__))
    return 1


def _env_file(chosen: argparse.Namespace) -> Path | None:
    """Where settings stand besides the environment. An agent starts `mcp` in whatever project it works on, whose .env
    is not ours to obey."""
    if chosen.command != "mcp":
        return ENV_FILE
    path: Path | None = chosen.env_file
    if path and not path.is_file():
        raise SettingsError(texts.NO_ENV_FILE.format(path=path))
    return path


async def _until_stopped(work: Coroutine[None, None, int]) -> int:
    """Ctrl-C and SIGTERM end the work in good order. The loop itself must hear of them: what Python does by default
    is lost when a signal comes just as the loop goes to sleep."""
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


def _write_no_more() -> None:
    """The reader of our output is gone, or its disk is full: what is left in the buffer has nowhere to go."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress(line: str) -> None:
    """What goes on, on the error stream, so that a pipe gets answers only."""
    print(f"· {line}", file=sys.stderr, flush=True)  # noqa: T201
