"""`keepsake bot`: the Telegram bot, until it is stopped, with the daemon beside it where one is wanted."""

import argparse

from bot.cli.daemon import daemon_beside
from bot.language import VOICE, texts
from bot.terminal.user import timezone_name
from memory import Progress
from memory.errors import SettingsError
from memory.metrics import serve
from memory.settings import Settings
from memory.wiring import open_runtime


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    if settings.telegram_bot_token is None:
        raise SettingsError(texts.TOKEN_MISSING)
    from bot.telegram.app import run_bot  # takes a while to load, for nothing where there is no token

    runtime_of = open_runtime(settings, voice=VOICE, progress=progress)
    async with runtime_of as runtime, serve(runtime.metrics, settings.metrics_listen), daemon_beside(runtime, progress):
        await run_bot(runtime, timezone_name(), progress)
    return 0
