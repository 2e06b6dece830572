"""Where a chat reads its lines from: an editable prompt, a plain terminal or a pipe."""

import asyncio
import io
import os
import sys
import threading
from collections.abc import AsyncIterator
from typing import BinaryIO, Protocol

from bot.language import texts

DUMB_TERMINALS = {"", "dumb", "unknown"}


class LineSource(Protocol):
    """Yields messages as bytes until the input ends. A typed message may contain line breaks."""

    interactive: bool

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class StreamLines:
    """Reads plain lines from a pipe or a dumb terminal."""

    def __init__(self, source: BinaryIO, limit: int, *, interactive: bool = False) -> None:
        self.source = source
        self.limit = limit
        self.interactive = interactive

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Read in a daemon thread, so that a blocked read does not keep the program from exiting."""
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        read_next = threading.Semaphore(0)
        loop = asyncio.get_running_loop()

        def read() -> None:
            while read_next.acquire():
                line = _read_line(self.source, self.limit)
                loop.call_soon_threadsafe(lines.put_nowait, line or None)

        threading.Thread(target=read, daemon=True).start()
        while True:
            if self.interactive:
                sys.stdout.write(f"\n{texts.PROMPT}")
                sys.stdout.flush()
            read_next.release()
            line = await lines.get()
            if line is None:
                return
            yield line


def _read_line(source: BinaryIO, limit: int) -> bytes:
    """Read one line, truncated just above the limit if it is too long. A read error counts as the end."""
    try:
        line = source.readline(limit + 2)
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(1 << 16)
    except OSError:
        return b""
    return line


def open_line_source(limit: int) -> LineSource:
    """Open the editable prompt if both ends are a capable terminal, and plain lines otherwise."""
    if sys.stdin is None:
        return StreamLines(io.BytesIO(), limit)
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "").lower() not in DUMB_TERMINALS:
        from bot.terminal.prompt import Prompt  # slow to import, and most runs do not need it

        return Prompt.at_terminal()
    # Opened anew: Python cannot exit while a thread blocks in a read of sys.stdin.
    source = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    return StreamLines(source, limit, interactive=sys.stdin.isatty())
