"""The sentences of `bot/texts.py` in the language of the person who is answered, and how to write days and lists."""

import os
from collections.abc import Mapping

from bot import texts
from memory.errors import translate_error
from memory.model.offline_phrases import OfflineLocale
from memory.translation import (
    Texts,
    available_languages,
    format_day,
    format_list,
    format_moment,
    match_language,
    translate,
    use_language,
)

__all__ = [
    "OFFLINE_LOCALE",
    "available_languages",
    "format_day",
    "format_list",
    "format_moment",
    "match_language",
    "terminal_language",
    "texts",
    "translate",
    "translate_error",
    "use_language",
]


def terminal_language(environment: Mapping[str, str] = os.environ) -> str | None:
    """The locale of the terminal, by the variables that other programs read as well."""
    return next(filter(None, map(environment.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None)


texts = Texts(texts)

OFFLINE_LOCALE = OfflineLocale(phrases=lambda: texts.OFFLINE, format_day=format_day, translate_error=translate_error)
