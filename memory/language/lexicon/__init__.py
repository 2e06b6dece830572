"""The words of each language: read from `memory/language/data`, one file a language, and checked when first needed.

    languages()["de"].orders.remember   # the German verbs of an order

A language that the program speaks has a file in `data`, with every section. One that it only recognises, to stem and to
find words in it, has a file in `data/recognised`. Adding a language is one file in `memory/language/data` and one
catalogue in `memory/locale`; a language that was only recognised moves out of `data/recognised`. A key that is missing
or unknown is named with its file when the words are loaded.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from memory.language.derived import derived, folders
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


class LexiconUnfit(ValueError):
    """A data file does not hold what a language needs; says the file and the key."""


class Recognised(LexiconSection):
    """A language that is recognised and searched, but not spoken."""

    name: str
    """As the stemmer calls it."""
    rank: int
    """Where a word belongs to several languages, the one with the lower rank is asked first."""
    detection: DetectionWords
    topics: SmallTalk | None = None
    time: TimeWords | None = None


class Language(Recognised):
    """A language that the program speaks."""

    spaced: bool
    """Whether words stand apart."""
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


@derived
def languages() -> Mapping[str, Language]:
    """The languages that the program speaks, by their codes, in the order of their ranks."""
    return _load(Language, "*.toml")


@derived
def recognised() -> Mapping[str, Recognised]:
    """All languages that are recognised, by their codes, in the order of their ranks."""
    every = {**_load(Recognised, "recognised/*.toml"), **languages()}
    return dict(sorted(every.items(), key=lambda each: each[1].rank))


L = TypeVar("L", bound=Recognised)


def _load(shape: type[L], names: str) -> dict[str, L]:
    found = {path.stem: _read(shape, path) for folder in folders() for path in folder.glob(names)}
    return dict(sorted(found.items(), key=lambda each: each[1].rank))


def _read(shape: type[L], path: Path) -> L:
    try:
        return shape.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (ValidationError, tomllib.TOMLDecodeError) as trouble:
        raise LexiconUnfit(f"{path.name}: {_told(trouble)}") from None


def _told(trouble: ValidationError | tomllib.TOMLDecodeError) -> str:
    if isinstance(trouble, tomllib.TOMLDecodeError):
        return str(trouble)
    wrong = [(".".join(map(str, error["loc"])), error["msg"]) for error in trouble.errors()]
    return "; ".join(f"{key}: {message}" for key, message in wrong)
