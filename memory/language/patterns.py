"""Makes patterns of the words of the languages, to match folded text with: for one language, or for all of them."""

import re
from collections.abc import Callable

from memory.language.lexicon import Language, languages
from memory.language.lexicon.notation import NEVER
from memory.language.sentences import EDGE, folded


def pattern(source: str) -> str:
    """A pattern of the data as it looks after folding: a space is any space, a word ends where its vowels end."""
    parts = re.findall(r"\\.|[^\\]+", source)
    same = "".join(part if part[0] == "\\" else folded(part)[0] for part in parts)
    return same.replace(r"\b", EDGE).replace(" ", r"\s+")


def any_language(words: Callable[[Language], str]) -> tuple[str, str]:
    """What all languages say for one thing, first those that part words, then those that do not: people mix them, and
    a short line does not show its own."""
    parts = [(language.spaced, words(language)) for language in languages().values()]
    spaced = "|".join(pattern(part) for is_spaced, part in parts if is_spaced and part != NEVER)
    unspaced = "|".join(pattern(part) for is_spaced, part in parts if not is_spaced and part != NEVER)
    return spaced or NEVER, unspaced or NEVER


def whole_words(words: Callable[[Language], str], *also: str) -> str:
    """A source that finds what `any_language` says: as whole words in languages that part them, anywhere in others."""
    spaced, unspaced = any_language(words)
    return rf"{EDGE}(?:{'|'.join((spaced, *also))}){EDGE}|{unspaced}"
