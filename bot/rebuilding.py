"""`keepsake rebuild`: makes anew what is derived of one person, and shows how far that is."""

import sys
from collections.abc import Callable

from bot.bar import Bar
from bot.language import spoken, texts
from db.viewer import Viewer
from memory.consolidation.rebuild import Rebuilt, rebuild
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_workshop


async def rebuild_shown(settings: Settings, memory: Memory, viewer: Viewer, say: Callable[[str], None]) -> int:
    """The status of the command: whether everything was made."""
    bar = Bar(sys.stderr)
    async with open_workshop(settings, memory) as (workshop, vectors):
        try:
            made = await rebuild(
                workshop, vectors, viewer, lambda stage, done, of: bar(texts.REBUILD_STAGES[stage], done, of)
            )
        finally:
            bar.close()
        is_with_summaries = workshop.scribe is not None and settings.summaries != "off"
    return _told(made, viewer, say, is_with_summaries=is_with_summaries)


def _told(made: Rebuilt, viewer: Viewer, say: Callable[[str], None], *, is_with_summaries: bool) -> int:
    if made.away is not None:
        say(texts.REBUILD_MODEL_AWAY.format(why=spoken(made.away)))
        return 1
    sentence = texts.REBUILT if is_with_summaries else texts.REBUILT_BUT_SUMMARIES
    say(sentence.format(user=viewer.person, chunks=made.chunks, vectors=made.vectors, summaries=made.summaries))
    if made.unfinished:
        say(texts.REBUILD_UNFINISHED.format(count=made.unfinished))
    return 1 if made.unfinished else 0
