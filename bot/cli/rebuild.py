"""`keepsake rebuild`: makes anew what is derived of one person, and shows how far that is."""

import argparse
import sys

from bot.cli.person import memory_of
from bot.cli.progress_bar import Bar
from bot.language import spoken, texts
from memory import Progress, Viewer
from memory.consolidation.rebuild import Rebuilt, rebuild
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_jobs


async def run(settings: Settings, chosen: argparse.Namespace, progress: Progress) -> int:
    """The status tells whether everything was made."""
    async with memory_of(settings, chosen.user, progress) as (memory, viewer):
        return await rebuild_shown(settings, memory, viewer, progress)


async def rebuild_shown(settings: Settings, memory: Memory, viewer: Viewer, progress: Progress) -> int:
    bar = Bar(sys.stderr)
    async with open_jobs(settings, memory) as (jobs, vectors):
        try:
            made = await rebuild(
                jobs, vectors, viewer, lambda stage, done, of: bar(texts.REBUILD_STAGES[stage], done, of)
            )
        finally:
            bar.close()
        is_with_summaries = jobs.structured_llm is not None and settings.summaries != "off"
    return _told(made, viewer, progress, is_with_summaries=is_with_summaries)


def _told(made: Rebuilt, viewer: Viewer, progress: Progress, *, is_with_summaries: bool) -> int:
    if made.away is not None:
        progress(texts.REBUILD_MODEL_AWAY.format(why=spoken(made.away)))
        return 1
    sentence = texts.REBUILT if is_with_summaries else texts.REBUILT_BUT_SUMMARIES
    progress(sentence.format(user=viewer.person, chunks=made.chunks, vectors=made.vectors, summaries=made.summaries))
    if made.unfinished:
        progress(texts.REBUILD_UNFINISHED.format(count=made.unfinished))
    return 1 if made.unfinished else 0
