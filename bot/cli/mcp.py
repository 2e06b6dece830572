"""`keepsake mcp`: MCP over standard input and output, for an agent on this machine."""

import argparse

from bot.cli.daemon import speak_mcp
from bot.language import OFFLINE_LOCALE, texts
from bot.terminal.stdio import open_stdio
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Progress, Viewer
from memory.errors import Refused
from memory.people.keys import local_agent
from memory.people.people import is_known, register_person
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_runtime


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    """Serve one agent of this person. Like any agent it can propose facts, but not approve them."""
    viewer = Viewer.in_private(settings.tenant, args.user or terminal_user())
    bearer = local_agent(viewer.tenant, viewer.person, args.agent)
    pipe = open_stdio(settings.request_bytes)
    async with open_runtime(settings, offline_locale=OFFLINE_LOCALE, progress=progress) as runtime:
        await _ensure_person(runtime.memory, viewer)
        progress(texts.SPEAKING_MCP.format(agent=args.agent, user=viewer.person))
        await speak_mcp(runtime, bearer, pipe, plain_names=args.underscores)
    return 0


async def _ensure_person(memory: Memory, viewer: Viewer) -> None:
    """Create the user of this terminal if need be. Others must exist: a typo would create a new person."""
    async with memory.unit(viewer) as unit:
        if viewer.person == terminal_user():
            await register_person(unit, name=user_name(), timezone=timezone_name())
        elif not await is_known(unit):
            raise Refused(texts.NO_SUCH_USER.format(user=viewer.person))
