"""`keepsake erase`: removes everything of one person, for good."""

import argparse

from bot.cli.person import memory_of
from bot.language import texts
from memory import Progress
from memory.errors import Refused
from memory.privacy.forgetting.forget import erase
from memory.settings import Settings


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    async with memory_of(settings, chosen.user, progress) as (memory, viewer):
        if not chosen.yes:
            raise Refused(texts.ERASE_NEEDS_YES.format(user=viewer.person))
        await erase(memory, viewer.tenant, viewer.person)
    progress(texts.ERASED.format(user=viewer.person))
    return 0
