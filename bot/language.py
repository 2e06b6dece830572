"""The language that is spoken just now: `texts` here are those of `bot/texts.py` in the words of whoever is answered.

The catalogues are gettext's, one file for each language in `bot/locale`; what one of them lacks is said in English.
"""

import gettext
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bot import texts as english

LANGUAGES = ("en", "es", "de", "fr", "pt", "ru", "ar", "hi", "zh")

_spoken: ContextVar[str] = ContextVar("language", default="en")


@contextmanager
def speaking(code: str | None) -> Iterator[None]:
    """Everything inside is said in this language, where we speak it: `pt-BR` is Portuguese, `tlh` is English."""
    token = _spoken.set(known(code))
    try:
        yield
    finally:
        _spoken.reset(token)


def known(code: str | None) -> str:
    short = (code or "").lower().replace("_", "-").split("-")[0].split(".")[0]
    return short if short in LANGUAGES else "en"


def translated(text: str) -> str:
    """A sentence of ours in the language that is spoken."""
    return catalogue(_spoken.get()).gettext(text) if text else text


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    path = files("bot").joinpath("locale", f"{language}.po")
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        read = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, read)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class _Texts:
    def __getattr__(self, name: str) -> Any:
        return _in(_spoken.get(), name)


@cache
def _in(language: str, name: str) -> Any:
    return _each(getattr(english, name), catalogue(language))


def _each(value: Any, words: gettext.NullTranslations) -> Any:
    match value:
        case str():
            return words.gettext(value) if value else value
        case Mapping():
            return {key: _each(item, words) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{part.name: _each(getattr(value, part.name), words) for part in fields(value)})
        case _:
            return value


if TYPE_CHECKING:
    from bot import texts as texts
else:
    texts = _Texts()
