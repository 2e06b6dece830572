"""`keepsake rebuild`: rebuilds the derived data of one person, with a progress bar."""

import argparse
import sys

from bot.cli.person import open_person
from bot.cli.progress_bar import ProgressBar
from bot.language import texts, translate_error
from memory import Progress, Viewer
from memory.consolidation.rebuild import RebuildResult, rebuild
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_jobs


async def run(settings: Settings, args: argparse.Namespace, progress: Progress) -> int:
    """Rebuild and return 1 if something is left to do."""
    async with open_person(settings, args.user, progress) as (memory, viewer):
        return await rebuild_with_progress(settings, memory, viewer, progress)


async def rebuild_with_progress(settings: Settings, memory: Memory, viewer: Viewer, progress: Progress) -> int:
    bar = ProgressBar(sys.stderr)
    async with open_jobs(settings, memory) as (jobs, vectors):
        try:
            result = await rebuild(
                jobs, vectors, viewer, lambda stage, done, of: bar(texts.REBUILD_STAGES[stage], done, of)
            )
        finally:
            bar.close()
        is_with_summaries = jobs.structured_llm is not None and settings.summaries != "off"
    return _report(result, viewer, progress, is_with_summaries=is_with_summaries)


def _report(result: RebuildResult, viewer: Viewer, progress: Progress, *, is_with_summaries: bool) -> int:
    if result.away is not None:
        progress(texts.REBUILD_MODEL_AWAY.format(why=translate_error(result.away)))
        return 1
    sentence = texts.REBUILT if is_with_summaries else texts.REBUILT_BUT_SUMMARIES
    progress(
        sentence.format(user=viewer.person, chunks=result.chunks, vectors=result.vectors, summaries=result.summaries)
    )
    if result.unfinished:
        progress(texts.REBUILD_UNFINISHED.format(count=result.unfinished))
    return 1 if result.unfinished else 0
