"""The words of each language, loaded from one TOML file per language and validated on first use.

    languages()["de"].orders.remember   # the German verbs of an order

- `data/*.toml`: languages the program speaks, with every section.
- `data/recognised/*.toml`: languages it only detects, stems and searches.

To add a language, add a file in `memory/language/data` and a catalogue in `memory/locale`. A language that was only
recognised moves out of `data/recognised`. A missing or unknown key is reported with its file when the words are loaded.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from memory.language.lexicon.answers import AnswerWords
from memory.language.lexicon.dates import DateWords
from memory.language.lexicon.detection import DetectionWords
from memory.language.lexicon.names import NameWords
from memory.language.lexicon.negation import NegationWords
from memory.language.lexicon.numbers import NumberWords
from memory.language.lexicon.offline import OfflineWords
from memory.language.lexicon.orders import OrderWords
from memory.language.lexicon.passing import PassingWords
from memory.language.lexicon.people import PeopleWords
from memory.language.lexicon.precheck import PrecheckWords
from memory.language.lexicon.secrets import SecretWords
from memory.language.lexicon.section import LexiconSection
from memory.language.lexicon.sensitivity import SensitivityWords
from memory.language.lexicon.sentences import SentenceWords
from memory.language.lexicon.statements import StatementWords
from memory.language.lexicon.time import SpokenTime, TimeWords
from memory.language.lexicon.topics import SmallTalk, TopicWords
from memory.language.lexicon_cache import data_folders, lexicon_cached


class LexiconError(ValueError):
    """A data file is invalid; the message names the file and the key."""


class RecognisedLanguage(LexiconSection):
    """A language that is detected and searched, but not spoken."""

    name: str
    """The name that the stemmer library uses."""
    rank: int
    """A word that several languages share counts for the one with the lowest rank."""
    detection: DetectionWords
    topics: SmallTalk | None = None
    time: TimeWords | None = None


class Language(RecognisedLanguage):
    """A language that the program speaks."""

    spaced: bool
    """True if spaces separate the words."""
    sentences: SentenceWords
    orders: OrderWords
    answers: AnswerWords
    precheck: PrecheckWords
    people: PeopleWords
    passing: PassingWords
    negation: NegationWords
    statements: StatementWords
    topics: TopicWords
    numbers: NumberWords
    time: SpokenTime
    dates: DateWords
    names: NameWords
    sensitivity: SensitivityWords
    secrets: SecretWords
    offline: OfflineWords


@lexicon_cached
def languages() -> Mapping[str, Language]:
    """The languages that the program speaks, by code, in order of rank."""
    return _load(Language, "*.toml")


@lexicon_cached
def recognised_languages() -> Mapping[str, RecognisedLanguage]:
    """All recognised languages, spoken ones included, by code, in order of rank."""
    recognised = {**_load(RecognisedLanguage, "recognised/*.toml"), **languages()}
    return dict(sorted(recognised.items(), key=lambda pair: pair[1].rank))


L = TypeVar("L", bound=RecognisedLanguage)


def _load(shape: type[L], names: str) -> dict[str, L]:
    loaded = {path.stem: _read(shape, path) for folder in data_folders() for path in folder.glob(names)}
    return dict(sorted(loaded.items(), key=lambda pair: pair[1].rank))


def _read(shape: type[L], path: Path) -> L:
    try:
        return shape.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (ValidationError, tomllib.TOMLDecodeError) as error:
        raise LexiconError(f"{path.name}: {_describe(error)}") from None


def _describe(error: ValidationError | tomllib.TOMLDecodeError) -> str:
    if isinstance(error, tomllib.TOMLDecodeError):
        return str(error)
    problems = [(".".join(map(str, problem["loc"])), problem["msg"]) for problem in error.errors()]
    return "; ".join(f"{key}: {message}" for key, message in problems)
