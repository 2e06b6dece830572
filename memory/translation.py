"""Translates the program's sentences into the user's language.

Each language has a gettext catalogue in `memory/locale`: a `.po` file and the `.mo` file compiled from it. A sentence
without a translation stays English. The files in `memory/language/data` decide which languages exist.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any

from memory.language.lexicon_cache import data_folders, lexicon_cached

LOCALE = Path(__file__).parent / "locale"

_language: ContextVar[str] = ContextVar("language", default="en")


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence with a count; `gap` is the name of its placeholder.

    >>> Plural("{count} card", "{count} cards").format(count=3)
    '3 cards'
    """

    one: str
    other: str
    gap: str = "count"

    def format(self, **values: Any) -> str:
        """Fill in the current language's form for this count."""
        return self.form(values[self.gap]).format(**values)

    def form(self, count: int | str) -> str:
        return _sentence(_translations(_language.get()).ngettext(self.one, self.other, int(count)))

    def english(self, count: int | str) -> str:
        return self.one if int(count) == 1 else self.other


@contextmanager
def use_language(code: str | None) -> Iterator[None]:
    """Use a language inside the block: `pt-BR` is Portuguese, and an unavailable language is English."""
    token = _language.set(match_language(code))
    try:
        yield
    finally:
        _language.reset(token)


def set_language(code: str | None) -> None:
    """Use a language for the rest of this task."""
    _language.set(match_language(code))


def current_language() -> str:
    return _language.get()


@lexicon_cached
def available_languages() -> tuple[str, ...]:
    """Return the codes of English and of all languages with a catalogue. English comes first."""
    from memory.language.lexicon import languages

    return tuple(code for code in languages() if code == "en" or _catalogue(code))


def match_language(code: str | None) -> str:
    """Return the available language of a code such as `pt-BR` or `de_DE.UTF-8`, or else English."""
    short = re.split(r"[^a-z]", (code or "").lower())[0]
    return short if short != "en" and _is_available(short) else "en"


def _is_available(code: str) -> bool:
    """Check only that the files exist: a help text needs no loaded lexicon or catalogue."""
    return any((folder / f"{code}.toml").is_file() for folder in data_folders()) and _catalogue(code) is not None


def translate(sentence: str) -> str:
    """Return the sentence in the current language."""
    return _sentence(_translations(_language.get()).gettext(sentence)) if sentence else ""


def _sentence(text: str) -> str:
    return _SentenceWithNumber(text) if ":,}" in text else text


class _SentenceWithNumber(str):
    """Writes large numbers as the current language does: 65,536 in English, 65.536 in German."""

    __slots__ = ()

    def format(self, *args: object, **values: object) -> str:
        return _FORMATTER.vformat(self, args, values)


class _NumberFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec != "," or _language.get() == "en":
            return format(value, format_spec)
        from babel.numbers import format_decimal

        return format_decimal(value, locale=_language.get())


_FORMATTER = _NumberFormatter()


def format_day(day: date) -> str:
    from babel.dates import format_date

    language = _language.get()
    return format_date(day, "d MMMM y" if language == "en" else "long", locale=language)


def format_moment(moment: datetime) -> str:
    """Format day and time in the moment's own time zone."""
    return f"{format_day(moment)} {moment:%H:%M}"


def format_list(items: Sequence[str], *, either: bool = False) -> str:
    """Join items: "a, b and c", or with `either` "a, b or c"."""
    from babel.lists import format_list

    return format_list(items, "or" if either else "standard", locale=_language.get())


def catalogue_trouble() -> str | None:
    """Return a log line about missing or outdated compiled catalogues, or None if there are none."""
    outdated = [
        source.stem
        for source in sorted(LOCALE.glob("*.po"))
        if not (compiled := source.with_suffix(".mo")).is_file() or compiled.stat().st_mtime < source.stat().st_mtime
    ]
    if not outdated and (not LOCALE.is_dir() or not any(LOCALE.glob("*.mo"))):
        return "There are no compiled catalogues, so everything is said in English. Run `make catalogues`."
    names = ", ".join(outdated)
    return f"These catalogues are not compiled or out of date: {names}. Run `make catalogues`." if outdated else None


@lexicon_cached
def _loaded() -> dict[str, NullTranslations]:
    return {}


def _translations(language: str) -> NullTranslations:
    """Return the catalogue of a language, loaded on first use."""
    loaded = _loaded()
    if language not in loaded:
        path = _catalogue(language)
        if path is None:
            loaded[language] = NullTranslations()
        else:
            with path.open("rb") as file:
                loaded[language] = GNUTranslations(file)
    return loaded[language]


def _catalogue(language: str) -> Path | None:
    """Return the path of a compiled catalogue, in our own folder or in an extra language folder."""
    paths = [folder / f"{language}.mo" for folder in (LOCALE, *data_folders())]
    return next((path for path in paths if path.is_file()), None)


class Texts(ModuleType):
    """Replaces a module of sentences and returns each in the current language. It is bound to the module's own name, so
    that a type checker knows the sentences."""

    def __init__(self, english: ModuleType) -> None:
        super().__init__(english.__name__)
        self._english = english

    def __getattr__(self, name: str) -> Any:
        return _translated(_language.get(), self._english, name)


@cache
def _translated(language: str, english: ModuleType, name: str) -> Any:
    return _translate_all(getattr(english, name), _translations(language))


def _translate_all(value: Any, translations: NullTranslations) -> Any:
    """Translate a sentence, or every sentence in a container. A `Plural` chooses its form when it is filled in."""
    match value:
        case str():
            return _sentence(translations.gettext(value)) if value else ""
        case tuple():
            return tuple(_translate_all(item, translations) for item in value)
        case Mapping():
            return {key: _translate_all(item, translations) for key, item in value.items()}
        case Plural():
            return value
        case _ if is_dataclass(value) and not isinstance(value, type):
            parts = {part.name: _translate_all(getattr(value, part.name), translations) for part in fields(value)}
            return replace(value, **parts)
        case _:
            return value
