"""The sentences of the offline brain, supplied by a front end in the user's language."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from memory.errors import CodedError


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of the offline brain, with `{…}` placeholders that it fills in."""

    greeting: str
    help: str
    welcome: str
    stored: str
    asked: str
    forgotten: str
    declined: str
    quote: str
    repeat: str
    nothing_known: str
    heard: str


@dataclass(frozen=True, slots=True)
class OfflineLocale:
    """Localises the offline brain. It is called for each answer, because every user has their own language."""

    phrases: Callable[[], Phrases]
    format_day: Callable[[date], str]
    translate_error: Callable[[CodedError], str]
