"""`keepsake migrate`: brings the database to the schema of this program, or to another one."""

import argparse

from bot.language import texts
from memory import Progress
from memory.errors import SettingsError
from memory.settings import Settings
from memory.wiring import migrate_database


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    if settings.database_url is not None and settings.owner_url is None:
        raise SettingsError(texts.OWNER_NEEDED)
    await migrate_database(settings, progress, to=chosen.to)
    progress(texts.MIGRATED.format(revision=chosen.to))
    return 0
