"""`keepsake serve`: the daemon alone, with REST, MCP and the review page."""

import argparse

from bot.cli.daemon import run_daemon
from bot.language import VOICE
from memory import Progress
from memory.settings import Settings
from memory.wiring import open_house


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    async with open_house(settings, voice=VOICE, progress=progress) as house:
        await run_daemon(house, progress)
    return 0
