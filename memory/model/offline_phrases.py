"""How the offline brain speaks: a front end gives it its sentences, in the language of whoever is answered."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the offline brain says. `{…}` is filled in by it."""

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
class Voice:
    """How the offline brain speaks: asked for each answer, because each is in the language of whoever is answered."""

    phrases: Callable[[], Phrases]
    day: Callable[[date], str]
    retold: Callable[[str], str]
    """What a tool refused, in that language."""
