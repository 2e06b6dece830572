"""Caches everything compiled from the language data files, and keeps the list of their folders."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TypeVar

DATA = Path(__file__).parent / "data"

T = TypeVar("T")

_folders = [DATA]
_lock = threading.Lock()
"""Keeps the folders from changing during a build."""
_cached: list[Callable[[], object]] = []


def lexicon_cached(build: Callable[[], T]) -> Callable[[], T]:
    """Cache a function that builds something from the lexicon, until the data folders change."""
    cached = cache(build)
    _cached.append(cached)
    return cached


def warm_lexicon(stop: threading.Event | None = None) -> None:
    """Build everything ahead of time, so that no message waits for it. Returns early once `stop` is set."""
    for build in _cached:
        if stop is not None and stop.is_set():
            return
        with _lock:
            build()


@asynccontextmanager
async def warming_lexicon() -> AsyncIterator[None]:
    """Warm the lexicon in a thread that is joined on exit.

    A daemon thread killed at interpreter shutdown in the middle of a C library aborts the whole process.
    """
    stop = threading.Event()
    thread = threading.Thread(target=warm_lexicon, args=(stop,), name="lexicon")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        await asyncio.to_thread(thread.join)


def set_extra_folders(*folders: Path) -> None:
    """Replace the additional language folders, which hold message catalogues too, and drop all cached results."""
    with _lock:
        _folders[:] = [DATA, *folders]
        for build in _cached:
            build.cache_clear()  # type: ignore[attr-defined]


def data_folders() -> Sequence[Path]:
    """Return the folders of the language files, the built-in one first."""
    return _folders
