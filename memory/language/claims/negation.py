"""Finds negating words: "I do not eat meat" is not "I eat meat"."""

import unicodedata
from collections.abc import Iterable

from memory.language.lexicon import languages
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import tokenise


@lexicon_cached
def _negating() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.negation.words)


@lexicon_cached
def _endings() -> tuple[str, ...]:
    return tuple(ending for language in languages().values() for ending in language.negation.endings)


def negations_in(text: str) -> set[str]:
    """The negating words of a text."""
    return negating_words(words_and_symbols(text))


def negating_words(words: Iterable[str]) -> set[str]:
    negating, endings = _negating(), _endings()
    return {word for word in words if word in negating or word.endswith(endings)}


def words_and_symbols(text: str) -> list[str]:
    """All tokens and symbols of a text: a heart or a prohibition sign carries meaning too."""
    return tokenise(text) + [sign for sign in text if unicodedata.category(sign) in {"So", "Sm", "Sk"}]
