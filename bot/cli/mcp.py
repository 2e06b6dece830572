"""`keepsake mcp`: the memory of whoever sits at this machine, for an agent that starts it and speaks MCP with it."""

import argparse

from bot.cli.daemon import speak_mcp
from bot.language import VOICE, texts
from bot.terminal.stdio import open_wire
from bot.terminal.user import terminal_user, timezone_name, user_name
from memory import Progress, Viewer
from memory.errors import Refused
from memory.people.keys import without_key
from memory.people.people import is_known, welcome
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_runtime


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    """An agent of this person's, as any other: it proposes, and never approves."""
    viewer = Viewer.in_private(settings.tenant, chosen.user or terminal_user())
    bearer = without_key(viewer.tenant, viewer.person, chosen.agent)
    wire = open_wire(settings.request_bytes)
    async with open_runtime(settings, voice=VOICE, progress=progress) as runtime:
        await _meet(runtime.memory, viewer)
        progress(texts.SPEAKING_MCP.format(agent=chosen.agent, user=viewer.person))
        await speak_mcp(runtime, bearer, wire, plain_names=chosen.underscores)
    return 0


async def _meet(memory: Memory, viewer: Viewer) -> None:
    """Whoever sits here may be new. Anybody else must be known: a name that was mistyped would be a new person."""
    async with memory.unit(viewer) as unit:
        if viewer.person == terminal_user():
            await welcome(unit, name=user_name(), timezone=timezone_name())
        elif not await is_known(unit):
            raise Refused(texts.NO_SUCH_USER.format(user=viewer.person))
