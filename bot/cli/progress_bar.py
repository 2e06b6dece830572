"""A progress bar: one line redrawn on a terminal, and elsewhere a line for every tenth."""

import time
from typing import TextIO

from bot.language import texts

WIDTH = 30
REDRAW_SECONDS = 0.1
CLEAR_TO_END = "\x1b[K"


class ProgressBar:
    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._is_terminal = stream is not None and stream.isatty()
        self._stage: str | None = None
        self._tenths = 0
        self._drawn = 0.0
        self._is_open = False

    def __call__(self, stage: str, done: int, of: int) -> None:
        if stage != self._stage:
            self.close()
            self._stage, self._tenths, self._drawn = stage, 0, 0.0
        tenths = 10 * done // of if of else 0
        text = texts.STEP.format(stage=stage, share=100 * done // max(of, 1), done=done, of=of)
        if self._is_terminal:
            self._draw(f"\r· [{'#' * (WIDTH * done // max(of, 1)):-<{WIDTH}}] {text}", last=done == of)
        elif tenths > self._tenths:
            self._write(f"· {text}\n")
        self._tenths = max(tenths, self._tenths)

    def close(self) -> None:
        """End the line, so that the next output starts a new one."""
        if self._is_open:
            self._write("\n")
            self._is_open = False

    def _draw(self, line: str, *, last: bool) -> None:
        now = time.monotonic()
        if last or now - self._drawn >= REDRAW_SECONDS:
            self._drawn, self._is_open = now, True
            self._write(line + CLEAR_TO_END)

    def _write(self, words: str) -> None:
        if self._stream is not None:
            self._stream.write(words)
            self._stream.flush()
