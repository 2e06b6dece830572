"""The language that is spoken just now, for whoever is answered, in a chat or on a page.

The catalogues are gettext's, one file for each language in `memory/locale`; what one of them lacks is said in English.
Which languages there are says `memory/language/data`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from memory.errors import KeepsakeError
from memory.language.derived import derived, folders

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence with a count; `gap` names the gap that holds it.

    >>> Plural("{count} card", "{count} cards").format(count=3)
    '3 cards'
    """

    one: str
    other: str
    gap: str = "count"

    def format(self, **values: Any) -> str:
        """The form that the current language uses for this count, filled in."""
        return self.form(int(values[self.gap])).format(**values)

    def form(self, count: int) -> str:
        return self.english(count)

    def english(self, count: int) -> str:
        return self.one if count == 1 else self.other


GAP = re.compile(r"\{(\w+)[^{}]*\}")
REFUSALS = ("Not stored", "Not kept", "Not asked")

_spoken: ContextVar[str] = ContextVar("language", default="en")


@contextmanager
def speaking(code: str | None) -> Iterator[None]:
    """Everything inside is said in this language, where we speak it: `pt-BR` is Portuguese, `tlh` is English."""
    token = _spoken.set(known(code))
    try:
        yield
    finally:
        _spoken.reset(token)


def speak(code: str | None) -> None:
    """From here on, in this task."""
    _spoken.set(known(code))


def spoken_language() -> str:
    return _spoken.get()


@derived
def known_languages() -> tuple[str, ...]:
    """The codes of all languages that have a catalogue, English first, whose sentences stand in the program."""
    from memory.language.lexicon import languages

    return tuple(code for code in languages() if code == "en" or _catalogue_file(code))


def known(code: str | None) -> str:
    short = re.split(r"[^a-z]", (code or "").lower())[0]
    return short if short != "en" and _is_spoken(short) else "en"


def _is_spoken(code: str) -> bool:
    """Whether there are words and a catalogue; told by their files, for a help text needs neither loaded."""
    return any((folder / f"{code}.toml").is_file() for folder in folders()) and _catalogue_file(code) is not None


def translated(text: str) -> str:
    """A sentence of ours in the language that is spoken."""
    return catalogue(_spoken.get()).get(text, text)


def spoken(error: KeepsakeError) -> str:
    """What an error says to a person. A model is told `str(error)`, which is English."""
    sentence = translated(error.sentence)
    return sentence.format(**error.filled) if error.filled else sentence


def retold(sentence: str) -> str:
    """What a tool said to a model, for a person: a sentence of ours, perhaps with its gaps filled in already."""
    for original, pattern in _patterns(_spoken.get()):
        if found := pattern.fullmatch(sentence):
            return GAP.sub(lambda gap: found[gap[1]], translated(original))
    return sentence


def spoken_day(day: date) -> str:
    from babel.dates import format_date

    language = _spoken.get()
    return format_date(day, "dd MMMM y" if language == "en" else "long", locale=language)


def spoken_moment(moment: datetime) -> str:
    """A day and a time of day, in the zone that the moment has."""
    return f"{spoken_day(moment)} {moment:%H:%M}"


def listed(items: Sequence[str], *, either: bool = False) -> str:
    """One, another and a third; or, if only one of them is meant, with an “or”."""
    from babel.lists import format_list

    return format_list(items, "or" if either else "standard", locale=_spoken.get())


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """English sentences, and what they are in this language."""
    if language == "en":
        return {}
    return {str(each.id): str(each.string) for each in written(language) if each.id and each.string and not each.fuzzy}


def written(language: str) -> "Catalog":
    """A catalogue as it stands in its file."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    path = _catalogue_file(language)
    if path is None:
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def _catalogue_file(language: str) -> Traversable | None:
    """In our folder of catalogues, or beside the words of a language that is read from elsewhere."""
    paths = [folder.joinpath(f"{language}.po") for folder in (files("memory").joinpath("locale"), *folders())]
    return next((path for path in paths if path.is_file()), None)


@cache
def _patterns(language: str) -> list[tuple[str, re.Pattern[str]]]:
    if language == "en":
        return []
    sentences = [str(message.id) for message in written(language) if message.id]
    return [(sentence, _pattern(sentence)) for sentence in sentences if sentence.startswith(REFUSALS)]


def _pattern(sentence: str) -> re.Pattern[str]:
    """What the sentence looks like once its gaps are filled: between two texts stands the name of a gap."""
    parts = GAP.split(sentence)
    return re.compile("".join(f"(?P<{part}>.*)" if n % 2 else re.escape(part) for n, part in enumerate(parts)), re.S)


class Texts(ModuleType):
    """The sentences of a module, in the language that is spoken. It stands in for that module under the same name, so
    that a type checker knows which sentences there are."""

    def __init__(self, english: ModuleType) -> None:
        super().__init__(english.__name__)
        self._english = english

    def __getattr__(self, name: str) -> Any:
        return _in(_spoken.get(), self._english, name)


@cache
def _in(language: str, english: ModuleType, name: str) -> Any:
    return _each(getattr(english, name), catalogue(language))


def _each(value: Any, words: Mapping[str, str]) -> Any:
    match value:
        case str():
            return words.get(value, value)
        case tuple():
            return tuple(_each(item, words) for item in value)
        case Mapping():
            return {key: _each(item, words) for key, item in value.items()}
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{part.name: _each(getattr(value, part.name), words) for part in fields(value)})
        case _:
            return value
