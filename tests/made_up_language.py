"""A made-up language, in one file of words and one catalogue, that is read besides our own for a while."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from memory.language.lexicon_cache import set_extra_folders
from tests.catalogue_files import compile_catalogue

FOLDER = Path(__file__).parent / "data" / "languages"


@contextmanager
def languages_of(folder: Path = FOLDER) -> Iterator[None]:
    """The languages of this folder are known as well; their catalogues are compiled into a copy of it."""
    with TemporaryDirectory() as temporary:
        copy = shutil.copytree(folder, Path(temporary) / "languages")
        for source in copy.glob("*.po"):
            compile_catalogue(source)
        set_extra_folders(copy)
        try:
            yield
        finally:
            set_extra_folders()
