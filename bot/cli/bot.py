"""`keepsake bot`: runs the Telegram bot, and the daemon in the same process if `KEEPSAKE_SERVE` is set."""

import argparse

from bot.cli.daemon import with_daemon
from bot.language import OFFLINE_LOCALE, texts
from bot.terminal.user import timezone_name
from memory import Progress
from memory.errors import SettingsError
from memory.metrics import serve
from memory.settings import Settings
from memory.wiring import open_runtime


async def run(settings: Settings, _: argparse.Namespace, progress: Progress) -> int:
    if settings.telegram_bot_token is None:
        raise SettingsError(texts.TOKEN_MISSING)
    from bot.telegram.app import run_bot  # slow to import, and useless without a token

    runtime_of = open_runtime(settings, offline_locale=OFFLINE_LOCALE, progress=progress)
    async with runtime_of as runtime, serve(runtime.metrics, settings.metrics_listen), with_daemon(runtime, progress):
        await run_bot(runtime, timezone_name(), progress)
    return 0
