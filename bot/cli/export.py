"""`keepsake export`: writes all data of one person to standard output."""

import argparse
import json
import sys

from bot.cli.person import open_person
from memory import Progress
from memory.privacy.export import export_as_markdown, export_data
from memory.settings import Settings


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    async with open_person(settings, args.user, progress) as (memory, viewer), memory.unit(viewer) as unit:
        document = await export_data(unit)
    text = export_as_markdown(document) if args.markdown else json.dumps(document, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.write(text)
    return 0
