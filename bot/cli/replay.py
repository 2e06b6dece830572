"""`keepsake replay`: renders past calls of the model again from rows, and compares hashes."""

import argparse
import sys

from bot import formatting
from bot.cli.person import memory_of
from bot.language import texts
from memory import Progress
from memory.context.replay import replay
from memory.settings import Settings


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    async with memory_of(settings, chosen.user, progress) as (memory, viewer):
        replays = await replay(memory, viewer, chosen.call)
    sys.stdout.write(formatting.replays_list(replays) + "\n" if replays else "")
    progress(texts.REPLAYED.format(count=len(replays), same=sum(each.is_same for each in replays)))
    return 1 if any(each.is_different for each in replays) else 0
