"""`keepsake migrate`: migrates the database to the current schema or another revision."""

import argparse

from bot.language import texts
from memory import Progress
from memory.errors import SettingsError
from memory.settings import Settings
from memory.wiring import migrate_database


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    if settings.database_url is not None and settings.owner_url is None:
        raise SettingsError(texts.OWNER_NEEDED)
    revision = await migrate_database(settings, progress, to=args.to)
    progress(texts.MIGRATED.format(revision=revision))
    return 0
