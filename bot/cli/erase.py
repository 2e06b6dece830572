"""`keepsake erase`: permanently deletes all data of one person."""

import argparse

from bot.cli.person import open_person
from bot.language import texts
from memory import Progress
from memory.errors import Refused
from memory.privacy.forgetting.forget import erase
from memory.settings import Settings


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    async with open_person(settings, args.user, progress) as (memory, viewer):
        if not args.yes:
            raise Refused(texts.ERASE_NEEDS_YES.format(user=viewer.person))
        await erase(memory, viewer.tenant, viewer.person)
    progress(texts.ERASE_DONE.format(user=viewer.person))
    return 0
