"""A made-up language, in one file of words and one catalogue, that is read besides our own for a while."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.language.derived import read_also

FOLDER = Path(__file__).parent / "data" / "languages"


@contextmanager
def languages_of(folder: Path = FOLDER) -> Iterator[None]:
    """The languages of this folder are known as well."""
    read_also(folder)
    try:
        yield
    finally:
        read_also()
