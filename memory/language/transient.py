"""Tells what passes from what lasts: a state of the moment is gone tomorrow, an event that has a date is not.

A statement passes when it tells how somebody is just now ("I'm hungry") or what is so today only ("it's quiet at work
today"). It does not pass when it names an event or a turn of a life, even today's ("my exam is today at 3", "I got the
job today"), or says that the state lasts ("I'm tired every day", "I have had headaches since May"). "Now" alone decides
nothing: "Priya is my manager now" lasts.
"""

import re
from collections.abc import Callable

from memory.language.derived import derived
from memory.language.lexicon.passing import PassingWords
from memory.language.patterns import any_language
from memory.language.sentences import LETTER, folded

LONGEST_STATEMENT = 1_000  # what is longer tells more than a mood


@derived
def _today() -> re.Pattern[str]:
    return _any(lambda each: each.today)


@derived
def _state() -> re.Pattern[str]:
    return _any(lambda each: each.state)


@derived
def _event() -> re.Pattern[str]:
    return _any(lambda each: each.event)


@derived
def _lasts() -> re.Pattern[str]:
    return _any(lambda each: each.lasts)


def _any(words: Callable[[PassingWords], str]) -> re.Pattern[str]:
    """What all languages say for one thing."""
    spaced, unspaced = any_language(lambda each: words(each.passing))
    return re.compile(rf"(?<![{LETTER}])(?:{spaced})|{unspaced}")


def passes(statement: str) -> bool:
    """Whether a statement tells a state of the moment, or what is so today only, and no event."""
    if len(statement) > LONGEST_STATEMENT:
        return False
    text = folded(statement)[0]
    if not (_state().search(text) or _today().search(text)):
        return False
    return not (_event().search(text) or _lasts().search(text))
