"""`keepsake chat`: a chat in the terminal or over a pipe."""

import argparse

from bot.language import OFFLINE_LOCALE
from bot.terminal.console import open_console
from memory import Progress
from memory.metrics import serve
from memory.settings import Settings
from memory.wiring import open_runtime


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    runtime_of = open_runtime(settings, offline_locale=OFFLINE_LOCALE, progress=progress)
    async with runtime_of as runtime, serve(runtime.metrics, settings.metrics_listen):
        return await open_console(runtime).run()
