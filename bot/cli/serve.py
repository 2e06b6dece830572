"""`keepsake serve`: runs the daemon, with REST, MCP and the review page."""

import argparse

from bot.cli.daemon import run_daemon
from bot.language import OFFLINE_LOCALE
from memory import Progress
from memory.settings import Settings
from memory.wiring import open_runtime


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    async with open_runtime(settings, offline_locale=OFFLINE_LOCALE, progress=progress) as runtime:
        await run_daemon(runtime, progress)
    return 0
