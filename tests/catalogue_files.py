"""Catalogues for tests: compiled as the build does it, or made of a few translations."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from memory import translation
from memory.translation import Plural


def compile_catalogue(source: Path) -> None:
    """Write the `.mo` file beside a `.po` file."""
    with source.open("rb") as file:
        catalogue = read_po(file)
    with source.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


@contextmanager
def translations_of(
    folder: Path, language: str, sentences: Mapping[str | Plural, str | Sequence[str]]
) -> Iterator[None]:
    """Nothing but these sentences is translated, into this language."""
    catalogue = Catalog(locale=language)
    for sentence, string in sentences.items():
        id = (sentence.one, sentence.other) if isinstance(sentence, Plural) else sentence
        catalogue.add(id, string if isinstance(string, str) else tuple(string))
    with (folder / f"{language}.mo").open("wb") as file:
        write_mo(file, catalogue)
    with patch.object(translation, "LOCALE", folder):
        _forget()
        yield
    _forget()


def _forget() -> None:
    cached: tuple[Any, ...] = (translation._loaded, translation.available_languages, translation._translated)
    for each in cached:
        each.cache_clear()
