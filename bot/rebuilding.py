"""`keepsake rebuild`: makes anew what is derived of one person, and shows how far that is."""

import sys
import time
from collections.abc import Callable
from typing import TextIO

from bot.language import spoken, texts
from db.viewer import Viewer
from memory.consolidation.rebuild import Rebuilt, Stage, rebuild
from memory.settings import Settings
from memory.unit import Memory
from memory.wiring import open_workshop

WIDTH = 30
SECONDS = 0.1  # between two drawings of the same bar
TO_THE_END = "\x1b[K"  # of the line: what stood there is gone


class Bar:
    """On a terminal one line that is drawn again and again; elsewhere a line at every tenth."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_terminal = stream is not None and stream.isatty()
        self._stage: Stage | None = None
        self._tenths = 0
        self._drawn = 0.0
        self._is_open = False

    def __call__(self, stage: Stage, done: int, of: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage, self._tenths, self._drawn = stage, 0, 0.0
        tenths = 10 * done // of if of else 0
        told = texts.REBUILD_STEP.format(
            stage=texts.REBUILD_STAGES[stage], share=100 * done // max(of, 1), done=done, of=of
        )
        if self._is_terminal:
            self._draw(f"\r· [{'#' * (WIDTH * done // max(of, 1)):-<{WIDTH}}] {told}", last=done == of)
        elif tenths > self._tenths:
            self._write(f"· {told}\n")
        self._tenths = max(tenths, self._tenths)

    def close(self) -> None:
        """What comes next stands on a line of its own."""
        if self._is_open:
            self._write("\n")
            self._is_open = False

    def _draw(self, line: str, *, last: bool) -> None:
        now = time.monotonic()
        if last or now - self._drawn >= SECONDS:
            self._drawn, self._is_open = now, True
            self._write(line + TO_THE_END)

    def _write(self, words: str) -> None:
        if self._stream is not None:
            self._stream.write(words)
            self._stream.flush()


async def rebuild_shown(settings: Settings, memory: Memory, viewer: Viewer, say: Callable[[str], None]) -> int:
    """The status of the command: whether everything was made."""
    bar = Bar(sys.stderr)
    async with open_workshop(settings, memory) as (workshop, vectors):
        try:
            made = await rebuild(workshop, vectors, viewer, bar)
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
