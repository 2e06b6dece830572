"""Builds regular expressions from lexicon words, for one language or for all, to match against folded text."""

import re
from collections.abc import Callable

from memory.language.lexicon import Language, languages
from memory.language.lexicon.notation import NEVER
from memory.language.sentences import EDGE, fold_with_positions


def pattern(source: str) -> str:
    r"""A pattern of the data files, folded. A space matches any white space, and `\b` knows Devanagari vowel signs."""
    parts = re.findall(r"\\.|[^\\]+", source)
    folded = "".join(part if part[0] == "\\" else fold_with_positions(part)[0] for part in parts)
    return folded.replace(r"\b", EDGE).replace(" ", r"\s+")


def any_language(words: Callable[[Language], str]) -> tuple[str, str]:
    """Return the alternatives of all languages: first languages with spaces between words, then those without.

    All languages are joined because people mix them, and a short line does not show its own.
    """
    parts = [(language.spaced, words(language)) for language in languages().values()]
    spaced = "|".join(pattern(part) for is_spaced, part in parts if is_spaced and part != NEVER)
    unspaced = "|".join(pattern(part) for is_spaced, part in parts if not is_spaced and part != NEVER)
    return spaced or NEVER, unspaced or NEVER


def whole_words(words: Callable[[Language], str], *also: str) -> str:
    """A pattern for the words of all languages: whole words in languages with spaces, anywhere in others."""
    spaced, unspaced = any_language(words)
    return rf"{EDGE}(?:{'|'.join((spaced, *also))}){EDGE}|{unspaced}"
