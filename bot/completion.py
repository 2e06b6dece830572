"""Which words may come next in a command: read from the tables that answer it and from the help that explains it."""

import re
from collections.abc import Iterable

from bot.commands import memory, spaces
from bot.language import texts
from db.vocabulary import Attribute, Category, Mode


def next_words(before: str) -> list[str]:
    """Whole words that may stand where the last one of `before` has begun, in order; none where one writes freely."""
    *earlier, begun = before.split(" ")
    if not before.startswith("/") or "\n" in before:
        return []
    return sorted(word for word in _after(earlier) if word.startswith(begun))


def _after(words: list[str]) -> Iterable[str]:
    match words:
        case []:
            return {"/help", *re.findall(r"^ +(/\w+)", texts.HELP, re.M)}
        case ["/memory"]:
            return memory.COMMANDS
        case ["/memory", "mode"]:
            return Mode
        case ["/memory", "never" | "allow"]:
            return Category
        case ["/space"]:
            return spaces.COMMANDS
        case ["/space", "use"]:
            return ["personal"]
        case ["/forget"]:
            return set(re.findall(r"^ +/forget (\w+)", texts.FORGET_HELP, re.M))
        case ["/forget", "attribute"]:
            return Attribute
        case _:
            return []
