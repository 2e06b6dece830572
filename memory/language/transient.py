"""Recognises statements about the moment, which are not worth remembering.

    "I'm hungry"                      a state                          transient
    "It's quiet at work today"        true today only                  transient
    "My exam is today at 3"           an event with a date             not transient
    "I'm tired every day"             a lasting state                  not transient

"Now" alone decides nothing: "Priya is my manager now" lasts.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from memory.language.lexicon.passing import PassingWords
from memory.language.lexicon_cache import lexicon_cached
from memory.language.patterns import any_language
from memory.language.sentences import LETTER, fold_with_positions

MAX_STATEMENT_LENGTH = 1_000  # a longer text is about more than a mood


class _Patterns(NamedTuple):
    today: re.Pattern[str]
    state: re.Pattern[str]
    event: re.Pattern[str]
    lasts: re.Pattern[str]


@lexicon_cached
def _patterns() -> _Patterns:
    return _Patterns(
        today=_any(lambda section: section.today),
        state=_any(lambda section: section.state),
        event=_any(lambda section: section.event),
        lasts=_any(lambda section: section.lasts),
    )


def _any(words: Callable[[PassingWords], str]) -> re.Pattern[str]:
    spaced, unspaced = any_language(lambda language: words(language.passing))
    return re.compile(rf"(?<![{LETTER}])(?:{spaced})|{unspaced}")


def is_transient(statement: str) -> bool:
    """Return whether a statement is about a passing state or about today only, and not about an event."""
    if len(statement) > MAX_STATEMENT_LENGTH:
        return False
    patterns, text = _patterns(), fold_with_positions(statement)[0]
    if not (patterns.state.search(text) or patterns.today.search(text)):
        return False
    return not (patterns.event.search(text) or patterns.lasts.search(text))
