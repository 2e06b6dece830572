"""The program `keepsake`: reads the settings, runs one command, ends with a clear line and a status."""

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from bot import formatting
from bot.chains import chain_as_json, chain_as_table, read_chain
from bot.console import open_console, terminal_user, timezone_name
from bot.doctor import examine
from bot.importing import import_shown, load_shown, look_into, read_document, read_shown
from bot.keys import add_keys, keys_command
from bot.language import VOICE, speaking, spoken, terminal_language, texts
from bot.logs import log_from
from bot.mcp import add_mcp, mcp_command, named_env_file
from bot.rebuilding import rebuild_shown
from bot.rot import rot_as_json, rot_as_lines
from bot.serving import daemon_beside, run_daemon
from bot.stats import as_json, as_table, first_day, sums
from db.migrate import migrate
from db.queries.people import is_known
from db.viewer import Viewer
from memory.context.replay import replay
from memory.environment import load_settings, unknown_variables
from memory.errors import KeepsakeError, Refused, SettingsError
from memory.importing.heard import Kind
from memory.metrics import serve
from memory.privacy.export import as_markdown, export
from memory.privacy.forget import erase
from memory.rot import find_rot
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import embedded_server, migrate_embedded, open_house, open_memory, ready_database

ENV_FILE = Path(".env")

log = logging.getLogger(__name__)


def run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    with speaking(terminal_language()):
        return _run(_parser().parse_args(arguments))


def _run(chosen: argparse.Namespace) -> int:
    try:
        env_file = named_env_file(chosen) if chosen.command == "mcp" else ENV_FILE
        chosen.has_env_file = bool(env_file and env_file.exists())
        settings = load_settings(os.environ, env_file)
        for line in unknown_variables(os.environ, env_file):
            progress(line)
        log_from(settings.log_level, settings.log_format)
        return asyncio.run(_until_stopped(COMMANDS[chosen.command or ""](settings, chosen)))
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


async def chat(settings: Settings, _: argparse.Namespace) -> int:
    house_of = open_house(settings, voice=VOICE, progress=progress)
    async with house_of as house, serve(house.metrics, settings.metrics_listen):
        return await open_console(house).run()


async def bot(settings: Settings, _: argparse.Namespace) -> int:
    """The Telegram bot, until it is stopped."""
    if settings.telegram_bot_token is None:
        raise SettingsError(texts.TOKEN_MISSING)
    from bot.app import run_bot

    house_of = open_house(settings, voice=VOICE, progress=progress)
    async with house_of as house, serve(house.metrics, settings.metrics_listen), daemon_beside(house, progress):
        await run_bot(house, timezone_name(), progress)
    return 0


async def serve_api(settings: Settings, _: argparse.Namespace) -> int:
    """The daemon alone: REST, MCP and the review page."""
    async with open_house(settings, voice=VOICE, progress=progress) as house:
        await run_daemon(house, progress)
    return 0


async def run_either(settings: Settings, chosen: argparse.Namespace) -> int:
    """What happens without a command: with a token the bot, without one a chat in the terminal."""
    return await (bot if settings.telegram_bot_token else chat)(settings, chosen)


async def migrate_database(settings: Settings, chosen: argparse.Namespace) -> int:
    if settings.database_url is None:
        async with embedded_server(settings, progress) as server:
            await migrate_embedded(server, progress, to=chosen.to)
    elif settings.owner_url is None:
        raise SettingsError(texts.OWNER_NEEDED)
    else:
        owner, application = settings.owner_url.get_secret_value(), settings.database_url.get_secret_value()
        await migrate(owner, application, to=chosen.to, progress=progress)
    progress(texts.MIGRATED.format(revision=chosen.to))
    return 0


async def doctor(settings: Settings, chosen: argparse.Namespace) -> int:
    findings = await examine(settings, progress, has_env_file=chosen.has_env_file)
    sys.stdout.write("\n".join(findings.lines) + "\n")
    return 0 if findings.fit else 1


async def export_user(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, chosen.user) as (memory, viewer), memory.unit(viewer) as unit:
        document = await export(unit)
    text = as_markdown(document) if chosen.markdown else json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.write(text)
    return 0


async def erase_user(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, chosen.user) as (memory, viewer):
        if not chosen.yes:
            raise Refused(texts.ERASE_NEEDS_YES.format(user=viewer.person))
        await erase(memory, viewer.tenant, viewer.person)
    progress(texts.ERASED.format(user=viewer.person))
    return 0


async def import_user(settings: Settings, chosen: argparse.Namespace) -> int:
    """What is no export, or does not say who of it is meant, is refused before anybody is made."""
    found = await look_into(Path(chosen.file))
    if found.kind == Kind.KEEPSAKE:
        document = await read_document(found.documents[0])
        async with memory_of(settings, chosen.user, known=False) as (memory, viewer):
            return await load_shown(memory, viewer, document, chosen.file, progress)
    person = chosen.user or terminal_user()
    known, me = await read_shown(settings, found, person, getattr(chosen, "as"), progress)
    async with memory_of(settings, chosen.user, known=False) as (memory, viewer):
        return await import_shown(settings, memory, viewer, found, known, me, progress)


async def replay_calls(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, chosen.user) as (memory, viewer):
        replays = await replay(memory, viewer, chosen.call)
    sys.stdout.write(formatting.replays_list(replays) + "\n" if replays else "")
    progress(texts.REPLAYED.format(count=len(replays), same=sum(each.is_same for each in replays)))
    return 1 if any(each.is_different for each in replays) else 0


async def rebuild_user(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, chosen.user) as (memory, viewer):
        return await rebuild_shown(settings, memory, viewer, progress)


async def stats(settings: Settings, chosen: argparse.Namespace) -> int:
    if chosen.audit:
        return await audit(settings, chosen)
    if chosen.summaries or chosen.conversation:
        if chosen.user:
            raise Refused(texts.STATS_NOT_OF_ONE)
        return await summaries(settings, chosen)
    if not 1 <= chosen.days <= 36_500:
        raise Refused(texts.STATS_DAYS)
    async with memory_of(settings, chosen.user, known=chosen.user is not None) as (memory, viewer):
        rows = await sums(memory, viewer, first_day(datetime.now(UTC), chosen.days), own=chosen.user is not None)
    sys.stdout.write((as_json(rows, chosen.days) if chosen.json else as_table(rows, chosen.days, chosen.user)) + "\n")
    return 0


async def summaries(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, None, known=False) as (memory, viewer):
        chain = await read_chain(memory, viewer.tenant, chosen.conversation, datetime.now(UTC))
    sys.stdout.write((chain_as_json(chain) if chosen.json else chain_as_table(chain)) + "\n")
    return 0


async def audit(settings: Settings, chosen: argparse.Namespace) -> int:
    async with memory_of(settings, chosen.user) as (memory, viewer):
        rot = await find_rot(memory, viewer)
    sys.stdout.write((rot_as_json(rot) if chosen.json else rot_as_lines(rot)) + "\n")
    return 0


@asynccontextmanager
async def memory_of(
    settings: Settings, user: str | None, *, known: bool = True
) -> AsyncIterator[tuple[Memory, Viewer]]:
    """The memory, and the person of this terminal or another one, who must be known here."""
    viewer = Viewer.in_private(settings.tenant, user or terminal_user())
    async with ready_database(settings, progress) as ready:
        memory = await open_memory(settings, ready.url)
        try:
            async with memory.unit(viewer, read_only=True) as unit:
                if known and not await is_known(unit.session, viewer):
                    raise Refused(texts.NO_SUCH_USER.format(user=viewer.person))
            yield memory, viewer
        finally:
            await memory.database.close()


COMMANDS = {
    "": run_either,
    "bot": bot,
    "chat": chat,
    "migrate": migrate_database,
    "doctor": doctor,
    "export": export_user,
    "erase": erase_user,
    "import": import_user,
    "keys": lambda settings, chosen: keys_command(settings, chosen, progress),
    "mcp": lambda settings, chosen: mcp_command(settings, chosen, progress),
    "rebuild": rebuild_user,
    "replay": replay_calls,
    "serve": serve_api,
    "stats": stats,
}


def _parser() -> argparse.ArgumentParser:
    told, options = texts.PROGRAM_COMMANDS, texts.PROGRAM_OPTIONS
    parser = argparse.ArgumentParser(prog="keepsake", description=texts.PROGRAM)
    parser.add_argument("--version", action="version", version=f"keepsake {version('keepsake')}")
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("bot", help=told["bot"])
    commands.add_parser("chat", help=told["chat"])
    commands.add_parser("serve", help=told["serve"])
    add_keys(commands)
    add_mcp(commands)
    migrating = commands.add_parser("migrate", help=told["migrate"])
    migrating.add_argument("--to", default="head", help=options["to"])
    commands.add_parser("doctor", help=told["doctor"])
    exporting = commands.add_parser("export", help=told["export"])
    exporting.add_argument("--markdown", action="store_true", help=options["markdown"])
    erasing = commands.add_parser("erase", help=told["erase"])
    erasing.add_argument("--yes", action="store_true", help=options["yes"])
    importing = commands.add_parser("import", help=told["import"])
    importing.add_argument("file", help=options["file"])
    importing.add_argument("--as", metavar="NAME", help=options["as"])
    rebuilding = commands.add_parser("rebuild", help=told["rebuild"])
    replaying = commands.add_parser("replay", help=told["replay"])
    replaying.add_argument("call", nargs="?", help=options["call"])
    for command in (exporting, erasing, importing, rebuilding, replaying):
        command.add_argument("--user", help=options["user"])
    counting = commands.add_parser("stats", help=told["stats"])
    counting.add_argument("--days", type=int, default=30, help=options["days"])
    counting.add_argument("--user", help=options["whose"])
    counting.add_argument("--json", action="store_true", help=options["json"])
    instead = counting.add_mutually_exclusive_group()
    instead.add_argument("--summaries", action="store_true", help=options["summaries"])
    instead.add_argument("--audit", action="store_true", help=options["audit"])
    counting.add_argument("--conversation", help=options["conversation"])
    return parser
