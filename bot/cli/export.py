"""`keepsake export`: all data of one person, to standard output."""

import argparse
import json
import sys

from bot.cli.person import memory_of
from memory import Progress
from memory.privacy.export import as_markdown, export
from memory.settings import Settings


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    async with memory_of(settings, chosen.user, progress) as (memory, viewer), memory.unit(viewer) as unit:
        document = await export(unit)
    text = as_markdown(document) if chosen.markdown else json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.write(text)
    return 0
