"""What is made of the words of languages: where they are read from, and when patterns and tables are made of them."""

import threading
from collections.abc import Callable, Sequence
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


def warm() -> None:
    """Make everything that is made of words, so that no message waits for it."""
    for make in _derived:
        with _making:
            make()


def warm_in_thread() -> None:
    """The same while the program starts. The thread ends by itself, or with the program."""
    threading.Thread(target=warm, name="lexicon", daemon=True).start()


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
