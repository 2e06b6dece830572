"""`keepsake mcp`: the memory of whoever sits at this machine, for an agent that starts it and speaks MCP with it."""

import argparse
from pathlib import Path
from typing import Any

from bot.console import terminal_user, timezone_name, user_name
from bot.language import VOICE, texts
from bot.serving import speak_mcp
from bot.wire import open_wire
from db.migrate import Progress
from db.queries.people import is_known, welcome
from db.viewer import Viewer
from memory.errors import Refused, SettingsError
from memory.keys import without_key
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_house

AGENT = "mcp"


def add_mcp(commands: Any) -> None:
    options = texts.PROGRAM_OPTIONS
    speaking = commands.add_parser("mcp", help=texts.PROGRAM_COMMANDS["mcp"])
    speaking.add_argument("--user", help=options["user"])
    speaking.add_argument("--agent", default=AGENT, help=options["agent"])
    speaking.add_argument("--env-file", type=Path, metavar="PATH", help=options["env_file"])
    speaking.add_argument("--underscores", action="store_true", help=options["underscores"])


def named_env_file(chosen: argparse.Namespace) -> Path | None:
    """An agent starts us in whatever project it works on, whose .env is not ours to obey."""
    path: Path | None = chosen.env_file
    if path and not path.is_file():
        raise SettingsError(texts.NO_ENV_FILE.format(path=path))
    return path


async def mcp_command(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    """An agent of this person's, as any other: it proposes, and never approves."""
    viewer = Viewer.in_private(settings.tenant, chosen.user or terminal_user())
    bearer = without_key(viewer.tenant, viewer.person, chosen.agent)
    wire = open_wire(settings.request_bytes)
    async with open_house(settings, voice=VOICE, progress=progress) as house:
        await _meet(house.memory, viewer)
        progress(texts.SPEAKING_MCP.format(agent=chosen.agent, user=viewer.person))
        await speak_mcp(house, bearer, wire, plain_names=chosen.underscores)
    return 0


async def _meet(memory: Memory, viewer: Viewer) -> None:
    """Whoever sits here may be new. Anybody else must be known: a name that was mistyped would be a new person."""
    async with memory.unit(viewer) as unit:
        if viewer.person == terminal_user():
            await welcome(unit.session, viewer, name=user_name(), timezone=timezone_name(), now=unit.now)
        elif not await is_known(unit.session, viewer):
            raise Refused(texts.NO_SUCH_USER.format(user=viewer.person))
