"""Finds the words that turn a sentence around: "I do not eat meat" is not "I eat meat"."""

import unicodedata
from collections.abc import Iterable

from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.terms import pieces


@derived
def _negating() -> frozenset[str]:
    return frozenset(word for language in languages().values() for word in language.negation.words)


@derived
def _endings() -> tuple[str, ...]:
    return tuple(ending for language in languages().values() for ending in language.negation.endings)


def negations_of(text: str) -> set[str]:
    """The words of a text that turn it around."""
    return negations(signs(text))


def negations(words: Iterable[str]) -> set[str]:
    negating, endings = _negating(), _endings()
    return {word for word in words if word in negating or word.endswith(endings)}


def signs(text: str) -> list[str]:
    """All words, and the symbols between them: a heart or a crossed-out sign says something too."""
    return pieces(text) + [sign for sign in text if unicodedata.category(sign) in {"So", "Sm", "Sk"}]
