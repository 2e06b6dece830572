"""What the bot says, in the language of whoever is answered: `texts` here are those of `bot/texts.py` in it."""

import os
from collections.abc import Mapping

from bot import texts
from memory.model.offline_phrases import Voice
from memory.translation import (
    Texts,
    known,
    known_languages,
    listed,
    retold,
    speaking,
    spoken,
    spoken_day,
    spoken_moment,
    translated,
    written,
)

__all__ = [
    "VOICE",
    "known",
    "known_languages",
    "listed",
    "retold",
    "speaking",
    "spoken",
    "spoken_day",
    "spoken_moment",
    "terminal_language",
    "texts",
    "translated",
    "written",
]


def terminal_language(environment: Mapping[str, str] = os.environ) -> str | None:
    """What the terminal is set to, as other programs read it."""
    return next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)


texts = Texts(texts)

VOICE = Voice(phrases=lambda: texts.OFFLINE, day=spoken_day, retold=retold)
