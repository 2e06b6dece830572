"""`keepsake replay`: renders the prompts of past model calls again and compares their hashes."""

import argparse
import sys

from bot import formatting
from bot.cli.person import open_person
from bot.language import texts
from memory import Progress
from memory.context.replay import replay
from memory.settings import Settings


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    async with open_person(settings, args.user, progress) as (memory, viewer):
        replays = await replay(memory, viewer, args.call)
    sys.stdout.write(formatting.replays_text(replays) + "\n" if replays else "")
    progress(texts.REPLAYED.format(count=len(replays), same=sum(each.is_same for each in replays)))
    return 1 if any(each.is_different for each in replays) else 0
