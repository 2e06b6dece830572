"""What is made of the words of languages: where they are read from, and when patterns and tables are made of them."""

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
_making = threading.Lock()
"""Between two things that are made ahead, other folders may be read; never while one is being made."""
_derived: list[Callable[[], object]] = []


def derived(make: Callable[[], T]) -> Callable[[], T]:
    """For what is made of the words, like a pattern: made at its first use, or ahead of it by `warm`."""
    made = cache(make)
    _derived.append(made)
    return made


def warm(leaving: threading.Event | None = None) -> None:
    """Make everything that is made of words, so that no message waits for it; nothing more once somebody is leaving."""
    for make in _derived:
        if leaving is not None and leaving.is_set():
            return
        with _making:
            make()


@asynccontextmanager
async def warmed_in_thread() -> AsyncIterator[None]:
    """Warms in a thread that ends before this does. A daemon thread would be cut off at the end of the program, and in
    the middle of a compiled library that aborts the whole process."""
    leaving = threading.Event()
    thread = threading.Thread(target=warm, args=(leaving,), name="lexicon")
    thread.start()
    try:
        yield
    finally:
        leaving.set()
        await asyncio.to_thread(thread.join)


def read_also(*folders: Path) -> None:
    """Read languages from these folders too, or from ours alone; what was made of the words is made anew. A folder of
    others holds their catalogues as well."""
    with _making:
        _folders[:] = [DATA, *folders]
        for make in _derived:
            make.cache_clear()  # type: ignore[attr-defined]


def folders() -> Sequence[Path]:
    """Where languages are read from, our own first."""
    return _folders
