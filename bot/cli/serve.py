"""`keepsake serve`: the daemon alone, with REST, MCP and the review page."""

import argparse

from bot.cli.daemon import run_daemon
from bot.language import VOICE
from memory import Progress
from memory.settings import Settings
from memory.wiring import open_runtime


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    async with open_runtime(settings, voice=VOICE, progress=progress) as runtime:
        await run_daemon(runtime, progress)
    return 0
