"""Where the lines of a chat come from: a prompt that can be edited, a plain terminal, or a pipe."""

import asyncio
import io
import os
import sys
import threading
from collections.abc import AsyncIterator
from typing import BinaryIO, Protocol

from bot.language import texts

CANNOT_EDIT = {"", "dumb", "unknown"}


class Lines(Protocol):
    """Message after message in the bytes that were typed, until whoever wrote them leaves. In one that was typed there
    may be line breaks."""

    interactive: bool

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class Stream:
    """Each line as it is, from a pipe or from a terminal that knows no more than lines."""

    def __init__(self, source: BinaryIO, limit: int, *, interactive: bool = False) -> None:
        self.source = source
        self.limit = limit
        self.interactive = interactive

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Lines from a thread of its own, which may sit in a blocking read when the program has long ended."""
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        go_on = threading.Semaphore(0)
        loop = asyncio.get_running_loop()

        def read() -> None:
            while go_on.acquire():
                line = _read_line(self.source, self.limit)
                loop.call_soon_threadsafe(lines.put_nowait, line or None)

        threading.Thread(target=read, daemon=True).start()
        while True:
            if self.interactive:
                sys.stdout.write(f"\n{texts.PROMPT}")
                sys.stdout.flush()
            go_on.release()
            line = await lines.get()
            if line is None:
                return
            yield line


def _read_line(source: BinaryIO, limit: int) -> bytes:
    """One line; of one that is too long only so much that it is seen to be, the rest is passed over. A source that
    breaks has ended."""
    try:
        line = source.readline(limit + 2)
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = source.readline(1 << 16)
    except OSError:
        return b""
    return line


def open_lines(limit: int) -> Lines:
    """From standard input, in the best way that it and standard output allow."""
    if sys.stdin is None:
        return Stream(io.BytesIO(), limit)
    if sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "").lower() not in CANNOT_EDIT:
        from bot.terminal.prompt import Prompt  # takes a while to load, and most runs need none

        return Prompt.at_terminal()
    # A reader of our own: Python cannot end while a thread sits in a read of its sys.stdin.
    source = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    return Stream(source, limit, interactive=sys.stdin.isatty())
